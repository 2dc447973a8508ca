// Ctrl-C, SIGTERM and a closed terminal in the virtual world, on a run that would take very long.
// faults_test.cpp has the local one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "coordinator/cli/program.h"
#include "core/exit_codes.h"
#include "report/run_folder.h"

namespace tracebed {
namespace {

using ::testing::HasSubstr;

class Interrupted : public ::testing::TestWithParam<int> {
 protected:
  // Heartbeats every millisecond to a job of ten days that wants more than is free: rounds without
  // end.
  Interrupted() {
    folder_.write("long.swf",
                  "1 0 -1 864000 1 -1 -1 1 -1 -1 1 1 1 1 1 -1 -1 -1\n"
                  "2 0 -1 864000 2 -1 -1 2 -1 -1 1 1 1 1 1 -1 -1 -1\n");
    file_ = folder_.write("long.toml",
                          "name = \"long\"\n"
                          "world = \"virtual\"\nrepetitions = 1\n"
                          "schedulers = [\"fifo\", \"fcfs\"]\n"
                          "[trace]\n"
                          "file = \"long.swf\"\n"
                          "[cluster]\n"
                          "nodes = 2\n"
                          "vcores = 1\n"
                          "memory = \"1 GiB\"\n"
                          "heartbeat = \"1ms\"\n");
  }
  bool has_begun(const std::string& run) const {
    return std::filesystem::exists(runs() / run / "run.json");
  }
  std::filesystem::path runs() const { return folder_.path() / "runs"; }

  TemporaryFolder folder_;
  std::filesystem::path file_;
};

TEST_P(Interrupted, LeavesAPartialRunThatIsValid) {
  RunningProgram program(program_path("tracebed"),
                         {"run", file_.string(), "--parallel", "1", "--output", runs().string()});
  program.wait_until([&] { return has_begun("fifo"); });
  program.signal(GetParam());
  const ProgramEnd end = program.wait();
  EXPECT_EQ(end.exit_code, to_int(ExitCode::interrupted)) << end.error;
  EXPECT_THAT(end.error, HasSubstr("cancelling the run; press Ctrl-C again to leave at once"));
  const RunFolder run = RunFolder::load(runs() / "fifo");
  EXPECT_EQ(run.end.outcome, RunOutcome::cancelled);
  ASSERT_EQ(run.jobs.size(), 2u);
  EXPECT_EQ(run.jobs[0].outcome, JobOutcome::killed);
  EXPECT_FALSE(std::filesystem::exists(runs() / "fcfs"));  // no other replay began
  EXPECT_EQ(tracebed_program({"replay-log", runs().string()}).exit_code, 0);
}

TEST_P(Interrupted, EndsAllThatRunAtATimeAndBeginsNoOther) {
  RunningProgram program(program_path("tracebed"),
                         {"run", file_.string(), "--scheduler", "fifo", "--parallel", "3",
                          "--repetitions", "4", "--output", runs().string()});
  program.wait_until(
      [&] { return has_begun("fifo/r1") && has_begun("fifo/r2") && has_begun("fifo/r3"); });
  program.signal(GetParam());
  const ProgramEnd end = program.wait();
  EXPECT_EQ(end.exit_code, to_int(ExitCode::interrupted)) << end.error;
  for (const char* run : {"fifo/r1", "fifo/r2", "fifo/r3"}) {
    EXPECT_EQ(RunFolder::load(runs() / run).end.outcome, RunOutcome::cancelled) << run;
  }
  EXPECT_FALSE(has_begun("fifo/r4"));
  EXPECT_EQ(tracebed_program({"replay-log", runs().string()}).exit_code, 0);
}

INSTANTIATE_TEST_SUITE_P(Signals, Interrupted, ::testing::Values(SIGINT, SIGTERM, SIGHUP));

}  // namespace
}  // namespace tracebed
