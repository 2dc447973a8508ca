// A cluster on this machine as the playbooks make one of hosts: a coordinator with keys and a
// token, and long-running agents, each with a launcher that it did not start.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "coordinator/cli/program.h"

namespace tracebed {

class LongRunningCluster {
 public:
  // `name` is this cluster's own on this machine; traces of experiments lie in `traces`. Each
  // daemon runs under `limit`, as limited_program() takes it.
  LongRunningCluster(std::string name, const std::filesystem::path& traces, int agents,
                     std::string limit = {});
  // Ends agents, then launchers, then the coordinator, as a shutdown does.
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
  pid_t launcher(std::size_t number) const { return launchers_[number]->id(); }

 private:
  void write_agents(const std::vector<int>& agents) const;
  std::string make_keys(const std::string& daemon) const;
  static std::uint16_t port_of_metrics(const RunningProgram& daemon);
  std::string metrics_of(const RunningProgram& daemon) const;
  void start_coordinator(const std::filesystem::path& traces, int agents);
  void start_agent(int number, const std::string& endpoint);

  std::string name_;
  std::string limit_;
  TemporaryFolder folder_;
  std::string coordinator_key_;
  std::vector<std::string> agent_keys_;
  std::string address_;
  std::unique_ptr<RunningProgram> coordinator_;
  std::vector<std::unique_ptr<RunningProgram>> launchers_;
  std::vector<std::unique_ptr<RunningProgram>> agents_;
};

}  // namespace tracebed
