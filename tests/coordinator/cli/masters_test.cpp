// Masters in containers of their own, as a user starts them: real processes, and what becomes of a
// run when they are killed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "coordinator/cli/local_run.h"
#include "report/run_folder.h"
#include "support/eventually.h"
#include "support/files.h"

namespace tracebed {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int master_jobs = 4;

class Masters : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "cgroups can be written by root only";
  }

  // Jobs that take so many tenths of a second each, with masters of 64 MiB in 1 GiB machines.
  void start(int seconds_each) {
    std::vector<std::string> words = run_.arguments(master_jobs, seconds_each, "64 GiB");
    for (const char* given : {"am=container", "master_container.memory=4 GiB",
                              "master_container.vcores=1", "master_container.heartbeat=1s"}) {
      words.insert(words.end(), {"--set", given});
    }
    program_.emplace(program_path("tracebed"), words,
                     std::vector{"TRACEBED_TRACES=" + run_.folder().string()});
  }
  std::vector<pid_t> masters() { return run_.processes(program_->id(), "tracebed-appmaster"); }
  void expect_nothing_left() const {
    eventually([&] { return run_.leftovers().empty(); });
    EXPECT_THAT(run_.leftovers(), IsEmpty());
  }
  std::uint64_t counter(const std::string& name) const {
    for (const auto& [key, count] : RunFolder::load(folder()).end.counters) {
      if (key == name) return count;
    }
    ADD_FAILURE() << "the run record has no counter " << name;
    return 0;
  }
  void expect_that_the_log_is_whole() const {
    const ProgramEnd end = tracebed_program({"replay-log", folder().string()});
    EXPECT_EQ(end.exit_code, 0) << end.out << end.error;
  }
  std::filesystem::path folder() const { return run_.runs() / "fifo"; }

  LocalRun run_{"masters-test-" + std::to_string(::getpid())};
  std::optional<RunningProgram> program_;
};

TEST_F(Masters, RunTheirJobsAndTheLogDecidesTheSame) {
  start(10);
  const ProgramEnd end = program_->wait();
  ASSERT_EQ(end.exit_code, 0) << end.error;
  EXPECT_EQ(RunFolder::load(folder()).metrics().succeeded, static_cast<std::uint64_t>(master_jobs));
  EXPECT_GT(counter("master_calls"), static_cast<std::uint64_t>(3 * master_jobs));
  EXPECT_EQ(counter("master_actions_refused"), 0u);
  EXPECT_EQ(counter("masters_tried_again"), 0u);
  expect_that_the_log_is_whole();
  expect_nothing_left();
}

TEST_F(Masters, AreTriedAgainWhenTheyAreKilled) {
  start(100);
  program_->wait_until([&] { return !masters().empty() && run_.has_containers(program_->id()); });
  ::kill(masters().front(), SIGKILL);
  const ProgramEnd end = program_->wait();
  ASSERT_EQ(end.exit_code, 0) << end.error;
  EXPECT_EQ(RunFolder::load(folder()).metrics().succeeded, static_cast<std::uint64_t>(master_jobs));
  EXPECT_EQ(counter("masters_tried_again"), 1u);
  expect_that_the_log_is_whole();
  expect_nothing_left();
}

TEST_F(Masters, EndWithTheProgramThatRanThem) {
  start(36'000);
  program_->wait_until([&] { return !masters().empty() && run_.has_containers(program_->id()); });
  ::kill(program_->id(), SIGKILL);
  program_->wait();
  expect_nothing_left();
}

}  // namespace
}  // namespace tracebed
