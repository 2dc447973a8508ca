#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "coordinator/cli/program.h"
#include "core/exit_codes.h"
#include "report/changed_folder.h"
#include "report/run_folder.h"
#include "support/files.h"

namespace tracebed {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class RunCommand : public ::testing::Test {
 protected:
  ProgramEnd run(const std::vector<std::string>& more, const std::string& output = "runs") {
    std::vector<std::string> arguments{"run", file_.string(), "--output",
                                       (folder_.path() / output).string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return tracebed_program(arguments);
  }
  std::string in_folder(const std::string& name) const { return (folder_.path() / name).string(); }

  TemporaryFolder folder_;
  std::filesystem::path file_ = write_small_experiment(folder_);
};

TEST_F(RunCommand, RunsEverySchedulerAndComparesThem) {
  const ProgramEnd end = run({"--details"});
  EXPECT_EQ(end.exit_code, 0) << end.error;
  EXPECT_THAT(end.out, HasSubstr("fcfs: complete after "));
  EXPECT_THAT(end.out, HasSubstr("binpack against fcfs"));
  EXPECT_THAT(end.out, HasSubstr("report: " + in_folder("runs/report.html")));
  for (const char* file : {"report.html", "comparison.json", "experiment.json", "fcfs/run.json",
                           "fcfs/jobs.csv", "fcfs/tasks.csv", "fcfs/rounds.log"}) {
    EXPECT_TRUE(std::filesystem::exists(folder_.path() / "runs" / file)) << file;
  }
  // By hand: under fcfs job 4 (submitted at 6) waits for 3, which starts when 2 ends at 30, and
  // runs 40 to 45. Binpack passes 3 over, so 4 runs from 10, when job 1 ends, to 15.
  const RunFolder fcfs = RunFolder::load(folder_.path() / "runs/fcfs");
  const RunFolder binpack = RunFolder::load(folder_.path() / "runs/binpack");
  ASSERT_EQ(fcfs.jobs.size(), 4u);
  EXPECT_EQ(fcfs.jobs[3].jct, seconds(39));
  EXPECT_EQ(binpack.jobs[3].jct, seconds(9));
}

TEST_F(RunCommand, PrintsJsonForPrograms) {
  const ProgramEnd end = run({"--json", "--repetitions", "2", "--seed", "5"});
  ASSERT_EQ(end.exit_code, 0) << end.error;
  const json result = json::parse(end.out);
  EXPECT_EQ(result.at("experiment"), "small");
  EXPECT_EQ(result.at("world"), "virtual");
  EXPECT_EQ(result.at("cancelled"), false);
  ASSERT_EQ(result.at("replays").size(), 4u);  // two schedulers, twice
  const json& first = result.at("replays")[0];
  EXPECT_EQ(first.at("scheduler"), "fcfs");
  EXPECT_EQ(first.at("repetition"), 1);
  EXPECT_EQ(first.at("seed"), 5);
  EXPECT_EQ(first.at("folder"), "fcfs/r1");
  EXPECT_EQ(first.at("outcome"), "complete");
  EXPECT_EQ(first.at("jobs_ended"), 4);
  EXPECT_EQ(first.at("digest").get<std::string>().size(), 32u);
  const json& third = result.at("replays")[2];
  EXPECT_EQ(third.at("folder"), "fcfs/r2");
  EXPECT_NE(third.at("seed"), 5);
  EXPECT_TRUE(result.at("comparison").is_object());
}

TEST_F(RunCommand, SaysWhichJobsWereRejectedAndFailsIfAllWere) {
  const char* small = "1 0 -1 10 1 -1 -1 1 20 -1 1 1 1 1 1 -1 -1 -1\n";
  const char* large =
      "2 0 -1 30 7 -1 -1 7 40 -1 1 1 1 1 1 -1 -1 -1\n"
      "3 0 -1 30 9 -1 -1 9 40 -1 1 1 1 1 1 -1 -1 -1\n";
  folder_.write("small.swf", std::string(small) + large);
  const ProgramEnd some = run({}, "some");
  EXPECT_EQ(some.exit_code, 0) << some.error;
  EXPECT_THAT(some.error, HasSubstr("warning: fcfs: 2 of 3 jobs were rejected: 2 × "));
  EXPECT_THAT(some.out, HasSubstr("note: fcfs: 2 of 3 jobs were rejected: 2 × "));
  const RunFolder folder = RunFolder::load(folder_.path() / "some/fcfs");
  ASSERT_EQ(folder.end.rejections.size(), 1u);
  EXPECT_EQ(folder.end.rejections[0].second, 2u);

  folder_.write("small.swf", large);
  const ProgramEnd all = run({"--json"}, "all");
  EXPECT_EQ(all.exit_code, to_int(ExitCode::none_succeeded)) << all.error;
  EXPECT_THAT(all.error, HasSubstr("warning: fcfs: all 2 jobs were rejected: 2 × "));
  const json first = json::parse(all.out).at("replays")[0];
  EXPECT_EQ(first.at("outcome"), "unsuccessful");
  EXPECT_EQ(first.at("rejections").begin().value(), 2);
}

// Every attempt touches more memory than its container has, so every job uses up its attempts.
TEST_F(RunCommand, FailsIfAllJobsDo) {
  const ProgramEnd end = run({"--json", "--set", "faults.exceeded_memory=1"}, "failing");
  EXPECT_EQ(end.exit_code, to_int(ExitCode::none_succeeded)) << end.error;
  EXPECT_THAT(end.error, HasSubstr(" jobs failed: "));
  const json first = json::parse(end.out).at("replays")[0];
  EXPECT_EQ(first.at("outcome"), "unsuccessful");
  EXPECT_THAT(first.at("reason").get<std::string>(), HasSubstr(" jobs failed: "));
  const RunFolder folder =
      RunFolder::load(folder_.path() / "failing" / first.at("folder").get<std::string>());
  EXPECT_FALSE(folder.end.failures.empty());
}

TEST_F(RunCommand, DecidesTheSameTwiceAndWithEveryInvariantRecomputed) {
  const json once = json::parse(run({"--json"}, "once").out);
  const json again = json::parse(run({"--json"}, "again").out);
  const json checked = json::parse(run({"--json", "--paranoid"}, "checked").out);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(once.at("replays")[i].at("digest"), again.at("replays")[i].at("digest"));
    EXPECT_EQ(once.at("replays")[i].at("digest"), checked.at("replays")[i].at("digest"));
  }
}

TEST_F(RunCommand, ChoosesSchedulersByLabelOrName) {
  file_ = write_small_experiment(folder_);
  const json result = json::parse(run({"--json", "--scheduler", "spread,fcfs"}).out);
  ASSERT_EQ(result.at("replays").size(), 2u);
  EXPECT_EQ(result.at("replays")[0].at("scheduler"), "spread");
  EXPECT_EQ(result.at("replays")[1].at("scheduler"), "fcfs");
}

TEST_F(RunCommand, NeverWritesOverARun) {
  ASSERT_EQ(run({}).exit_code, 0);
  const ProgramEnd end = run({});
  EXPECT_EQ(end.exit_code, to_int(ExitCode::environment));
  EXPECT_THAT(end.error, HasSubstr("fcfs already holds a run"));
}

TEST_F(RunCommand, ARunWhoseJobsCanNeverGoOnEndsAsStalled) {
  file_ = write_small_experiment(
      folder_,
      "node_expiry = \"1s\"\n[[cluster.change]]\nnode = \"node1\"\nat = \"1s\"\n"
      "state = \"down\"\n");
  const ProgramEnd end = run({"--scheduler", "fcfs"});
  EXPECT_EQ(end.exit_code, to_int(ExitCode::stalled)) << end.error;
  EXPECT_THAT(end.out, HasSubstr("fcfs: stalled after "));
  EXPECT_THAT(end.out, HasSubstr("\n  a gang larger than the cluster: job 2 must start 2 units "));
  EXPECT_THAT(end.out,
              HasSubstr("\n    1 job (first: job 2) waits: there is room for 1 of the 2 units"));
}

TEST_F(RunCommand, ABadRowAtTheEndOfTheTraceIsSaidBeforeTheFirstJob) {
  folder_.write("small.swf",
                "1 0 -1 10 1 -1 -1 1 20 -1 1 1 1 1 1 -1 -1 -1\n"
                "2 0 -1 thirty 1 -1 -1 1 40 -1 1 1 1 1 1 -1 -1 -1\n");
  const ProgramEnd end = run({});
  EXPECT_EQ(end.exit_code, to_int(ExitCode::input));
  EXPECT_THAT(end.error, HasSubstr("small.swf:2: "));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "runs"));
  const ProgramEnd skipped = run({"--set", "trace.bad_lines=skip"});
  EXPECT_EQ(skipped.exit_code, 0);
  const std::string warning = "warning: 1 bad rows of the trace were skipped";
  const std::size_t told = skipped.error.find(warning);
  ASSERT_NE(told, std::string::npos) << skipped.error;
  EXPECT_EQ(skipped.error.find(warning, told + 1), std::string::npos) << "once for all replays";
  const std::string counted = "1 bad rows of the trace were skipped";
  EXPECT_THAT(RunFolder::load(folder_.path() / "runs/fcfs").end.warnings,
              ::testing::Contains(counted));
  EXPECT_THAT(contents(folder_.path() / "runs/report.html"), HasSubstr(counted));
}

TEST_F(RunCommand, RecordsTheRulesOfTheTraceThatWereSet) {
  ASSERT_EQ(run({"--scheduler", "fcfs", "--set", "trace.rules.swf.limit_factor=3", "--set",
                 "trace.rules.trace.order=any"})
                .exit_code,
            0);
  const RunDescription record = RunFolder::load(folder_.path() / "runs/fcfs").description;
  EXPECT_THAT(record.rules, ::testing::Contains(NamedText("swf.limit_factor", "3")));
  EXPECT_THAT(record.rules, ::testing::Contains(NamedText("trace.order", "any")));
  EXPECT_THAT(record.rules, ::testing::Contains(NamedText("swf.memory", "requested")));
}

TEST_F(RunCommand, ARecordHasTheFactorsOfTheScaleApartFromWhatTheyDo) {
  ASSERT_EQ(run({"--scheduler", "fcfs", "--set", "scale.cpu=2"}).exit_code, 0);
  const RunDescription record = RunFolder::load(folder_.path() / "runs/fcfs").description;
  EXPECT_EQ(record.scale.size(), 7u);  // all but that of time
  EXPECT_THAT(record.scale, ::testing::Contains(NamedText("cpu", "2")));
  EXPECT_THAT(record.scale_effects,
              ::testing::Contains(::testing::Pair("cpu ÷ 2, stays", HasSubstr("load of vcores"))));
}

TEST_F(RunCommand, ARecordedRunDecidesAgainToItsOwnDigest) {
  ASSERT_EQ(run({}).exit_code, 0);
  const ProgramEnd end = tracebed_program({"replay-log", "--json", in_folder("runs")});
  EXPECT_EQ(end.exit_code, 0) << end.error;
  const json result = json::parse(end.out);
  ASSERT_EQ(result.size(), 2u);
  EXPECT_EQ(result[0].at("agrees"), true);
  EXPECT_EQ(result[0].at("digest"), result[0].at("recorded_digest"));
  EXPECT_EQ(result[0].at("jobs_ended"), 4);
}

TEST_F(RunCommand, ALogOfAnotherRunDoesNotAgree) {
  ASSERT_EQ(run({}).exit_code, 0);
  std::filesystem::copy_file(folder_.path() / "runs/fcfs/run.json",
                             folder_.path() / "runs/binpack/run.json",
                             std::filesystem::copy_options::overwrite_existing);
  const ProgramEnd unlisted = tracebed_program({"replay-log", in_folder("runs/binpack")});
  EXPECT_EQ(unlisted.exit_code, to_int(ExitCode::input)) << "its files are not those of fcfs";
  list_anew(folder_.path() / "runs/binpack");
  const ProgramEnd same = tracebed_program({"replay-log", in_folder("runs/fcfs")});
  EXPECT_EQ(same.exit_code, 0) << same.error;
  // binpack's rounds, decided by fcfs: other containers end than were launched.
  const ProgramEnd other = tracebed_program({"replay-log", in_folder("runs/binpack")});
  EXPECT_NE(other.exit_code, 0);
}

TEST_F(RunCommand, ALogThatWasCutOffIsNotCalledEqual) {
  ASSERT_EQ(run({}).exit_code, 0);
  const std::filesystem::path log = folder_.path() / "runs/fcfs/rounds.log";
  std::filesystem::resize_file(log, std::filesystem::file_size(log) - 3);
  const ProgramEnd unlisted = tracebed_program({"replay-log", in_folder("runs/fcfs")});
  EXPECT_EQ(unlisted.exit_code, to_int(ExitCode::input));
  EXPECT_THAT(unlisted.error, HasSubstr("rounds.log: expected "));
  list_anew(folder_.path() / "runs/fcfs");
  const ProgramEnd end = tracebed_program({"replay-log", in_folder("runs/fcfs")});
  EXPECT_EQ(end.exit_code, to_int(ExitCode::run_failed)) << end.error;
  EXPECT_THAT(end.out, HasSubstr("the log ends early"));
}

TEST_F(RunCommand, ARunWithoutALogCannotBeDecidedAgain) {
  ASSERT_EQ(run({"--set", "log.keep=false"}).exit_code, 0);
  const ProgramEnd end = tracebed_program({"replay-log", in_folder("runs/fcfs")});
  EXPECT_EQ(end.exit_code, to_int(ExitCode::input));
  EXPECT_THAT(end.error, HasSubstr("the run was made with log.keep = false"));
}

TEST_F(RunCommand, ComparesRunsOfSeveralExperiments) {
  ASSERT_EQ(run({"--scheduler", "fcfs"}, "a").exit_code, 0);
  ASSERT_EQ(run({"--scheduler", "spread"}, "b").exit_code, 0);
  const ProgramEnd end =
      tracebed_program({"compare", in_folder("a"), in_folder("b/spread"), "--baseline", "spread",
                        "--output", in_folder("c"), "--details"});
  EXPECT_EQ(end.exit_code, 0) << end.error;
  EXPECT_THAT(end.out, HasSubstr("fcfs against spread"));
  EXPECT_TRUE(std::filesystem::exists(folder_.path() / "c/report.html"));
}

TEST_F(RunCommand, FindsTracesThroughTheEnvironment) {
  const std::string setting = "trace.file=${TRACEBED_TRACES}/small.swf";
  const ProgramEnd without = run({"--set", setting});
  EXPECT_EQ(without.exit_code, to_int(ExitCode::input));
  EXPECT_THAT(without.error, HasSubstr("needs the environment variable TRACEBED_TRACES"));
  const ProgramEnd with =
      tracebed_program({"run", file_.string(), "--output", in_folder("runs"), "--set", setting},
                       {"TRACEBED_TRACES=" + folder_.path().string()});
  EXPECT_EQ(with.exit_code, 0) << with.error;
}

}  // namespace
}  // namespace tracebed
