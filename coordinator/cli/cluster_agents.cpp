#include "coordinator/cli/cluster_agents.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>

#include "coordinator/cli/coordinator_flag.h"
#include "coordinator/cli/json_output.h"
#include "coordinator/cli/text_output.h"
#include "coordinator/real/key_guard.h"
#include "core/input_error.h"
#include "system/token.h"

namespace tracebed {
namespace {

nlohmann::ordered_json datanode_to_json(const control::AgentStatus& agent) {
  if (!agent.__isset.datanode) return nullptr;
  const control::DatanodeStatus& datanode = agent.datanode;
  return {{"is_alive", datanode.is_alive},   {"is_in_run", datanode.is_in_run},
          {"address", datanode.address},     {"transfer_port", datanode.transfer_port},
          {"http_port", datanode.http_port}, {"software", datanode.software}};
}

std::string datanode_state(const control::AgentStatus& agent) {
  if (!agent.__isset.datanode) return "no datanode";
  if (!agent.datanode.is_alive) return "datanode LOST";
  return agent.datanode.is_in_run ? "datanode in run" : "datanode idle";
}

nlohmann::ordered_json to_json(const control::AgentStatus& agent) {
  return {{"name", agent.name},
          {"is_alive", agent.is_alive},
          {"has_launcher", agent.has_launcher},
          {"is_drained", agent.is_drained},
          {"is_waiting", agent.is_waiting},
          {"silent_seconds", static_cast<double>(agent.silent_nanoseconds) / 1e9},
          {"address", agent.address},
          {"rack", agent.rack},
          {"labels", agent.labels},
          {"milli_vcores", agent.milli_vcores},
          {"memory_mib", agent.memory_mib},
          {"isolation", agent.isolation},
          {"software", agent.software},
          {"containers", agent.containers},
          {"clock_ahead_milliseconds", static_cast<double>(agent.clock_ahead_nanoseconds) / 1e6},
          {"datanode", datanode_to_json(agent)},
          {"keeps_outputs", agent.keeps_outputs}};
}

// What matters most of an agent's state, in a word or two.
std::string state_of(const control::AgentStatus& agent) {
  if (!agent.is_alive) return agent.is_drained ? "LOST, drained" : "LOST";
  if (!agent.has_launcher) return "no launcher";
  if (agent.is_drained) return agent.containers > 0 ? "draining" : "drained";
  return agent.is_waiting ? "next run" : "there";
}

nlohmann::ordered_json to_json(const control::ClusterStatus& status) {
  nlohmann::ordered_json json{{"software", status.software},
                              {"endpoint", status.endpoint},
                              {"is_in_run", status.is_in_run},
                              {"agents_refused", status.agents_refused},
                              {"keys_refused", status.keys_refused},
                              {"waiting", status.waiting},
                              {"paused_for", status.paused_for},
                              {"redis", nullptr},
                              {"running", nullptr},
                              {"agents", nlohmann::ordered_json::array()}};
  if (!status.redis.empty()) {
    json["redis"] = {{"address", status.redis},         {"is_up", status.is_redis_up},
                     {"trouble", status.redis_trouble}, {"runs", status.redis_runs},
                     {"keys", status.redis_keys},       {"log_bytes", status.redis_log_bytes}};
  }
  if (status.__isset.running) json["running"] = tracebed::to_json(status.running);
  for (const control::AgentStatus& agent : status.agents) json["agents"].push_back(to_json(agent));
  return json;
}

void print(const control::ClusterStatus& status) {
  print_plain("coordinator {}, agents register at {}\n", status.software, status.endpoint);
  if (status.__isset.running) print_plain("{}\n", status_line(status.running));
  if (status.waiting > 0) print_plain("       {} more wait\n", status.waiting);
  if (!status.paused_for.empty()) print_plain("THE QUEUE IS PAUSED: {}\n", status.paused_for);
  if (!status.redis.empty() && !status.is_redis_up) {
    print_plain("REDIS IS DOWN: {}\n", status.redis_trouble);
  } else if (status.redis_runs > 0) {
    print_plain("Redis at {}: {} replays, {} keys, {:.1f} MiB of logs\n", status.redis,
                status.redis_runs, status.redis_keys,
                static_cast<double>(status.redis_log_bytes) / 1024 / 1024);
  }
  if (status.agents_refused > 0 || status.keys_refused > 0) {
    print_plain("refused: {} registrations, {} connections with unknown keys\n",
                status.agents_refused, status.keys_refused);
  }
  for (const control::AgentStatus& agent : status.agents) {
    print_plain(
        "{:<16}{:<14}{:<17}{:<14}{:>6.2f} vcores {:>8} MiB  {:<10} {}  last message {:.1f} s ago  "
        "clock "
        "{:+.1f} ms  {:>4} running  {}, {}  {}\n",
        agent.name, state_of(agent), agent.address, agent.rack,
        static_cast<double>(agent.milli_vcores) / 1e3, agent.memory_mib, agent.isolation,
        agent.software, static_cast<double>(agent.silent_nanoseconds) / 1e9,
        static_cast<double>(agent.clock_ahead_nanoseconds) / 1e6, agent.containers,
        datanode_state(agent), agent.keeps_outputs ? "shuffle" : "no shuffle",
        fmt::join(agent.labels, ","));
  }
}

}  // namespace

void add_cluster_status(CLI::App& cluster) {
  struct Flags {
    CoordinatorFlags coordinator;
    bool json = false;
  };
  const auto flags = std::make_shared<Flags>();
  CLI::App* command = cluster.add_subcommand(
      "status", "Show the agents of a coordinator: addresses, resources, versions, clocks");
  add_coordinator_flags(*command, flags->coordinator);
  command->add_flag("--json", flags->json, "Print as JSON");
  command->callback([flags] {
    const control::ClusterStatus status = connect_to(flags->coordinator).cluster();
    if (!status.has_agents) {
      throw EnvironmentError("the coordinator at " + flags->coordinator.address +
                             " does not listen for agents (listen)");
    }
    if (flags->json) {
      print_json(to_json(status));
    } else {
      print(status);
    }
  });
}

void add_make_token(CLI::App& cluster) {
  const auto file = std::make_shared<std::string>();
  CLI::App* command = cluster.add_subcommand(
      "make-token", "Create a token in a new file that only its owner can read");
  command->add_option("file", *file, "File to create")->required();
  command->callback([file] { make_token_file(*file); });
}

void add_make_keys(CLI::App& cluster) {
  const auto file = std::make_shared<std::string>();
  CLI::App* command = cluster.add_subcommand(
      "make-keys", "Create a daemon's keys in a new file that only its owner can read");
  command->add_option("file", *file, "File to create")->required();
  command->callback([file] {
    const KeyPair keys = make_key_pair();
    write_key_file(*file, keys);
    print_plain("{}\n", keys.public_key);
  });
}

}  // namespace tracebed
