#include "coordinator/api/audit_log.h"

#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <spdlog/spdlog.h>
#include <string>

#include "support/files.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

TEST(AuditLogFile, IsBoundedByRotation) {
  TemporaryFolder folder;
  AuditLog log(folder.path());
  spdlog::set_level(spdlog::level::err);
  folder.write("audit.log", std::string(AuditLog::file_bytes_max, 'x'));
  AuditRecord record{.who = "anna",
                     .action = "drain",
                     .run = 1,
                     .detail = std::string(1 << 20, 'n'),
                     .outcome = "done"};
  log.write(record);
  EXPECT_GT(std::filesystem::file_size(folder.path() / "audit.log.1"), AuditLog::file_bytes_max);
  for (int i = 0; i < 2 * AuditLog::old_files_max; ++i) {
    folder.write("audit.log", std::string(AuditLog::file_bytes_max, 'x'));
    log.write(record);
  }
  log.write(record);
  spdlog::set_level(spdlog::level::info);
  EXPECT_LT(std::filesystem::file_size(folder.path() / "audit.log"), 1'000u);
  const auto files = std::distance(std::filesystem::directory_iterator(folder.path()),
                                   std::filesystem::directory_iterator());
  EXPECT_EQ(files, 1 + AuditLog::old_files_max);
}

// However often somebody tries what he may not do, or reads, what was done stays.
TEST(AuditLogFile, KeepsWhatWasDoneApartFromWhatWasRefused) {
  TemporaryFolder folder;
  AuditLog log(folder.path());
  spdlog::set_level(spdlog::level::err);
  log.write({.who = "anna", .peer = "10.0.0.1:5", .action = "drain", .outcome = "done"});
  for (int i = 0; i < 100'000; ++i) {
    const std::string peer = "10.0.0.7:" + std::to_string(i % 60'000);
    log.write({.who = "eve",
               .peer = peer,
               .action = "drain",
               .detail = "node x",
               .outcome = "refused: no",
               .is_refused = true});
    log.write(
        {.who = "eve", .peer = peer, .action = "fetch", .outcome = "done", .only_reads = true});
  }
  log.write({.who = "anna", .peer = "10.0.0.7:9", .action = "drain", .is_refused = true});
  spdlog::set_level(spdlog::level::info);
  const auto lines = [&](const char* name) {
    const std::string text = contents(folder.path() / name);
    return std::count(text.begin(), text.end(), '\n');
  };
  EXPECT_EQ(lines("audit.log"), 1 + static_cast<std::ptrdiff_t>(LineLimit::lines_max));
  EXPECT_EQ(lines("audit-refused.log"), static_cast<std::ptrdiff_t>(LineLimit::lines_max) + 1);
  EXPECT_THAT(contents(folder.path() / "audit.log"), testing::HasSubstr("anna"));
  EXPECT_THAT(contents(folder.path() / "audit-refused.log"), testing::HasSubstr("anna"));

  // A coordinator that ends sums up what it has only counted, once.
  for (int i = 0; i < 2; ++i) log.tell_left_out(LineLimit::Moment::max());
  EXPECT_EQ(lines("audit.log"), 2 + static_cast<std::ptrdiff_t>(LineLimit::lines_max));
  EXPECT_THAT(contents(folder.path() / "audit.log"),
              testing::HasSubstr("99990 more were read within 60 s"));
  EXPECT_THAT(contents(folder.path() / "audit-refused.log"),
              testing::HasSubstr("99990 more were refused within 60 s"));
}

}  // namespace
}  // namespace tracebed
