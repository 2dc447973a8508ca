// A coordinator whose runs log to a Redis that goes away and comes back, and what they leave there.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <signal.h>

#include "coordinator/cli/program.h"
#include "coordinator/real/redis_round_log.h"
#include "coordinator/real/redis_runs.h"
#include "coordinator/real/served_redis.h"
#include "core/exit_codes.h"
#include "support/eventually.h"
#include "support/files.h"
#include "support/http.h"

namespace tracebed {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class CoordinatorsRedis : public ::testing::Test {
 protected:
  CoordinatorsRedis() { write_small_experiment(folder_); }

  void start() {
    const auto config = folder_.write(
        "coordinator.toml",
        fmt::format("state = \"{0}/state\"\ntraces = \"{0}\"\nlisten = \"ipc://{0}/agents\"\n"
                    "[redis]\naddress = \"{1}\"\n[metrics]\nport = 0\n",
                    folder_.path().string(), redis_.address()));
    daemon_ = std::make_unique<RunningProgram>(
        program_path("tracebed-coordinator"),
        std::vector<std::string>{"--config", config.string(), "--port", "0"});
    daemon_->wait_until([&] { return daemon_->out().ends_with('\n'); });
    const std::string line = daemon_->out();
    address_ = line.substr(line.rfind(' ') + 1);
    address_.pop_back();
  }
  void end() {
    daemon_->signal(SIGTERM);
    const ProgramEnd last = daemon_->wait();
    EXPECT_EQ(last.exit_code, 0) << last.error;
  }
  ProgramEnd ask(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--coordinator", address_});
    return tracebed_program(arguments);
  }
  json json_of(std::vector<std::string> arguments) const {
    arguments.push_back("--json");
    const ProgramEnd end = ask(arguments);
    EXPECT_EQ(end.exit_code, 0) << end.error;
    return json::parse(end.out);
  }
  json status(int run) const { return json_of({"status", std::to_string(run)}); }
  json ended(int run) const {
    json found;
    EXPECT_TRUE(eventually([&] {
      found = status(run);
      return found.at("ended_at") != 0;
    })) << found;
    return found;
  }
  std::uint16_t metrics_port() const {
    const std::string log = daemon_->error();
    constexpr std::string_view before = "metrics at http://127.0.0.1:";
    const std::size_t at = log.find(before);
    return at == std::string::npos
               ? 0
               : static_cast<std::uint16_t>(std::stoi(log.substr(at + before.size())));
  }
  std::string metrics() const { return test::http_get(metrics_port(), "/metrics"); }
  std::string owner() const {
    const std::string file = contents(folder_.path() / "state/owner");
    return file.substr(0, file.find('\n'));
  }
  // A run that needs Redis, and no agent registers for it.
  std::string on_cluster() const {
    return folder_
        .write("cluster.toml",
               "name = \"cluster\"\nworld = \"cluster\"\nschedulers = [\"fcfs\"]\n"
               "[trace]\nfile = \"${TRACEBED_TRACES}/small.swf\"\n[agents]\ntimeout = \"1ms\"\n"
               "[cluster]\nnodes = 2\nvcores = 1\nmemory = \"1 GiB\"\n")
        .string();
  }
  std::string modelled() const {
    return folder_
        .write("modelled.toml",
               "name = \"modelled\"\nworld = \"virtual\"\nrepetitions = 1\n"
               "schedulers = [\"fcfs\"]\n[trace]\nfile = \"${TRACEBED_TRACES}/small.swf\"\n"
               "[cluster]\nnodes = 2\nvcores = 1\nmemory = \"1 GiB\"\n")
        .string();
  }

  TemporaryFolder folder_;
  ServedRedis redis_{true};
  std::unique_ptr<RunningProgram> daemon_;
  std::string address_;
};

TEST_F(CoordinatorsRedis, RunsWaitForItAndNoneFailsForWantOfIt) {
  start();
  redis_.end(SIGKILL);
  ASSERT_EQ(ask({"submit", modelled()}).exit_code, 0);
  EXPECT_EQ(ended(1).at("state"), "finished") << "it needs no Redis";
  constexpr int last = 7;
  for (int run = 2; run <= last; ++run) ASSERT_EQ(ask({"submit", on_cluster()}).exit_code, 0);
  ASSERT_TRUE(eventually([&] { return status(2).at("waits_for") != ""; }));
  EXPECT_THAT(status(last).at("waits_for").get<std::string>(), HasSubstr("no Redis answers"));
  const json cluster = json_of({"cluster", "status"});
  EXPECT_THAT(cluster.at("paused_for").get<std::string>(), HasSubstr("no Redis answers"));
  EXPECT_EQ(cluster.at("waiting"), last - 1);
  EXPECT_THAT(ask({"cluster", "status"}).out, HasSubstr("THE QUEUE IS PAUSED: no Redis answers"));
  const std::string health = test::http_get(metrics_port(), "/health");
  EXPECT_THAT(health, HasSubstr(" 503 "));
  const json said = json::parse(test::http_body(health), nullptr, false);
  EXPECT_THAT(said.value("paused", ""), HasSubstr("no Redis"));
  EXPECT_EQ(said.value("disk", ""), "ok");
  EXPECT_THAT(metrics(), HasSubstr("\ntracebed_queue_paused 1\n"));
  redis_.start();
  for (int run = 2; run <= last; ++run) {
    EXPECT_THAT(ended(run).at("message").get<std::string>(), HasSubstr("agents"));
  }
  EXPECT_THAT(metrics(), HasSubstr("\ntracebed_queue_paused 0\n"));
  end();
}

TEST_F(CoordinatorsRedis, WhatRunsLeftThereEndsWithTheirFolders) {
  start();
  RedisConnection connection(redis_.address());
  RedisRuns runs(connection);
  runs.add("strangers-run", {.owner = "lab0", .folder = "1/fcfs"});
  for (const int run : {1, 2, 3}) {
    ASSERT_EQ(ask({"submit", modelled()}).exit_code, 0);
    ended(run);
    const std::string id = fmt::format("replay-{}", run);
    runs.add(id, {.owner = owner(), .folder = fmt::format("{}/fcfs", run)});
    connection.ask({"HSET", redis_key(id, "job:0"), "name", "a job"});
  }
  const auto has_keys = [&](int run) {
    return connection.ask({"EXISTS", redis_key(fmt::format("replay-{}", run), "job:0")})->integer ==
           1;
  };
  ASSERT_EQ(ask({"delete", "1"}).exit_code, 0);
  EXPECT_TRUE(eventually([&] { return !runs.entries().contains("replay-1"); }));
  EXPECT_FALSE(has_keys(1));
  EXPECT_TRUE(has_keys(2) && has_keys(3));
  end();
  std::filesystem::remove_all(folder_.path() / "state/2");
  start();
  EXPECT_TRUE(eventually([&] { return !runs.entries().contains("replay-2"); }))
      << "its folder went while no coordinator was there";
  EXPECT_FALSE(has_keys(2));
  redis_.end(SIGTERM);
  ASSERT_EQ(ask({"delete", "3"}).exit_code, 0);
  end();
  redis_.start();
  start();
  RedisConnection later(redis_.address());
  EXPECT_TRUE(eventually([&] { return RedisRuns(later).entries().size() == 1; }))
      << "Redis was away when the folder was deleted";
  EXPECT_TRUE(RedisRuns(later).entries().contains("strangers-run"));
  end();
}

TEST_F(CoordinatorsRedis, TwoCoordinatorsThatShareItLeaveEachOthersRunsAlone) {
  start();
  RedisConnection connection(redis_.address());
  RedisRuns runs(connection);
  runs.add("replay-1", {.owner = owner(), .folder = "1/fcfs"});
  const std::string first = owner();
  end();
  runs.add("replay-2", {.owner = first, .folder = "1/fcfs"});
  std::filesystem::rename(folder_.path() / "state", folder_.path() / "moved");
  start();  // with another state folder, in which there is no run 1
  EXPECT_NE(owner(), first);
  runs.add("replay-3", {.owner = owner(), .folder = "1/fcfs"});
  ASSERT_EQ(ask({"submit", modelled()}).exit_code, 0);
  ended(1);
  ASSERT_EQ(ask({"delete", "1"}).exit_code, 0);
  EXPECT_TRUE(eventually([&] { return !runs.entries().contains("replay-3"); }));
  EXPECT_TRUE(runs.entries().contains("replay-2"));
  end();
}

TEST_F(CoordinatorsRedis, AFileThatNamesNoOwnerIsRefused) {
  folder_.write("state/owner", "me\n");
  const auto config = folder_.write("coordinator.toml",
                                    fmt::format("state = \"{}/state\"\n[redis]\naddress = \"{}\"\n",
                                                folder_.path().string(), redis_.address()));
  RunningProgram program(program_path("tracebed-coordinator"), {"--config", config.string()});
  const ProgramEnd refused = program.wait();
  EXPECT_EQ(refused.exit_code, to_int(ExitCode::environment));
  EXPECT_THAT(refused.error, HasSubstr("state/owner: expected 16 hexadecimal digits"));
}

}  // namespace
}  // namespace tracebed
