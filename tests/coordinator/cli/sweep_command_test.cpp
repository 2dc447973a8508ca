// `tracebed sweep` as people use it: plans, runs that are killed, shards, tables.
#include <algorithm>
#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "coordinator/cli/program.h"
#include "core/exit_codes.h"
#include "support/files.h"

namespace tracebed {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;

class SweepCommand : public ::testing::Test {
 protected:
  // `jobs` decides how long a point takes.
  void write(const std::string& sweep, int jobs = 40) {
    std::string rows;
    for (int i = 1; i <= jobs; ++i) {
      rows += std::to_string(i) + " " + std::to_string(i) +
              " -1 3 1 -1 -1 1 20 -1 1 1 1 1 1 -1 -1 -1\n";
    }
    folder_.write("jobs.swf", rows);
    file_ = folder_
                .write("swept.toml",
                       "name = \"swept\"\nworld = \"virtual\"\nrepetitions = 2\n"
                       "schedulers = [\"fcfs\", \"fifo\"]\n"
                       "[trace]\nfile = \"jobs.swf\"\n"
                       "[cluster]\nnodes = 2\nvcores = 2\nmemory = \"2 GiB\"\n" +
                           sweep)
                .string();
  }
  std::string output(const std::string& name = "out") const { return folder_.file(name); }
  ProgramEnd run(const std::string& name, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{"sweep", "run", file_, "--output", output(name)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return tracebed_program(arguments);
  }
  static ProgramEnd collect(const std::string& folder, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"sweep", "collect", folder};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return tracebed_program(arguments);
  }
  std::size_t finished_points(const std::string& name) const {
    std::size_t points = 0;
    const std::filesystem::path folder = std::filesystem::path(output(name)) / "points";
    std::error_code error;
    for (auto at = std::filesystem::directory_iterator(folder, error);
         !error && at != std::filesystem::directory_iterator(); at.increment(error)) {
      ++points;
    }
    return points;
  }
  // When the record of each finished point was written.
  std::map<std::string, std::filesystem::file_time_type> records(const std::string& name) const {
    std::map<std::string, std::filesystem::file_time_type> times;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(output(name)) / "points")) {
      times[entry.path().filename()] =
          std::filesystem::last_write_time(entry.path() / "point.json");
    }
    return times;
  }

  TemporaryFolder folder_;
  std::string file_;
};

TEST_F(SweepCommand, PlansWithoutRunningAndKnowsNoTimeBeforeAPointHasFinished) {
  write(
      "[sweep]\ncluster.nodes = [2, 4]\nscheduler.fifo.maximum_allocation_mib = [0, "
      "2048]\n");
  const ProgramEnd plan = tracebed_program({"sweep", "plan", file_, "--output", output()});
  ASSERT_EQ(plan.exit_code, 0) << plan.error;
  EXPECT_THAT(plan.out, AllOf(HasSubstr("swept: 4 points"), HasSubstr("cluster.nodes"),
                              HasSubstr("time and disk: unknown, as none of the 4 points")));
  EXPECT_FALSE(std::filesystem::exists(output()));
  ASSERT_EQ(run("out", {"--shard", "1/2"}).exit_code, 0);
  const ProgramEnd judged = tracebed_program({"sweep", "plan", file_, "--output", output()});
  EXPECT_THAT(judged.out, HasSubstr("if they are like the 2 that have finished"));
  const json listed = json::parse(tracebed_program({"sweep", "plan", file_, "--json"}).out);
  EXPECT_EQ(listed.at("points").size(), 4U);
  EXPECT_EQ(listed["points"][3]["values"]["cluster.nodes"], 4);
}

TEST_F(SweepCommand, RunsEachPointOnceAndTellsTheBest) {
  write("[sweep]\ncluster.nodes = [1, 2]\n");
  const ProgramEnd first = run("out");
  ASSERT_EQ(first.exit_code, 0) << first.error;
  EXPECT_THAT(first.out, HasSubstr("2 of 2 points have finished, 2 of them now"));
  EXPECT_THAT(first.error, HasSubstr("40 jobs read once, for all points"));
  const auto before = records("out");
  const ProgramEnd second = run("out");
  EXPECT_THAT(second.out, HasSubstr("2 of 2 points have finished, 0 of them now"));
  EXPECT_EQ(records("out"), before);

  const json collected = json::parse(collect(output(), {"--json"}).out);
  ASSERT_EQ(collected.at("settings").size(), 4U);  // of two schedulers
  const json best = collected["settings"][collected["best"]["setting"].get<std::size_t>()];
  EXPECT_EQ(best.at("values").at("cluster.nodes"), 2);
  EXPECT_EQ(best.at("runs").size(), 2U);
  const ProgramEnd text = collect(output());
  EXPECT_THAT(text.out, AllOf(HasSubstr("response to cluster.nodes under fcfs"),
                              HasSubstr("best: "), HasSubstr("JCT mean (s), less is better")));
  const ProgramEnd csv = collect(output(), {"--csv"});
  EXPECT_THAT(csv.out,
              AllOf(HasSubstr("points,scheduler,cluster.nodes,seed,outcome,digest,jct_mean"),
                    HasSubstr("\n1,fcfs,1,")));
  EXPECT_EQ(std::count(csv.out.begin(), csv.out.end(), '\n'), 9);
  const ProgramEnd unknown = collect(output(), {"--figure", "jct_p96"});
  EXPECT_EQ(unknown.exit_code, to_int(ExitCode::input));
  EXPECT_THAT(unknown.error, HasSubstr("--figure: expected the key of a figure"));
}

// The page is one file with the data in it; a browser is not asked here.
TEST_F(SweepCommand, WritesTheReportAsOnePage) {
  write("[sweep]\ncluster.nodes = [1, 2]\nscheduler.fifo.maximum_allocation_mib = [0, 2048]\n");
  ASSERT_EQ(run("out", {"--shard", "1/2"}).exit_code, 0);
  const std::string file = output() + "/report.html";
  EXPECT_EQ(collect(output(), {"--no-report"}).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_THAT(collect(output()).out, HasSubstr("report: " + file));
  const auto data_of = [](const std::string& page) {
    const std::string begin = "<script type=\"application/json\" id=\"data\">";
    const std::size_t at = page.find(begin) + begin.size();
    return json::parse(page.substr(at, page.find("</script>", at) - at)).at("sweep");
  };
  const std::string page = contents(file);
  EXPECT_THAT(page, testing::StartsWith("<!doctype html>"));
  EXPECT_THAT(page, testing::Not(HasSubstr("@data@")));
  const json sweep = data_of(page);
  EXPECT_EQ(sweep, json::parse(collect(output(), {"--json", "--no-report"}).out));
  EXPECT_EQ(sweep.at("missing").size(), 2U);
  EXPECT_EQ(sweep["missing"][0]["why"], "not run");
  EXPECT_EQ(sweep["keys"][1]["values"], json({0, 2048}));
  ASSERT_EQ(run("out").exit_code, 0);
  const std::string other = output("other.html");
  ASSERT_EQ(collect(output(), {"--report", other}).exit_code, 0);
  EXPECT_TRUE(data_of(contents(other)).at("missing").empty());
  EXPECT_EQ(data_of(contents(other)).at("pairs").size(), 2U) << "of each scheduler";
  EXPECT_EQ(contents(file), page);
  EXPECT_EQ(collect(output(), {"--report", "/nowhere/at/all.html"}).exit_code,
            to_int(ExitCode::environment));
}

// The trace in its binary form, and a point's own document, change no decision.
TEST_F(SweepCommand, DecidesAsTheExperimentByItself) {
  write("[sweep]\nseed = [7]\n");
  ASSERT_EQ(run("out").exit_code, 0);
  const json collected = json::parse(collect(output(), {"--json"}).out);
  std::set<std::string> swept;
  for (const json& setting : collected.at("settings")) {
    for (const json& one : setting.at("runs")) swept.insert(one.at("digest"));
  }
  write("");
  const json alone = json::parse(
      tracebed_program({"run", file_, "--seed", "7", "--output", output("alone"), "--json"}).out);
  std::set<std::string> expected;
  for (const json& replay : alone.at("replays")) expected.insert(replay.at("digest"));
  EXPECT_EQ(swept, expected);
  EXPECT_FALSE(swept.empty());
}

TEST_F(SweepCommand, TakesPointsThatDifferInTheSeedForRepetitions) {
  write("[sweep]\nseed = [1, 2, 3]\ncluster.nodes = [2, 4]\n");
  ASSERT_EQ(run("out").exit_code, 0);
  const json collected = json::parse(collect(output(), {"--json"}).out);
  ASSERT_EQ(collected.at("settings").size(), 4U);
  EXPECT_EQ(collected["settings"][0].at("runs").size(), 6U);
  EXPECT_EQ(collected["settings"][0].at("points"), (json{1, 3, 5}));
}

// Each time another moment: when so many points are there.
TEST_F(SweepCommand, ThatIsKilledGoesOnWithWhatWasNotFinished) {
  write("[sweep]\ncluster.nodes = [1, 2, 3, 4, 5, 6]\n", 2'000);
  ASSERT_EQ(run("whole").exit_code, 0);
  const auto work = std::filesystem::path(output("killed")) / "work";
  for (const std::size_t points : {0U, 1U, 3U}) {
    RunningProgram program(program_path("tracebed"),
                           {"sweep", "run", file_, "--output", output("killed")});
    program.wait_until_or_end([&] {
      std::error_code error;
      return finished_points("killed") >= points && !std::filesystem::is_empty(work, error) &&
             !error;
    });
    program.signal(SIGKILL);
    program.wait();
  }
  const auto before = records("killed");
  // A point may end between the look at it and the kill, which may also hit between the record of a
  // point and the removal of what it worked with.
  bool was_begun = false;
  for (const auto& entry : std::filesystem::directory_iterator(work)) {
    was_begun |= !before.contains(entry.path().filename());
  }
  const ProgramEnd last = run("killed");
  ASSERT_EQ(last.exit_code, 0) << last.error;
  EXPECT_EQ(last.error.find("was begun and has not finished") != std::string::npos, was_begun)
      << last.error;
  for (const auto& [point, written] : before) EXPECT_EQ(records("killed").at(point), written);
  EXPECT_EQ(collect(output("killed"), {"--csv"}).out, collect(output("whole"), {"--csv"}).out);
  EXPECT_EQ(collect(output("killed"), {"--no-report"}).out,
            collect(output("whole"), {"--no-report"}).out);
  EXPECT_TRUE(std::filesystem::is_empty(work));
}

TEST_F(SweepCommand, IsOneSweepWhenShardsRunAtTheSameTime) {
  write("[sweep]\ncluster.nodes = [1, 2, 3, 4]\n", 400);
  ASSERT_EQ(run("whole").exit_code, 0);
  {
    const auto shard = [&](const std::string& which) {
      return std::make_unique<RunningProgram>(
          program_path("tracebed"), std::vector<std::string>{"sweep", "run", file_, "--output",
                                                             output("shards"), "--shard", which});
    };
    const auto first = shard("1/2");
    const auto second = shard("2/2");
    const auto again = shard("1/2");
    EXPECT_EQ(first->wait().exit_code, 0);
    EXPECT_EQ(second->wait().exit_code, 0);
    EXPECT_EQ(again->wait().exit_code, 0);
  }
  EXPECT_EQ(collect(output("shards"), {"--csv"}).out, collect(output("whole"), {"--csv"}).out);
}

TEST_F(SweepCommand, RefusesShardsOfAnotherPlan) {
  write("[sweep]\ncluster.nodes = [1, 2]\n");
  ASSERT_EQ(run("out", {"--shard", "1/2"}).exit_code, 0);
  write("[sweep]\ncluster.nodes = [1, 3]\n");
  const ProgramEnd refused = run("out", {"--shard", "2/2"});
  EXPECT_EQ(refused.exit_code, to_int(ExitCode::input));
  EXPECT_THAT(refused.error, AllOf(HasSubstr("holds the sweep of another plan"),
                                   HasSubstr("got cluster.nodes = [1, 3]")));
  // What both have is not run again.
  const ProgramEnd replaced = run("out", {"--replace-plan"});
  EXPECT_EQ(replaced.exit_code, 0) << replaced.error;
  EXPECT_THAT(replaced.out, HasSubstr("2 of 2 points have finished, 1 of them now"));
}

TEST_F(SweepCommand, NamesAPointThatFailsAndRunsTheOthers) {
  // That no job is in the window is found when the trace is read.
  write("[sweep]\ntrace.from = [\"0s\", \"10h\", \"5s\"]\n");
  for (int i = 0; i < 2; ++i) {
    const ProgramEnd end = run("out");
    EXPECT_EQ(end.exit_code, to_int(ExitCode::run_failed)) << end.error;
    EXPECT_THAT(end.out,
                AllOf(HasSubstr("2 of 3 points have finished"),
                      HasSubstr("failed: points 2; the next `sweep run` runs them again")));
    EXPECT_THAT(end.error, HasSubstr("point 2 (trace.from=10h) failed: its process ended with exit "
                                     "code 3: "));
    if (i == 0) continue;
    EXPECT_THAT(end.error, HasSubstr("failed when it ran last, and runs again"));
  }
  const ProgramEnd collected = collect(output());
  EXPECT_EQ(collected.exit_code, 0);
  EXPECT_THAT(collected.out, AllOf(HasSubstr("2 of 3 points have finished"),
                                   HasSubstr("point 2 (trace.from=10h): failed: ")));
}

// Two masters of 1536 MiB fill two machines before they ask for anything, and neither's task finds
// room.
TEST_F(SweepCommand, NamesTheKindOfStallOfAPointThatStalled) {
  write(
      "[sweep]\nam = [\"container\"]\nmaster_container.heartbeat = [\"5s\"]\n"
      "cluster.nodes = [2, 200]\n");
  const ProgramEnd end = run("out");
  ASSERT_EQ(end.exit_code, 0) << end.error;
  EXPECT_THAT(end.out, HasSubstr("2 of 2 points have finished, 2 of them now"));
  EXPECT_THAT(collect(output()).out, HasSubstr("2 stalled (deadlock of masters alone)"));
  const json collected = json::parse(collect(output(), {"--json"}).out);
  for (const json& setting : collected.at("settings")) {
    const bool is_small = setting.at("values").at("cluster.nodes") == 2;
    for (const json& one : setting.at("runs")) {
      EXPECT_EQ(one.at("outcome"), is_small ? "stalled" : "complete");
      EXPECT_EQ(one.value("stall", ""), is_small ? "masters_alone" : "");
    }
  }
}

TEST_F(SweepCommand, RefusesBadInputBeforeAnythingIsThere) {
  write("[sweep]\ncluster.nodes = [1, 0]\n");
  const ProgramEnd value = run("out");
  EXPECT_EQ(value.exit_code, to_int(ExitCode::input));
  EXPECT_THAT(value.error, HasSubstr(":12: cluster.nodes: expected a whole number"));
  write("[sweep]\ncluster.nodes = [1, 2]\n");
  const ProgramEnd limit = run("out", {"--limit", "1"});
  EXPECT_EQ(limit.exit_code, to_int(ExitCode::input));
  EXPECT_THAT(limit.error, HasSubstr("expected at most 1 points (--limit), got 2"));
  for (const char* shard : {"0/2", "3/2", "1", "1/0", "x/2", "1/2x"}) {
    EXPECT_EQ(run("out", {"--shard", shard}).exit_code, to_int(ExitCode::usage)) << shard;
  }
  EXPECT_FALSE(std::filesystem::exists(output()));
  EXPECT_EQ(collect(output()).exit_code, to_int(ExitCode::input));
}

}  // namespace
}  // namespace tracebed
