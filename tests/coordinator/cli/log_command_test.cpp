// `tracebed log show`, and where `tracebed replay-log` says that a run was decided differently.
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

#include "coordinator/cli/program.h"
#include "core/exit_codes.h"
#include "report/changed_folder.h"
#include "support/files.h"

namespace tracebed {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class LogCommand : public ::testing::Test {
 protected:
  void run(const std::string& schedulers = "fcfs,binpack",
           const std::string& compression = "zstd") {
    const ProgramEnd end = tracebed_program(
        {"run", file_.string(), "--quiet", "--scheduler", schedulers, "--output",
         (folder_.path() / "runs").string(), "--set", "log.compression=" + compression});
    ASSERT_EQ(end.exit_code, 0) << end.error;
  }
  std::string of(const std::string& scheduler) const {
    return (folder_.path() / "runs" / scheduler).string();
  }
  ProgramEnd show(const std::vector<std::string>& more,
                  const std::string& scheduler = "fcfs") const {
    std::vector<std::string> arguments{"log", "show", of(scheduler)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return tracebed_program(arguments);
  }
  static std::vector<json> objects(const ProgramEnd& end) {
    std::vector<json> list;
    std::istringstream lines(end.out);
    for (std::string line; std::getline(lines, line);) list.push_back(json::parse(line));
    return list;
  }
  // Has the run's record name another scheduler than the one that decided.
  void rename_scheduler(const std::string& from, const std::string& to) const {
    const std::filesystem::path file = std::filesystem::path(of(from)) / "run.json";
    std::ifstream stream(file);
    json record = json::parse(stream);
    record["scheduler"]["name"] = to;
    record["scheduler"]["settings"] = json::object();
    std::ofstream(file) << record.dump();
    list_anew(std::filesystem::path(of(from)));
  }

  TemporaryFolder folder_;
  std::filesystem::path file_ = write_small_experiment(folder_);
};

TEST_F(LogCommand, ShowsWhatArrivedInEachRound) {
  run();
  const ProgramEnd all = show({});
  ASSERT_EQ(all.exit_code, 0) << all.error;
  EXPECT_THAT(all.error, IsEmpty());
  EXPECT_THAT(all.out, HasSubstr("       1         0.000000 s  node_joined         node=node1"));
  EXPECT_THAT(all.out, HasSubstr("job_submitted       job=0 name=1 kind=rigid user=user1"));
  EXPECT_THAT(all.out, HasSubstr("requested_time=20.000000s"));
  EXPECT_THAT(all.out, HasSubstr("gang_ended          container=0 containers=1 end=succeeded"));
  EXPECT_THAT(all.out, Not(HasSubstr("launch"))) << "the log has what arrived";

  const std::vector<json> some = objects(show({"--from", "5s", "--until", "30s", "--json"}));
  ASSERT_THAT(some, Not(IsEmpty()));
  for (const json& fact : some) {
    EXPECT_GE(fact.at("at_us"), 5'000'000);
    EXPECT_LT(fact.at("at_us"), 30'000'000);
  }
  for (const json& fact : objects(show({"--node", "node2", "--json"}))) {
    EXPECT_EQ(fact.at("node"), "node2");
  }
}

TEST_F(LogCommand, ShowsTheLifeOfAJob) {
  run();
  const std::vector<json> facts = objects(show({"--job", "3", "--json"}));
  std::vector<std::string> what;
  for (const json& fact : facts) {
    what.push_back(fact.at("what"));
    EXPECT_EQ(fact.at("job"), 2) << "its name is 3";
  }
  EXPECT_EQ(what, (std::vector<std::string>{"job_submitted", "launch", "launch", "container_ended",
                                            "container_ended"}));
  const ProgramEnd unknown = show({"--job", "nobody"});
  EXPECT_EQ(unknown.exit_code, to_int(ExitCode::input));
  EXPECT_THAT(unknown.error, HasSubstr("no job has the number or name nobody"));
  const ProgramEnd nowhere = show({"--node", "node9"});
  EXPECT_EQ(nowhere.exit_code, to_int(ExitCode::input));
  EXPECT_THAT(nowhere.error, HasSubstr("no node has the name node9"));
}

TEST_F(LogCommand, ShowsWhatTheSchedulerMadeOfEachNode) {
  run("fcfs,weighted_priorities");
  const auto facts = objects(show({"--scores", "--decisions", "--json"}, "weighted_priorities"));
  std::size_t launched = 0;
  std::size_t chosen = 0;
  for (const json& fact : facts) {
    if (fact.at("what") == "launch") ++launched;
    if (fact.at("what") == "candidate") {
      if (fact.at("chosen")) ++chosen;
      EXPECT_TRUE(fact.at("sum").is_number()) << fact;
      EXPECT_TRUE(fact.contains("least_allocated")) << fact;
    }
    if (fact.at("what") == "excluded") {
      EXPECT_EQ(fact.at("fails"), "fits");
      EXPECT_EQ(fact.at("chosen"), false);
    }
  }
  EXPECT_GE(launched, 5u);  // of four jobs, one with two tasks
  EXPECT_EQ(chosen, launched);
  // The first job found two machines, the second what was left.
  const auto second = show({"--scores", "--job", "2", "--until", "1s"}, "weighted_priorities");
  EXPECT_THAT(second.out, HasSubstr("excluded            job=1 ask=1 node=node1 chosen=false "
                                    "fails=fits"));
  EXPECT_THAT(second.out, HasSubstr("candidate           job=1 ask=1 node=node2 chosen=true sum="));
  const ProgramEnd none = show({"--scores"});
  EXPECT_EQ(none.exit_code, 0);
  EXPECT_THAT(none.error, HasSubstr("the scheduler compared no nodes in these rounds"));
}

TEST_F(LogCommand, ShowsALogThatWasCutOffUpToWhereItIsGood) {
  std::string rows;
  for (int job = 1; job <= 9'000; ++job) {
    rows += fmt::format("{0} {0} -1 1 1 -1 -1 1 2 -1 1 1 1 1 1 -1 -1 -1\n", job);
  }
  folder_.write("small.swf", rows);
  for (const char* compression : {"none", "zstd"}) {
    SCOPED_TRACE(compression);
    std::filesystem::remove_all(folder_.path() / "runs");
    run("fcfs", compression);
    const std::filesystem::path log = std::filesystem::path(of("fcfs")) / "rounds.log";
    // A compressed piece has a quarter of a megabyte of rounds: there is one, and a part of one.
    std::filesystem::resize_file(log, std::filesystem::file_size(log) - 1'000);
    const ProgramEnd end = show({});
    EXPECT_EQ(end.exit_code, 0);
    EXPECT_THAT(end.out, HasSubstr("name=3000 "));
    EXPECT_THAT(end.error, HasSubstr("the log is intact up to round "));
    EXPECT_THAT(end.error, HasSubstr(" and ends early: "));
  }
}

TEST_F(LogCommand, ReplayNamesTheFirstDecisionThatDiffers) {
  run();
  // Under fcfs job 3 (number 2) is the next to start, at 30 s; binpack has job 4 start at 10 s.
  rename_scheduler("fcfs", "binpack");
  const ProgramEnd more = tracebed_program({"replay-log", of("fcfs")});
  EXPECT_EQ(more.exit_code, to_int(ExitCode::run_failed)) << more.error;
  EXPECT_THAT(more.out, HasSubstr("decided differently from round "));
  EXPECT_THAT(more.out, HasSubstr(" on, at 10.000000 s\n"));
  EXPECT_THAT(more.out, HasSubstr("recorded: container 2 for job 2 on node1, at 30.000000 s, for "
                                  "stage 0, task 0, attempt 1\n"));
  EXPECT_THAT(more.out, HasSubstr("decided:  container 2 for job 3 on node1, at 10.000000 s, for "
                                  "stage 0, task 0, attempt 1\n"));

  // The other way round nothing is decided at 10 s.
  rename_scheduler("binpack", "fcfs");
  const ProgramEnd less = tracebed_program({"replay-log", of("binpack"), "--json"});
  EXPECT_EQ(less.exit_code, to_int(ExitCode::run_failed)) << less.error;
  const json difference = json::parse(less.out)[0].at("difference");
  EXPECT_EQ(difference.at("at_us"), 10'000'000);
  EXPECT_THAT(difference.at("recorded").get<std::string>(), HasSubstr("container 2 for job 3 on "));
  EXPECT_EQ(difference.at("decided"), "nothing more in this round");
}

TEST_F(LogCommand, ReplayAgreesWhereNothingWasChanged) {
  run();
  const ProgramEnd end = tracebed_program({"replay-log", of("fcfs"), of("binpack")});
  EXPECT_EQ(end.exit_code, 0) << end.out << end.error;
}

}  // namespace
}  // namespace tracebed
