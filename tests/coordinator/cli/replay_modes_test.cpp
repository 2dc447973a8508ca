// When jobs are submitted, and how a trace is scaled, as an experiment says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

#include "coordinator/cli/program.h"
#include "core/exit_codes.h"
#include "report/run_folder.h"

namespace tracebed {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Pair;

// The small experiment: jobs 1 to 4 run 10, 30, 10 (two processors of two) and 5 s, and are
// submitted at 0, 0, 5 and 6 s; 1 and 2 are one user's, 3 and 4 another's.
class ReplayModes : public ::testing::Test {
 protected:
  ProgramEnd run(const std::vector<std::string>& settings) {
    std::vector<std::string> arguments{"run",           file_.string(), "--output",
                                       runs().string(), "--scheduler",  "fcfs"};
    for (const std::string& setting : settings) {
      arguments.emplace_back("--set");
      arguments.push_back(setting);
    }
    return tracebed_program(arguments);
  }
  std::filesystem::path runs() const { return folder_.path() / "runs"; }

  // Position in the trace → submitted and ended, in seconds.
  using Times = std::map<std::uint32_t, std::pair<double, double>>;
  Times times() const {
    Times times;
    for (const JobFigures& job : RunFolder::load(runs() / "fcfs").jobs) {
      times[job.job.value()] = {to_seconds(job.submitted), to_seconds(job.submitted + job.jct)};
    }
    return times;
  }
  std::string replay_mode() const {
    for (const auto& [name, value] : RunFolder::load(runs() / "fcfs").description.trace_selection) {
      if (name == "replay") return value;
    }
    return {};
  }
  void expect_to_decide_again() const {
    const ProgramEnd again = tracebed_program({"replay-log", runs().string()});
    EXPECT_EQ(again.exit_code, 0) << again.out << again.error;
  }

  TemporaryFolder folder_;
  std::filesystem::path file_ = write_small_experiment(folder_);
};

TEST_F(ReplayModes, FasterDividesSubmitTimes) {
  const ProgramEnd end = run({"replay.speed=5"});
  ASSERT_EQ(end.exit_code, 0) << end.error;
  EXPECT_EQ(times(), (Times{{0, {0, 10}}, {1, {0, 30}}, {2, {1, 40}}, {3, {1.2, 45}}}));
  EXPECT_EQ(replay_mode(), "submit times ÷ 5");
  expect_to_decide_again();
}

TEST_F(ReplayModes, AllAtOnceSubmitsAtTheStart) {
  const ProgramEnd end = run({"replay.mode=at_once"});
  ASSERT_EQ(end.exit_code, 0) << end.error;
  EXPECT_EQ(times(), (Times{{0, {0, 10}}, {1, {0, 30}}, {2, {0, 40}}, {3, {0, 45}}}));
  EXPECT_EQ(replay_mode(), "all jobs at once");
  expect_to_decide_again();
}

TEST_F(ReplayModes, ClosedLoopWaitsForTheUsersLastJob) {
  const ProgramEnd end = run({"replay.mode=think_time", "replay.think_time=2s"});
  ASSERT_EQ(end.exit_code, 0) << end.error;
  // Job 3 takes both processors from 10, when 1 ends, to 20. Then 2, thought over since 10, has
  // one, and 4, from 22 on, the other.
  EXPECT_EQ(times(), (Times{{0, {0, 10}}, {1, {12, 50}}, {2, {5, 20}}, {3, {22, 27}}}));
  EXPECT_EQ(replay_mode(), "think time 2s");
  expect_to_decide_again();
}

// Job 4 names 1, which ends at 10, and thinks for 3 s; in the trace it is submitted at 6. Job 3
// names one that there is not.
TEST_F(ReplayModes, JobsThatNameOthersAreSubmittedAfterThem) {
  folder_.write("jobs.swf",
                "1 0 -1 10 1 -1 -1 1 -1 -1 1 1 -1 -1 -1 -1 -1 -1\n"
                "3 5 -1 10 1 -1 -1 1 -1 -1 1 2 -1 -1 -1 -1 77 -1\n"
                "4 6 -1 5 1 -1 -1 1 -1 -1 1 2 -1 -1 -1 -1 1 3\n");
  const std::string trace = "trace.file=" + (folder_.path() / "jobs.swf").string();
  const ProgramEnd end = run({trace});
  ASSERT_EQ(end.exit_code, 0) << end.error;
  EXPECT_EQ(times(), (Times{{0, {0, 10}}, {1, {5, 15}}, {2, {13, 18}}}));
  EXPECT_THAT(end.out + end.error,
              HasSubstr("1 jobs are submitted when the jobs that the trace names for them have "
                        "ended, and not at their submit times (rule swf.preceding)"));
  EXPECT_THAT(end.out + end.error,
              HasSubstr("1 times a job names a preceding job that is not before it in the "
                        "workload, and is not waited for (rule swf.preceding); the first: job 3 "
                        "names 77"));
  expect_to_decide_again();
  std::filesystem::remove_all(runs());
  const ProgramEnd ignored = run({trace, "trace.rules.swf.preceding=ignore"});
  ASSERT_EQ(ignored.exit_code, 0) << ignored.error;
  EXPECT_EQ(times(), (Times{{0, {0, 10}}, {1, {5, 15}}, {2, {6, 15}}}));
}

TEST_F(ReplayModes, KeysThatMeanNothingInTheModeAreRefused) {
  const ProgramEnd think = run({"replay.think_time=2s"});
  EXPECT_EQ(think.exit_code, to_int(ExitCode::input));
  EXPECT_THAT(think.error, HasSubstr("think_time: expected only where mode is \"think_time\""));
  const ProgramEnd speed = run({"replay.mode=at_once", "replay.speed=2"});
  EXPECT_EQ(speed.exit_code, to_int(ExitCode::input));
  EXPECT_THAT(speed.error, HasSubstr("speed: expected only where mode is \"trace\""));
}

// Half the machines are one, of one processor; job 3, of two, becomes one of one.
TEST_F(ReplayModes, OfAScaleThatKeepsTheLoadTheTableShowsWhatChanged) {
  const ProgramEnd end = run({"scale.machines=2", "scale.tasks=2", "scale.keep_load=stretch"});
  ASSERT_EQ(end.exit_code, 0) << end.error;
  EXPECT_THAT(end.out, HasSubstr("Scaled: machines ÷ 2, "));
  const RunDescription record = RunFolder::load(runs() / "fcfs").description;
  EXPECT_EQ(record.machines.size(), 1u);
  // Work was 65 processor-seconds of two, and is 55 of one: 55 / 32.5 times the load, if the gaps
  // stayed.
  EXPECT_THAT(record.scale, Contains(Pair("stretch", ::testing::StartsWith("1.692307"))));
  EXPECT_THAT(
      record.scale_effects,
      Contains(Pair("load of vcores", ::testing::StartsWith("5.41667 before, 5.41667 after"))));
  EXPECT_THAT(record.scale_effects,
              Contains(Pair("tasks of a job, mean",
                            "1.25 before, 1 after, 0.625 by the factors alone (+60.0 %)")));
  EXPECT_THAT(record.scale_effects,
              Contains(Pair("tasks of a job, p99", HasSubstr("2 before, 1"))));
}

TEST_F(ReplayModes, AScaleThatKeepsTheLoadByLeavingOutJobsMeasuresWhatRoundingDoes) {
  const ProgramEnd end = run({"scale.machines=2", "scale.tasks=2", "scale.keep_load=thin"});
  ASSERT_EQ(end.exit_code, 0) << end.error;
  EXPECT_THAT(RunFolder::load(runs() / "fcfs").description.scale,
              Contains(Pair("thin", ::testing::StartsWith("1.692307"))));
}

TEST_F(ReplayModes, AScaleThatCannotKeepTheLoadIsRefused) {
  const ProgramEnd both = run({"scale.machines=2", "scale.thin=2", "scale.keep_load=thin"});
  EXPECT_EQ(both.exit_code, to_int(ExitCode::input));
  EXPECT_THAT(both.error, HasSubstr("got both"));
  const ProgramEnd lower = run({"scale.stretch=4", "scale.keep_load=thin"});
  EXPECT_EQ(lower.exit_code, to_int(ExitCode::input));
  EXPECT_THAT(lower.error, HasSubstr("can drop jobs, got factors that leave 0.25 of it"));
}

}  // namespace
}  // namespace tracebed
