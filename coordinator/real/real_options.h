// How a fleet of real agents is run.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "coordinator/real/replay_clock.h"
#include "core/cpu_enforcement.h"
#include "core/datanode_options.h"
#include "core/resources.h"
#include "core/task_faults.h"
#include "core/time.h"
#include "core/virtual_memory.h"

namespace tracebed {

class DatanodeOrderQueue;
class SchedulerThreads;
class StorageGate;

namespace wire {
struct DatanodeHello;
struct Hello;
struct LogLines;
}  // namespace wire

// For masters that run in containers: what their processes receive. Durations are trace time.
// A quota is of `quota_factor` times the vcores of a master's container, at most its machine's: a
// master's process does all of its own work, whatever divides that of tasks.
struct RealMasterOptions {
  std::vector<std::pair<std::string, std::string>> settings;  // of job masters, by name
  std::uint64_t seed = 0;
  Duration heartbeat_interval = seconds(1);
  Duration expiry = std::chrono::minutes(10);
  double quota_factor = 1;  // [scale] cpu
};

// Of a run with storage: who reaches its namenode, and what its datanodes are like.
struct RealStorage {
  StorageGate* gate = nullptr;           // outlives the fleet, as the next
  DatanodeOrderQueue* orders = nullptr;  // of administrators
  DatanodeOptions datanodes;
  std::string namenode;  // ADDRESS:PORT of its RPC; empty if it serves none
  // As whom datanodes call it.
  std::string user = "hdfs";
  std::string group = "supergroup";
  // That the shuffle servers of the run know its jobs' tasks by; empty: it has no shuffle.
  std::string shuffle_key;
};

// Under which name the lines of a machine's datanode are kept, beside those of its agent.
inline std::string datanode_log_name(const std::string& agent) {
  return agent + ".datanode";
}
// What a daemon has logged, by the name of the agent, or of its datanode.
using TakeLog = std::function<void(const std::string& daemon, const wire::LogLines& log)>;

struct RealFleetOptions {
  std::string run;                             // id of the run; agents of another are refused
  std::uint64_t epoch = 1;                     // the coordinator's incarnation in this run
  std::string endpoint = "tcp://127.0.0.1:*";  // see RouterSocket
  double time_scale = 1;                       // trace seconds per wall second
  Duration heartbeat_period = seconds(1);      // trace time
  bool out_of_band_heartbeat = false;          // an ended container is reported at once
  // Containers of a machine may have more vcores together than it has, and share them; always so
  // where they have weights.
  bool shares_vcores = false;
  CpuEnforcement cpu_enforcement = CpuEnforcement::quota;
  WallDuration silence_max = std::chrono::seconds(10);  // then we treat an agent as lost, and it us
  WallDuration orphan_grace{};  // how long a lost agent keeps its containers
  // A container is killed, and ends as timed out, when it has run this many times as long as its
  // work takes without contention, but not before the minimum. 0: containers have no limit.
  double time_limit_factor = 0;
  WallDuration time_limit_minimum = std::chrono::seconds(30);
  // All machines are this one, so each task's work is adjusted to a slower or faster machine
  // (core/workload.h, at_speed). Otherwise machines are as fast as they are.
  bool are_speeds_emulated = false;
  ResourceDimensions dimensions;  // by which tasks' devices are named
  RealMasterOptions masters;
  TaskFaults faults;
  VirtualMemoryCheck virtual_memory;
  std::optional<RealStorage> storage;
  SchedulerThreads* scheduler_threads = nullptr;  // outlives the fleet; null: there are none
  TakeLog take_log;                               // may be empty
  // For long-running agents, both may be empty: called for a Hello that does not lead to a part in
  // the run, and to query whether an agent that has had no part so far is to be kept out.
  std::function<void(const wire::Hello& hello)> note_bystander;
  std::function<bool(const wire::Hello& hello)> is_kept_out;
  // As note_bystander, of a datanode.
  std::function<void(const wire::DatanodeHello& hello)> note_idle_datanode;
};

// Called with warnings for the user about a run that continues nevertheless.
using Warn = std::function<void(const std::string& message)>;

struct RealFleetCounters {
  std::uint64_t messages = 0;   // from agents, of all kinds
  std::uint64_t garbage = 0;    // not a message of Tracebed's, or too large
  std::uint64_t misplaced = 0;  // of another run, epoch or session, or not an agent's to send
  std::uint64_t repeats = 0;    // messages and exits that were received before
  std::uint64_t refused = 0;    // agents
  std::uint64_t unsent = 0;     // the agent was gone or too far behind
  std::uint64_t agents_lost = 0;
  std::uint64_t agents_returned = 0;    // lost ones that came back
  std::uint64_t launches_lost = 0;      // ordered, unknown to an agent that came with a new session
  std::uint64_t exits_implausible = 0;  // see plausible_exit.h
  // Of tasks that succeeded in cgroups, and whose work has a CPU time: microseconds of wall time
  // that they used, and that their work has.
  std::uint64_t task_cpu = 0;
  std::uint64_t task_cpu_work = 0;
  std::uint64_t strays_killed = 0;  // ran on an agent that came back, counted as lost before
};

}  // namespace tracebed
