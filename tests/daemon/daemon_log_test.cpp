#include "daemon/daemon_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/files.h"
#include "support/temporary_folder.h"
#include "system/file_descriptor.h"

namespace tracebed {
namespace {

using testing::HasSubstr;

// stderr is a file while it lives.
class Redirection {
 public:
  explicit Redirection(const std::string& file) {
    const FileDescriptor to(open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    dup2(to.number(), STDERR_FILENO);
  }
  ~Redirection() { dup2(before_.number(), STDERR_FILENO); }
  Redirection(const Redirection&) = delete;
  Redirection& operator=(const Redirection&) = delete;

 private:
  FileDescriptor before_{fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)};
};

TEST(DaemonLog, KeepsLinesUntilTheyAreTaken) {
  TemporaryFolder folder;
  const Redirection redirection(folder.file("log"));
  unsetenv("JOURNAL_STREAM");
  DaemonLog log("agent lab1");
  spdlog::info("one");
  spdlog::warn("two");
  spdlog::error("three");
  const auto first = log.take(2);
  ASSERT_EQ(first.size(), 2u);
  EXPECT_EQ(first[0].text, "one");
  EXPECT_EQ(first[0].severity, LineSeverity::info);
  EXPECT_EQ(first[1].severity, LineSeverity::warning);
  EXPECT_GT(first[0].at.time_since_epoch().count(), 0);
  EXPECT_EQ(log.take(9).at(0).severity, LineSeverity::error);
  EXPECT_TRUE(log.take(9).empty());
  EXPECT_THAT(contents(folder.path() / "log"), HasSubstr(" agent lab1 warning: two\n"));
}

TEST(DaemonLog, HasOnePlainLineForEachThatWasLogged) {
  TemporaryFolder folder;
  const Redirection redirection(folder.file("log"));
  unsetenv("JOURNAL_STREAM");
  DaemonLog log("d");
  spdlog::warn("run of {}", "\x1b[31mname\n12:00:00.000 d error: FORGED");
  const std::string line = "run of \\x1B[31mname\\n12:00:00.000 d error: FORGED";
  EXPECT_THAT(contents(folder.path() / "log"), testing::EndsWith("d warning: " + line + "\n"));
  EXPECT_EQ(log.take(1).at(0).text, line);
}

TEST(DaemonLog, CountsWhatItCouldNotKeep) {
  TemporaryFolder folder;
  const Redirection redirection(folder.file("log"));
  DaemonLog log("d");
  for (int i = 0; i < 1'005; ++i) spdlog::info("{}", i);
  EXPECT_EQ(log.take_lost(), 5u);
  EXPECT_EQ(log.take_lost(), 0u);
  EXPECT_EQ(log.take(1).at(0).text, "5");
}

TEST(DaemonLog, TellsTheJournalPrioritiesInstead) {
  TemporaryFolder folder;
  const Redirection redirection(folder.file("log"));
  struct stat status = {};
  ASSERT_EQ(fstat(STDERR_FILENO, &status), 0);
  setenv("JOURNAL_STREAM", fmt::format("{}:{}", status.st_dev, status.st_ino).c_str(), 1);
  DaemonLog log("d");
  unsetenv("JOURNAL_STREAM");
  spdlog::info("one");
  spdlog::warn("two");
  spdlog::error("three");
  EXPECT_EQ(contents(folder.path() / "log"), "<6>one\n<4>two\n<3>three\n");
}

}  // namespace
}  // namespace tracebed
