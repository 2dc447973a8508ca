// Experiments on a cluster that stands, as a user runs them from another machine.
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <signal.h>
#include <unistd.h>

#include "coordinator/cli/local_run.h"
#include "coordinator/cli/long_running_cluster.h"
#include "core/exit_codes.h"
#include "daemon/exposition.h"
#include "report/run_folder.h"
#include "support/eventually.h"
#include "support/files.h"

namespace tracebed {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class Cluster : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "cgroups can be written by root only";
    cluster_.emplace(name_, run_.folder(), 2);
  }
  // `tracebed run --on cluster` of as many jobs, with more flags.
  std::vector<std::string> arguments(int jobs, int seconds_each,
                                     const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = run_.arguments(jobs, seconds_each);
    words.insert(words.end(), {"--on", "cluster"});
    const std::vector<std::string> flags = cluster_->client_flags();
    words.insert(words.end(), flags.begin(), flags.end());
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  json status() const { return json::parse(cluster_->ask({"cluster", "status", "--json"}).out); }
  int containers() const {
    const json state = status();
    int count = 0;
    for (const json& agent : state.at("agents")) count += agent.at("containers").get<int>();
    return count;
  }

  const std::string name_ = "cluster-test-" + std::to_string(::getpid());
  LocalRun run_{name_};
  std::optional<LongRunningCluster> cluster_;
};

TEST_F(Cluster, RunsAnExperimentAndItsFolderComesBack) {
  RunningProgram client(program_path("tracebed"), arguments(12, 20));
  ASSERT_TRUE(eventually([&] { return containers() > 0; })) << client.error();
  const json during = status();
  EXPECT_TRUE(during.at("is_in_run"));
  EXPECT_EQ(during.at("running").at("run"), 1);
  EXPECT_EQ(during.at("running").at("progress").at("jobs"), 12);
  for (const json& agent : during.at("agents")) {
    EXPECT_TRUE(agent.at("is_alive")) << agent;
    EXPECT_THAT(agent.at("isolation").get<std::string>(), ::testing::StartsWith("cgroup-v"));
  }
  const test::Exposition figures = test::read_exposition(cluster_->coordinator_metrics());
  EXPECT_THAT(figures.faults, IsEmpty());
  EXPECT_EQ(figures.samples.at("tracebed_runs{state=\"running\"}"), 1);
  EXPECT_EQ(figures.samples.at("tracebed_agent_up{agent=\"lab1\"}"), 1);
  EXPECT_EQ(figures.samples.at("tracebed_run_jobs"), 12);

  const ProgramEnd end = client.wait();
  ASSERT_EQ(end.exit_code, 0) << end.error;
  EXPECT_THAT(end.out, StartsWith("fifo in the cluster world: 12 jobs succeeded"));
  const RunFolder folder = RunFolder::load(run_.runs() / "fifo");
  EXPECT_EQ(folder.metrics().succeeded, 12u);
  EXPECT_TRUE(std::filesystem::exists(run_.runs() / "report.html"));
  EXPECT_EQ(tracebed_program({"replay-log", run_.runs().string()}).exit_code, 0);

  const test::Exposition agent = test::read_exposition(cluster_->agent_metrics(0));
  EXPECT_THAT(agent.faults, IsEmpty());
  const test::Exposition other = test::read_exposition(cluster_->agent_metrics(1));
  const std::string started = "tracebed_agent_containers_started_total";
  EXPECT_EQ(agent.samples.at(started) + other.samples.at(started), 12);
  EXPECT_EQ(agent.samples.at("tracebed_agent_registered"), 1);
  EXPECT_EQ(agent.samples.at("tracebed_agent_containers"), 0);
}

TEST_F(Cluster, TheBaselineRunsAgainstItselfAndMachinesReportTheirLoad) {
  const ProgramEnd end =
      RunningProgram(program_path("tracebed"),
                     arguments(12, 40, {"--noise", "--details", "--scheduler", "fifo", "spread"}))
          .wait();
  ASSERT_EQ(end.exit_code, 0) << end.error;
  EXPECT_THAT(end.out, HasSubstr("noise/fifo: complete"));
  EXPECT_THAT(end.out, HasSubstr("Noise: fifo against itself"));
  EXPECT_THAT(end.out, HasSubstr("the 2 machines' processors were busy for"));
  for (const char* folder : {"fifo", "spread", "noise/fifo"}) {
    const RunFolder run = RunFolder::load(run_.runs() / folder);
    EXPECT_EQ(run.metrics().succeeded, 12u);
    std::vector<std::string> machines;
    for (const MachineLoad& one : run.end.machine_loads) {
      machines.push_back(one.machine);
      EXPECT_GT(one.load.busy, 0);
      EXPECT_LE(one.load.busy + one.load.stolen, 1);
      EXPECT_LE(one.load.others, one.load.busy);
    }
    EXPECT_THAT(machines, ::testing::ElementsAre("lab1", "lab2"));
  }
}

TEST_F(Cluster, AnAgentWhoseKeyIsWithdrawnIsLostInMidRunAndBackWhenItIsGivenAgain) {
  // Jobs that outlast how long ZeroMQ lets a refused agent wait until it tries again.
  RunningProgram client(program_path("tracebed"),
                        arguments(12, 3'000, {"--set", "agents.lost_after=\"1s\""}));
  ASSERT_TRUE(eventually([&] { return containers() > 0; })) << client.error();
  cluster_->let_in({1});
  ASSERT_TRUE(eventually([&] { return !status().at("agents").at(1).at("is_alive"); }));
  EXPECT_TRUE(status().at("agents").at(0).at("is_alive"));
  cluster_->let_in({1, 2});
  ASSERT_TRUE(eventually([&] { return status().at("agents").at(1).at("is_alive").get<bool>(); }));
  client.signal(SIGINT);
  const ProgramEnd end = client.wait();
  ASSERT_EQ(end.exit_code, to_int(ExitCode::interrupted)) << end.error;
  const RunFolder folder = RunFolder::load(run_.runs() / "fifo");
  EXPECT_THAT(folder.end.counters, ::testing::Contains(::testing::Pair("agents_lost", 1u)));
  EXPECT_THAT(folder.end.counters, ::testing::Contains(::testing::Pair("agents_returned", 1u)));
  EXPECT_THAT(
      folder.end.warnings,
      ::testing::Contains(HasSubstr("agent lab2 was rejected: its key is no longer known")));
}

TEST_F(Cluster, AFileOfAgentsThatCannotBeReadChangesNothing) {
  std::ofstream(cluster_->agents_file()) << "lab1 = 3\n";
  cluster_->coordinator().signal(SIGHUP);
  cluster_->coordinator().wait_until(
      [&] { return cluster_->coordinator().error().find("is unchanged") != std::string::npos; });
  EXPECT_THAT(cluster_->coordinator().error(), HasSubstr("agents.toml"));
  // A run has each of its agents say Hello anew, and does not begin without one.
  const ProgramEnd end = tracebed_program(arguments(2, 10, {"--set", "agents.count=2"}));
  EXPECT_EQ(end.exit_code, 0) << end.error;
}

// Its schedulers are compared, so all have to replay the same jobs.
TEST_F(Cluster, ATraceThatChangesDuringAnExperimentEndsItAndItsFolderSaysSo) {
  RunningProgram client(program_path("tracebed"),
                        arguments(12, 20, {"--scheduler", "fifo", "spread"}));
  ASSERT_TRUE(eventually([&] { return containers() > 0; })) << client.error();
  const std::filesystem::path trace = run_.folder() / "jobs.swf";
  const std::string rows = contents(trace);
  std::ofstream(trace) << rows.substr(0, rows.size() / 2);
  const ProgramEnd end = client.wait();
  EXPECT_EQ(end.exit_code, to_int(ExitCode::input)) << end.error;
  EXPECT_THAT(end.error, HasSubstr("changed while it was in use"));
  EXPECT_EQ(RunFolder::load(run_.runs() / "fifo").metrics().succeeded, 12u);
  const RunFolder second = RunFolder::load(run_.runs() / "spread");
  EXPECT_EQ(second.end.outcome, RunOutcome::failed);
  EXPECT_THAT(second.end.reason, HasSubstr("changed while it was in use"));
}

TEST_F(Cluster, CtrlCEndsTheRunAndItsFolderStillComesBack) {
  RunningProgram client(program_path("tracebed"), arguments(12, 3'000));
  ASSERT_TRUE(eventually([&] { return containers() > 0; })) << client.error();
  client.signal(SIGINT);
  const ProgramEnd end = client.wait();
  EXPECT_EQ(end.exit_code, to_int(ExitCode::interrupted)) << end.error;
  EXPECT_THAT(end.error, HasSubstr("cancelling run 1"));
  EXPECT_THAT(end.out, HasSubstr("fifo: cancelled"));
  EXPECT_TRUE(std::filesystem::exists(run_.runs() / "report.html"));
  EXPECT_EQ(containers(), 0);
}

TEST_F(Cluster, ARunThatIsLeftGoesOnAndTheNextWaitsBehindIt) {
  RunningProgram client(program_path("tracebed"), arguments(12, 3'000));
  ASSERT_TRUE(eventually([&] { return containers() > 0; })) << client.error();
  client.signal(SIGTERM);
  const ProgramEnd left = client.wait();
  EXPECT_EQ(left.exit_code, to_int(ExitCode::interrupted));
  EXPECT_THAT(left.error, HasSubstr("tracebed fetch 1"));
  EXPECT_GT(containers(), 0);
  std::vector<std::string> words = arguments(2, 10);
  words[3] = (run_.folder() / "second").string();
  RunningProgram second(program_path("tracebed"), words);
  ASSERT_TRUE(eventually([&] { return status().at("waiting") == 1; }));
  second.wait_until([&] { return second.error().find("1 before it") != std::string::npos; });
  EXPECT_EQ(cluster_->ask({"cancel", "1"}).exit_code, 0);
  EXPECT_EQ(second.wait().exit_code, 0);
  const std::string output = (run_.folder() / "first").string();
  const ProgramEnd fetched = cluster_->ask({"fetch", "1", "--output", output});
  EXPECT_EQ(fetched.exit_code, 0) << fetched.error;
  EXPECT_TRUE(std::filesystem::exists(run_.folder() / "first/fifo/run.json"));
  EXPECT_EQ(cluster_->ask({"fetch", "1", "--output", output}).exit_code,
            to_int(ExitCode::environment));
}

TEST_F(Cluster, TellsWhatItsDaemonsHaveLogged) {
  ASSERT_TRUE(eventually([&] {
    const std::string lab1 = cluster_->ask({"cluster", "logs", "lab1"}).out;
    return lab1.find("registered with tcp://127.0.0.1:") != std::string::npos;
  }));
  ASSERT_TRUE(eventually([&] {
    const std::string own = cluster_->ask({"cluster", "logs", "coordinator"}).out;
    return own.find("agents register at tcp://127.0.0.1:") != std::string::npos;
  }));
  const std::string all = cluster_->ask({"cluster", "logs", "--json"}).out;
  EXPECT_THAT(all, HasSubstr("\"daemon\": \"lab1\""));
  EXPECT_THAT(all, HasSubstr("\"daemon\": \"coordinator\""));
}

TEST_F(Cluster, MastersInContainersHaveKeysOfTheirOwn) {
  const std::vector<std::string> masters = {"--set", "am=container",
                                            "--set", "master_container.memory=4 GiB",
                                            "--set", "master_container.vcores=1",
                                            "--set", "master_container.heartbeat=1s"};
  const ProgramEnd end = RunningProgram(program_path("tracebed"), arguments(4, 10, masters)).wait();
  ASSERT_EQ(end.exit_code, 0) << end.error;
  const RunFolder folder = RunFolder::load(run_.runs() / "fifo");
  EXPECT_EQ(folder.metrics().succeeded, 4u);
  EXPECT_EQ(status().at("keys_refused"), 0);
}

TEST_F(Cluster, WithoutTheTokenNothingIsToldOrDone) {
  const std::vector<std::string> flags = cluster_->client_flags();
  const ProgramEnd end = tracebed_program({"cluster", "status", flags[0], flags[1]});
  EXPECT_EQ(end.exit_code, to_int(ExitCode::input));
  EXPECT_THAT(end.error, HasSubstr("requires a token"));
}

}  // namespace
}  // namespace tracebed
