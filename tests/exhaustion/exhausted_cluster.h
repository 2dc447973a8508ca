// A long-running cluster on which a run is in progress while something is taken from it.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>

#include "coordinator/cli/local_run.h"
#include "coordinator/cli/long_running_cluster.h"
#include "report/run_folder.h"
#include "support/eventually.h"

namespace tracebed {

class ExhaustedCluster : public testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "cgroups can be written by root only";
  }
  void start(int agents, const std::string& limit = {}) {
    cluster_.emplace(name_, run_.folder(), agents, LongRunningOptions{.limit = limit});
  }

  // `tracebed run --on cluster` of as many jobs; ends when the run has ended.
  std::vector<std::string> arguments(int jobs, int seconds_each,
                                     const std::vector<std::string>& settings = {}) {
    std::vector<std::string> words = run_.arguments(jobs, seconds_each);
    words[3] = (run_.folder() / fmt::format("runs-{}", ++runs_)).string();
    words.insert(words.end(), {"--on", "cluster"});
    const std::vector<std::string> flags = cluster_->client_flags();
    words.insert(words.end(), flags.begin(), flags.end());
    for (const std::string& setting : settings) words.insert(words.end(), {"--set", setting});
    return words;
  }
  std::filesystem::path last_runs() const { return run_.folder() / fmt::format("runs-{}", runs_); }
  nlohmann::json status() const {
    return nlohmann::json::parse(cluster_->ask({"cluster", "status", "--json"}).out);
  }
  // Of the last run, when its coordinator was asked.
  int containers() const {
    const auto run = nlohmann::json::parse(
        cluster_->ask({"status", std::to_string(runs_), "--json"}).out, nullptr, false);
    return run.contains("progress") ? run.at("progress").at("containers").get<int>() : 0;
  }
  // The run ended with every task having succeeded, and its log decides the same.
  RunFolder expect_whole(RunningProgram& client, std::size_t jobs) {
    const ProgramEnd end = client.wait();
    EXPECT_EQ(end.exit_code, 0) << end.error << cluster_->coordinator().error();
    RunFolder folder = RunFolder::load(last_runs() / "fifo");
    EXPECT_EQ(folder.metrics().succeeded, jobs);
    EXPECT_EQ(tracebed_program({"replay-log", last_runs().string()}).exit_code, 0);
    return folder;
  }
  static std::map<std::string, std::uint64_t> counters_of(const RunFolder& folder) {
    return {folder.end.counters.begin(), folder.end.counters.end()};
  }

  const std::string name_ = "exhaustion-test-" + std::to_string(::getpid());
  LocalRun run_{name_};
  std::optional<LongRunningCluster> cluster_;
  int runs_ = 0;
};

}  // namespace tracebed
