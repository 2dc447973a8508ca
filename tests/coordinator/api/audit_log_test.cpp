#include "coordinator/api/audit_log.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <iterator>
#include <spdlog/spdlog.h>
#include <string>

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

}  // namespace
}  // namespace tracebed
