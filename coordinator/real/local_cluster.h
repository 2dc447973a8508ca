// Agents on this machine, one process and one loopback address for each machine of the experiment.
// The agents start their launchers themselves, and receive their keys and the coordinator's
// endpoint through a pipe, which is their standard input. However this process ends, they end: each
// holds the reading end of a pipe whose writing end is here.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "coordinator/real/agent_death.h"
#include "coordinator/real/child_process.h"
#include "coordinator/real/local_storage_folder.h"
#include "coordinator/real/real_options.h"
#include "core/machines.h"
#include "core/resources.h"
#include "system/key_file.h"

namespace tracebed {

struct LocalClusterOptions {
  std::string run;
  std::string coordinator;                      // endpoint that agents connect to
  std::vector<LinkKeys> links;                  // their keys, in the order of the machines
  std::filesystem::path programs;               // folder of tracebed-agent and the others
  std::filesystem::path logs;                   // existing folder for the AGENT.log of each
  std::string isolation = "auto";               // cgroup: fail without cgroups; none: do not try
  bool oversubscribe = false;                   // capacities need not fit this machine
  const LocalStorageFolder* storage = nullptr;  // null without storage; else it outlives the agents
};

// What processes of this machine can have together: CPUs that this one may use, in thousandths, and
// memory in MiB.
Resources local_capacity();

// The folder of the running program.
std::filesystem::path own_programs();

// 127.0.1.1 and up.
std::string loopback_address(std::size_t agent);

// True if the machines fit into `capacity` together, in vcores and memory. Resources that this
// machine does not have (gpu, licences) are not limited. Throws EnvironmentError if they do not fit
// and oversubscription is not allowed.
bool fits_together(const std::vector<Machine>& machines, const Resources& capacity,
                   bool may_oversubscribe);

class LocalCluster {
 public:
  // Starts the agents. Throws EnvironmentError if a program is missing or the capacities do not
  // fit.
  LocalCluster(LocalClusterOptions options, std::vector<Machine> machines);
  // stop() without warnings.
  ~LocalCluster();
  LocalCluster(const LocalCluster&) = delete;
  LocalCluster& operator=(const LocalCluster&) = delete;

  // The machines need more than there is, which the options allowed; a run reports it.
  bool is_oversubscribed() const { return is_oversubscribed_; }
  pid_t agent(std::size_t index) const { return agents_[index].process->id(); }

  // Throws EnvironmentError if an agent's process has ended, with the end of its log. For
  // RealFleet::wait_for_agents.
  void look();

  // The machine fails: its agent is killed, and its launcher, which detects that, ends the
  // containers and itself. `comes_back` if bring_back() is to follow.
  void crash(std::size_t index, bool comes_back);
  // Another agent will be started there. find_deaths() does so as soon as nothing is left of the
  // previous one.
  void bring_back(std::size_t index);

  // Agents that ended since the last call. For RealFleet::watch.
  std::vector<AgentDeath> find_deaths();

  // Ends agents, launchers and containers, and removes the run's cgroups. Reports to `warn`
  // whatever had to be forced or failed. Only the first call has an effect.
  void stop(const Warn& warn);

 private:
  // What is left of a machine's agents.
  struct Agent {
    std::optional<ChildProcess> process;
    Lifeline lifeline;  // only the agent and its launcher have its reading end
    bool is_death_reported = false;
    bool comes_back = false;
    bool is_awaited = false;  // it is due to come back
  };

  void start_agent(std::size_t index);
  std::int64_t first_cpu_of(std::size_t index) const;
  void sweep(const Warn& warn);
  std::filesystem::path log_of(std::size_t index) const;
  std::string last_words(std::size_t index) const;

  LocalClusterOptions options_;
  std::vector<Machine> machines_;
  bool is_oversubscribed_ = false;
  std::vector<Agent> agents_;  // by machine
  bool is_stopped_ = false;
};

}  // namespace tracebed
