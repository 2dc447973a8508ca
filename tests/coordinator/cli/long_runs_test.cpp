// Runs in which nothing happens for a long time, although all of their jobs end.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/cli/program.h"
#include "report/run_folder.h"
#include "support/files.h"

namespace tracebed {
namespace {

using ::testing::HasSubstr;

class LongRuns : public ::testing::Test {
 protected:
  // Under five schedulers, on four machines.
  ProgramEnd run(const std::string& trace, const std::string& more) {
    folder_.write("trace", trace);
    folder_.write("queues.xml",
                  "<configuration><property><name>yarn.scheduler.capacity.root.queues</name>"
                  "<value>default</value></property><property>"
                  "<name>yarn.scheduler.capacity.root.default.capacity</name><value>100</value>"
                  "</property></configuration>");
    const auto file =
        folder_.write("long.toml",
                      "name = \"long\"\nworld = \"virtual\"\nrepetitions = 1\n"
                      "[[scheduler]]\nname = \"fifo\"\n[[scheduler]]\nname = \"fair\"\n"
                      "[[scheduler]]\nname = \"fcfs\"\n[[scheduler]]\nname = \"binpack\"\n"
                      "[[scheduler]]\nname = \"capacity\"\nconfig = \"queues.xml\"\n" +
                          more);
    return tracebed_program({"run", file.string(), "--quiet", "--paranoid", "--output",
                             (folder_.path() / "runs").string()});
  }
  void expect_all_succeed(const ProgramEnd& end) const {
    ASSERT_EQ(end.exit_code, 0) << end.error;
    for (const char* scheduler : {"fifo", "capacity", "fair", "fcfs", "binpack"}) {
      const RunFolder run = RunFolder::load(folder_.path() / "runs" / scheduler);
      EXPECT_EQ(run.end.outcome, RunOutcome::complete) << scheduler;
      for (const JobFigures& job : run.jobs) {
        EXPECT_EQ(job.outcome, JobOutcome::succeeded) << scheduler;
      }
    }
  }

  static constexpr const char* four_machines =
      "[cluster]\nnodes = 4\nvcores = 8\nmemory = \"16 GiB\"\n";
  TemporaryFolder folder_;
};

// The last job's first stage runs alone for twice as long as a run may be quiet.
TEST_F(LongRuns, EndAfterAStageThatRunsAloneForLong) {
  for (const int seconds : {599, 601, 602, 1'200, 86'400}) {
    SCOPED_TRACE(seconds);
    const std::string rows = fmt::format(
        "M1,1,j_1,1,Terminated,100,{},100,0.5\nR2_1,1,j_1,1,Terminated,100,110,100,0.5\n",
        100 + seconds);
    expect_all_succeed(
        run(rows,
            std::string("[trace]\nfile = \"trace\"\nformat = \"alibaba2018\"\n") + four_machines));
    std::filesystem::remove_all(folder_.path() / "runs");
  }
}

TEST_F(LongRuns, EndWithMapsThatTakeLongToStart) {
  expect_all_succeed(run("job0\t0\t0\t67108864\t1048576\t1048576\n",
                         std::string("[trace]\nfile = \"trace\"\nformat = \"swim\"\n"
                                     "[trace.rules]\n\"swim.map_startup\" = 700\n") +
                             four_machines));
}

// Two of four machines are drained, so the gang waits until one of them is back.
TEST_F(LongRuns, EndWhenAMachineThatWasDrainedIsBack) {
  expect_all_succeed(
      run("1 0 -1 5 2 -1 -1 2 20 -1 1 1 1 1 -1 -1 -1 -1\n"
          "2 20 -1 30 3 -1 -1 3 40 -1 1 1 1 1 -1 -1 -1 -1\n",
          "[trace]\nfile = \"trace\"\nformat = \"swf\"\n"
          "[cluster]\nnodes = 4\nvcores = 1\nmemory = \"1 GiB\"\n"
          "[[drain]]\nat = \"10s\"\nnode = \"node1\"\ngrace = \"1s\"\n"
          "[[drain]]\nat = \"10s\"\nnode = \"node2\"\ngrace = \"1s\"\nuntil = \"2h\"\n"));
}

// What a delay of a stage and rare heartbeats leave quiet for longer than ten minutes.
TEST_F(LongRuns, EndWithHeartbeatsThatAreAnHourApart) {
  const std::string rows =
      "M1,1,j_1,1,Terminated,100,110,100,0.5\nR2_1,1,j_1,1,Terminated,100,110,100,0.5\n";
  expect_all_succeed(
      run(rows, std::string("[trace]\nfile = \"trace\"\nformat = \"alibaba2018\"\n") +
                    four_machines + "heartbeat = \"1h\"\n"));
}

// A run that cannot end is given up after ten minutes, counted from when nothing ran any more.
TEST_F(LongRuns, AreGivenUpWhenNothingCanEverRun) {
  const ProgramEnd end =
      run("1 0 -1 3600 3 -1 -1 3 20 -1 1 1 1 1 -1 -1 -1 -1\n"
          "2 0 -1 30 4 -1 -1 4 40 -1 1 1 1 1 -1 -1 -1 -1\n",
          "[trace]\nfile = \"trace\"\nformat = \"swf\"\n"
          "[cluster]\nnodes = 4\nvcores = 1\nmemory = \"1 GiB\"\n"
          "[[drain]]\nat = \"0s\"\nnode = \"node4\"\ngrace = \"1s\"\n");
  EXPECT_EQ(end.exit_code, 7) << end.error;
  EXPECT_THAT(end.out, HasSubstr("fcfs: stalled after "));
  const RunFolder fcfs = RunFolder::load(folder_.path() / "runs/fcfs");
  ASSERT_EQ(fcfs.jobs.size(), 2u);
  EXPECT_EQ(fcfs.jobs[0].outcome, JobOutcome::succeeded);
  EXPECT_EQ(fcfs.jobs[1].outcome, JobOutcome::killed);
  EXPECT_GE(fcfs.jobs[1].jct, seconds(3'600 + 600));
}

}  // namespace
}  // namespace tracebed
