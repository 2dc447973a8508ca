// Tasks of a cluster's runs fetch from each other, and compute on real data, through the shuffle
// servers that long-running agents start.
#include <csignal>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <unistd.h>

#include "coordinator/cli/local_run.h"
#include "coordinator/cli/long_running_cluster.h"
#include "coordinator/cli/shuffled_jobs.h"
#include "report/run_folder.h"
#include "support/eventually.h"

namespace tracebed {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

// One of each kernel that shuffles, and one that lasts until the test ends the run.
constexpr const char* kernel_jobs =
    "job,submit_seconds,kind,input_bytes,maps,reduces,vcores,memory_mib,user,queue,input_path\n"
    "words,0,wordcount,3000000,4,3,1,256,,,/tracebed/kernels/wordcount/1\n"
    "order,0,sort,2000000,3,2,1,256,,,/tracebed/kernels/sort/3\n"
    "endless,60,grep,9000000000,1,0,1,256,,,\n";

class ClusterShuffle : public testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "cgroups can be written by root only";
  }
  void start_cluster(int agents, std::vector<int> keep_outputs) {
    cluster_.emplace(
        name_, run_.folder(), agents,
        LongRunningOptions{.has_storage = true, .keep_outputs = std::move(keep_outputs)});
  }
  // Of these jobs on so many agents, which it waits for.
  std::filesystem::path experiment(const std::string& jobs, const std::string& tables,
                                   const std::string& storage, int agents,
                                   const std::string& wait = "60s") {
    std::ofstream(run_.folder() / "jobs.tsv") << jobs;
    std::ofstream(run_.experiment()) << fmt::format(R"(name = "{}"
world = "cluster"
schedulers = ["fifo"]
[trace]
file = "${{TRACEBED_TRACES}}/jobs.tsv"
{}[scale]
time = 10
cpu = 8
memory = 4
[storage]
shuffle = true
block_size = "1 MiB"
{}
[storage.namenode]
safemode = false
[agents]
count = {}
timeout = "{}"
lost_after = "60s"
)",
                                                    name_, tables, storage, agents, wait);
    return run_.experiment();
  }
  // `tracebed run --on cluster` of the jobs that shuffle, on so many agents.
  void run_jobs(int agents, const std::string& storage = {}, const std::string& wait = "60s") {
    std::vector<std::string> words{
        "run",      experiment(shuffled_jobs, shuffled_rules, storage, agents, wait),
        "--on",     "cluster",
        "--output", run_.runs()};
    const std::vector<std::string> flags = cluster_->client_flags();
    words.insert(words.end(), flags.begin(), flags.end());
    client_.emplace(program_path("tracebed"), words);
  }
  RunFolder finish() {
    const ProgramEnd end = client_->wait();
    EXPECT_EQ(end.exit_code, 0) << end.error << cluster_->coordinator().error();
    expect_nothing_kept();
    RunFolder run = RunFolder::load(folder());
    EXPECT_EQ(run.metrics().succeeded, 2u) << end.error;
    EXPECT_EQ(fetched_bytes(folder()), shuffled_bytes);
    EXPECT_THAT(run.end.warnings, testing::Not(Contains(HasSubstr("did not confirm the end"))));
    EXPECT_EQ(tracebed_program({"replay-log", folder().string()}).exit_code, 0);
    return run;
  }
  void expect_nothing_kept() {
    for (std::size_t agent = 0; agent < agents(); ++agent) {
      EXPECT_TRUE(eventually([&] { return cluster_->outputs_of_runs(agent).empty(); }));
      EXPECT_THAT(cluster_->outputs_of_runs(agent), IsEmpty());
      EXPECT_THAT(run_.processes(cluster_->agent(agent).id(), "tracebed-shuffle"), IsEmpty());
    }
  }
  // Whole ones: RUN/JOB/CONTAINER.
  bool has_outputs(std::size_t agent) const {
    std::error_code ignored;
    std::filesystem::recursive_directory_iterator at(cluster_->outputs_folder(agent), ignored);
    for (const std::filesystem::recursive_directory_iterator end; !ignored && at != end;
         at.increment(ignored)) {
      const bool is_job = at->path().parent_path().filename() != "unfinished";
      if (at.depth() == 2 && is_job) return true;
    }
    return false;
  }
  nlohmann::json agents_now() const {
    return nlohmann::json::parse(cluster_->ask({"cluster", "status", "--json"}).out).at("agents");
  }
  std::size_t agents() const { return agents_now().size(); }
  std::filesystem::path folder() const { return run_.runs() / "fifo"; }

  const std::string name_ = "cluster-shuffle-" + std::to_string(::getpid());
  LocalRun run_{name_};
  std::optional<LongRunningCluster> cluster_;
  std::optional<RunningProgram> client_;
};

// The second run begins where the first has left nothing.
TEST_F(ClusterShuffle, FetchesWhatTheTraceHasRunAfterRun) {
  start_cluster(3, {1, 2, 3});
  run_jobs(3);
  finish();
  std::filesystem::remove_all(run_.runs());
  run_jobs(3);
  const RunFolder run = finish();
  EXPECT_GT(fetched_bytes(folder(), "bytes_shuffle_rack_local"), 0);
  EXPECT_THAT(run.end.warnings, testing::Not(Contains(HasSubstr("left out"))));
}

TEST_F(ClusterShuffle, LeavesOutAnAgentThatKeepsNoOutputsAndNamesIt) {
  start_cluster(3, {1, 3});
  run_jobs(2);
  const RunFolder run = finish();
  EXPECT_THAT(run.end.warnings, Contains(StartsWith("agent lab2 is left out: ")));
  EXPECT_THAT(run.end.warnings, testing::Not(Contains(HasSubstr("lab2 registered after"))));
  std::set<std::string> nodes;
  for (const CsvRow& row : csv_rows(folder() / "tasks.csv")) nodes.insert(row.at("node"));
  EXPECT_THAT(nodes, testing::ElementsAre("lab1", "lab3"));
  const nlohmann::json now = agents_now();
  EXPECT_FALSE(now.at(1).at("keeps_outputs").get<bool>());
  EXPECT_TRUE(now.at(2).at("keeps_outputs").get<bool>());

  std::filesystem::remove_all(run_.runs());
  run_jobs(3, {}, "1s");
  const ProgramEnd end = client_->wait();
  EXPECT_NE(end.exit_code, 0);
  EXPECT_THAT(end.error, HasSubstr("got 2: lab1, lab3; agent lab2 has no [shuffle]"));
}

TEST_F(ClusterShuffle, IsRefusedWhereNoAgentKeepsOutputs) {
  start_cluster(1, {});
  run_jobs(1, {}, "1s");
  const ProgramEnd end = client_->wait();
  EXPECT_NE(end.exit_code, 0);
  EXPECT_THAT(end.error, HasSubstr("got 0: ; agent lab1 has no [shuffle] in its agent.toml"));
}

// Its tasks are with the launcher meanwhile, and its successor serves what it kept.
TEST_F(ClusterShuffle, GoesOnWithWhatAnAgentKeptThatWasKilled) {
  start_cluster(2, {1, 2});
  run_jobs(2, "network_rate = \"200 kB/s\"\ndisk_rate = \"unlimited\"\n");
  ASSERT_TRUE(eventually([&] { return has_outputs(0); }))
      << client_->error() << cluster_->agent(0).error();
  cluster_->restart_agent(0);
  const RunFolder run = finish();
  EXPECT_THAT(run.end.counters, Contains(testing::Pair("agents_lost", 0u)));
}

TEST_F(ClusterShuffle, RemovesWhatWasKeptInRunsThatDied) {
  start_cluster(1, {1});
  std::filesystem::create_directories(cluster_->outputs_folder(0) / "run-of-yesterday/3");
  cluster_->restart_agent(0);
  EXPECT_TRUE(eventually([&] { return cluster_->outputs_of_runs(0).empty(); }))
      << cluster_->agent(0).error();
}

TEST_F(ClusterShuffle, WritesWhatKernelsMustMakeOfTheirInput) {
  start_cluster(3, {1, 2, 3});
  const auto file = experiment(kernel_jobs, {}, "output_replication = 2\n", 3);
  const ProgramEnd submitted = cluster_->ask({"submit", file});
  ASSERT_EQ(submitted.exit_code, 0) << submitted.error;
  const std::vector<std::string> inputs = {"wordcount/1", "sort/3"};
  for (std::size_t job = 0; job < inputs.size(); ++job) {
    const std::string output = fmt::format("/tracebed/{}/output", job);
    ProgramEnd checked;
    // Until the job has ended it is wrong by that.
    EXPECT_TRUE(eventually([&] {
      checked = tracebed_program({"storage", "check", "/tracebed/kernels/" + inputs[job], output,
                                  "--namenode", cluster_->namenode()});
      return checked.exit_code == 0;
    })) << checked.out
        << checked.error << cluster_->ask({"status", "1"}).out;
    EXPECT_THAT(checked.out, StartsWith(output + ": right ("));
  }
  EXPECT_EQ(cluster_->ask({"cancel", "1"}).exit_code, 0);
  expect_nothing_kept();
}

}  // namespace
}  // namespace tracebed
