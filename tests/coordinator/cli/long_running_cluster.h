// A cluster on this machine as the playbooks make one of hosts: a coordinator with keys and a
// token, and long-running agents, each with a launcher that it did not start.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "coordinator/cli/program.h"

namespace tracebed {

struct LongRunningOptions {
  std::string limit = {};    // under which each daemon runs, as limited_program() takes it
  bool has_storage = false;  // the coordinator serves HDFS, and each agent has a datanode
  std::vector<int> keep_outputs = {};  // agents with [shuffle]
};

class LongRunningCluster {
 public:
  // `name` is this cluster's own on this machine; traces of experiments lie in `traces`.
  LongRunningCluster(std::string name, const std::filesystem::path& traces, int agents,
                     LongRunningOptions options = {});
  // Ends datanodes, agents, launchers and then the coordinator, as a shutdown does.
  ~LongRunningCluster();
  LongRunningCluster(const LongRunningCluster&) = delete;
  LongRunningCluster& operator=(const LongRunningCluster&) = delete;

  // `tracebed` with these arguments and those that say where the coordinator is.
  ProgramEnd ask(std::vector<std::string> arguments) const;
  std::vector<std::string> client_flags() const;
  // What a daemon tells to Prometheus; empty if it does not answer.
  std::string coordinator_metrics() const { return metrics_of(*coordinator_); }
  std::string agent_metrics(std::size_t agent) const { return metrics_of(*agents_[agent]); }

  // Writes the file of agents that may connect anew, with these alone, and has the coordinator read
  // it again.
  void let_in(const std::vector<int>& agents);
  // Where that file is.
  std::string agents_file() const { return folder_.file("agents.toml"); }

  // Of the coordinator: where clients and where monitors connect.
  std::uint16_t control_port() const;
  std::uint16_t metrics_port() const { return port_of_metrics(*coordinator_); }

  RunningProgram& coordinator() { return *coordinator_; }
  RunningProgram& agent(std::size_t number) { return *agents_[number]; }
  // The agent ends at once, and another takes its place.
  void restart_agent(std::size_t number);
  // Where the namenode of a run with storage is.
  const std::string& namenode() const { return namenode_; }
  // Where the agent keeps what tasks fetch, and of which runs it has something there.
  std::filesystem::path outputs_folder(std::size_t number) const;
  std::vector<std::string> outputs_of_runs(std::size_t number) const;
  pid_t launcher(std::size_t number) const { return launchers_[number]->id(); }

 private:
  void write_agents(const std::vector<int>& agents) const;
  std::string make_keys(const std::string& daemon) const;
  static std::uint16_t port_of_metrics(const RunningProgram& daemon);
  std::string metrics_of(const RunningProgram& daemon) const;
  void start_coordinator(const std::filesystem::path& traces, int agents);
  void start_agent(int number, const std::string& endpoint);
  void start_datanode(int number, const std::string& endpoint);
  std::string agent_config(int number) const;

  std::string name_;
  LongRunningOptions options_;
  TemporaryFolder folder_;
  std::string coordinator_key_;
  std::vector<std::string> agent_keys_;
  std::string address_;
  std::string namenode_;
  std::unique_ptr<RunningProgram> coordinator_;
  std::vector<std::unique_ptr<RunningProgram>> launchers_;
  std::vector<std::unique_ptr<RunningProgram>> agents_;
  std::vector<std::unique_ptr<RunningProgram>> datanodes_;
};

}  // namespace tracebed
