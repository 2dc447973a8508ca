// A user who may start only so many processes and threads (RLIMIT_NPROC, which does not hold for
// root).
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

#include "coordinator/cli/local_run.h"
#include "support/eventually.h"

namespace tracebed {
namespace {

constexpr int enough = 500;

class Processes : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "only root can be another user for a while";
  }
  // A user that nobody else is.
  const uid_t user_ = 61'000 + static_cast<uid_t>(::getpid() % 4'000);
  // Of that user.
  std::vector<std::string> processes() const {
    std::vector<std::string> found;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
      const std::string number = entry.path().filename();
      if (number.find_first_not_of("0123456789") != std::string::npos) continue;
      struct stat status = {};
      if (::stat(entry.path().c_str(), &status) == 0 && status.st_uid == user_) {
        found.push_back(number);
      }
    }
    return found;
  }
};

// Whatever it is that cannot be started, the run says so, kills nothing by signal and leaves
// nothing; with enough it succeeds.
TEST_P(Processes, ARunEndsInOrderHoweverFewItMayStart) {
  LocalRun run("processes-test-" + std::to_string(::getpid()));
  std::vector<std::string> arguments = run.arguments(2, 10);
  ASSERT_EQ(::chown(run.folder().c_str(), user_, user_), 0);
  std::vector<std::string> words{
      fmt::format("--reuid={}", user_), fmt::format("--regid={}", user_), "--clear-groups",
      // The tree may lie in a folder that only root may enter.
      "--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search", "prlimit",
      fmt::format("--nproc={}", GetParam()), program_path("tracebed").string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  words.insert(words.end(), {"--set", "local.isolation=\"none\""});
  const ProgramEnd end =
      RunningProgram("/usr/bin/setpriv", words, {"TRACEBED_TRACES=" + run.folder().string()})
          .wait();
  EXPECT_LT(end.exit_code, 70) << end.error;
  EXPECT_TRUE(GetParam() < enough || end.exit_code == 0) << end.error;
  if (end.exit_code != 0) {
    EXPECT_THAT(end.error, testing::Not(testing::IsEmpty()));
  }
  EXPECT_TRUE(eventually([&] { return processes().empty(); }))
      << testing::PrintToString(processes());
}

INSTANTIATE_TEST_SUITE_P(Limits, Processes,
                         testing::Values(2, 4, 8, 12, 16, 20, 24, 32, 48, enough));

}  // namespace
}  // namespace tracebed
