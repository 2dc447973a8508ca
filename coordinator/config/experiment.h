// An experiment as plain data: which trace, scaled how, on which machines, in which world, under
// which schedulers. docs/experiments.md documents the TOML form; load_experiment.h reads it.
// Durations are trace time unless said.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "coordinator/config/storage_choice.h"
#include "core/cpu_enforcement.h"
#include "core/machines.h"
#include "core/master_calls.h"
#include "core/resources.h"
#include "core/task_rows.h"
#include "core/time.h"

namespace tracebed {

enum class World : std::uint8_t {
  simulated,  // "virtual" is a word of the language
  local,
  cluster,  // the agents of a coordinator that runs on other machines
};
// As in experiments and run records, in that order.
inline constexpr std::array<std::string_view, 3> world_names{"virtual", "local", "cluster"};
constexpr std::string_view name(World world) {
  return world_names[static_cast<std::size_t>(world)];
}

struct TraceChoice {
  std::filesystem::path file;  // empty: the experiment has no jobs, but storage
  std::string where;           // of the key, for messages about the file
  std::string format;          // empty: detected from the content
  std::string format_where;    // of its key
  std::uint64_t jobs_max = 0;  // only the first ones, up to this number; 0 is all
  TraceTime from{};            // only jobs submitted in [from, until)
  TraceTime until = never;
  bool skip_bad_lines = false;  // false: the first bad line ends the load
};

// When jobs are submitted.
struct ReplayChoice {
  enum class Mode : std::uint8_t {
    trace,       // at the trace's submit times
    at_once,     // all at the start
    think_time,  // a user's next job a think time after their last one has ended
  };
  Mode mode = Mode::trace;
  double speed = 1;                    // divides submit times; of mode `trace`
  std::optional<Duration> think_time;  // of mode `think_time`; none: the trace's
};

// Factors of the scale model (traces/scale_model.h, which also bounds them). 1 has no effect.
struct ScaleChoice {
  std::string where;  // of the table; empty if there is none
  double time = 1;    // wall time = trace time / time; in real worlds only
  double cpu = 1;
  double memory = 1;
  double data = 1;
  double machines = 1;
  double thin = 1;
  double stretch = 1;
  double tasks = 1;
  // Which choice keeps the load constant, whatever the other factors do to it.
  enum class KeepLoad : std::uint8_t { none, thin, stretch };
  KeepLoad keep_load = KeepLoad::none;
};

// A file of machines, read by traces/machines/machine_trace.h, which is in another room.
struct MachineFileChoice {
  std::filesystem::path file;  // empty: the machines are given in the experiment
  std::string where;           // of the key, for messages about the file
  std::string format;          // empty: detected from the content
  // Of machines whose capacity is not in the file; 0: that of YARN's simulator.
  std::int64_t milli_vcores = 0;
  std::int64_t memory_mib = 0;
};

struct ClusterChoice {
  MachineFileChoice machine_file;             // if there is one, `machines` and `changes` are empty
  std::vector<std::string> extra_dimensions;  // beyond vcores and memory
  std::vector<Machine> machines;
  std::vector<MachineChange> changes;  // ascending by (time, node)
  Duration heartbeat = seconds(1);
  bool out_of_band_heartbeat = false;  // an ended container is reported at once
  bool limit_vcores = false;           // under schedulers that do not count vcores, too
  CpuEnforcement cpu_enforcement = CpuEnforcement::quota;
  DeviceSizes devices;  // of the extra dimensions
};

struct VirtualChoice {
  bool ideal = false;  // no latency, no heartbeat delay, exact microseconds
  // From the launch command to the running process: log-normal with this median, and this ratio of
  // the 95th percentile to the median.
  Duration launch_latency = milliseconds(3);
  double launch_spread = 2;
  // Likewise, by how much a task lasts longer than its work without contention.
  Duration task_overhead{};
  double task_overhead_spread = 2;
  // Likewise, from the process of a master in a container to its registration.
  Duration master_startup{};
  double master_startup_spread = 1;
  // The file with these six, as they were measured on a machine; which replaces them. Its value is
  // empty if there is none.
  Setting calibration;
  // Tasks are slower by 1 + this × (used / capacity − 1) while a machine's memory is overcommitted.
  double swap_cost = 4;
  // By how much later than its period says a heartbeat is sent, likewise.
  Duration heartbeat_jitter{};
  double heartbeat_jitter_spread = 2;
  Duration node_expiry = std::chrono::minutes(10);  // from a machine's silence to its loss
  Duration checkpoint_time = seconds(1);            // that a task takes to write its progress
  // Replays that run concurrently, on a thread each; none: as many as there are processors.
  std::optional<std::uint32_t> parallel;
  // A trace whose jobs take at most this much memory is read once and shared by all replays; for a
  // larger one each replay reads the file anew.
  std::int64_t trace_memory_bytes = std::int64_t{512} << 20;
};

// How the trace differs from one repetition to the next (coordinator/workload/shaken_workload.h).
// All schedulers of a repetition use the same.
struct VariationChoice {
  double submit_times = 0;  // the fraction by which each gap between submissions may change
  double run_times = 0;     // likewise each job's run times
  std::string where;        // of the table; empty if there is none

  bool is_any() const { return submit_times > 0 || run_times > 0; }
};

// Durations of this table are wall time.
struct LocalChoice {
  bool oversubscribe = false;      // agents may promise more than the machine has
  std::string isolation = "auto";  // or "cgroup": fail without cgroups, or "none": do not try
  Duration agent_lost_after = seconds(10);  // without a message from it
  // A container is killed as timed out when it has run this many times as long as its work takes
  // without contention, but not before the minimum. 0: no limit.
  double time_limit_factor = 0;
  Duration time_limit_minimum = seconds(30);
};

// Of the cluster world: its machines are the agents that have registered with the coordinator, not
// those of [cluster]. Durations of this table are wall time.
struct AgentsChoice {
  std::size_t count_min = 1;       // that must have registered before the first replay
  Duration timeout = seconds(60);  // for that
  Duration lost_after = seconds(10);
  Duration orphan_grace = seconds(60);  // how long a lost agent keeps its containers
  double time_limit_factor = 0;         // these two as in LocalChoice
  Duration time_limit_minimum = seconds(30);
};

struct LogChoice {
  enum class Durability : std::uint8_t { none, every_second, always };
  std::string redis;  // address of a running server; empty: local worlds start one of their own
  Durability durability = Durability::every_second;
  bool keep = true;  // virtual worlds: write the log of rounds into the run folder
  enum class Compression : std::uint8_t { none, zstd };
  Compression compression = Compression::zstd;  // of that file
};

// Which faults are injected, by shares that are drawn from the seed.
struct FaultChoice {
  double ignored_checkpoints = 0;  // of all attempts, the fraction that ignore the order
  double exceeded_memory = 0;      // the fraction that touch more memory than their container has
  // Of all attempts at masters in containers, the fraction with each fault; an attempt has at most
  // one (applications/hosting/master_faults.h).
  double repeated_answers = 0;
  double late_answers = 0;
  double foreign_answers = 0;
  double garbage_answers = 0;
  double crashes_during_preemption = 0;
  std::string where;  // of the table; empty if there is none

  double of_masters() const {
    return repeated_answers + late_answers + foreign_answers + garbage_answers +
           crashes_during_preemption;
  }
};

// A machine fails, with all that runs on it.
struct CrashChoice {
  std::optional<TraceTime> at;   // none: as soon as a container on it is marked for preemption
  std::string node;              // a machine's name; empty, without `at`: any
  std::optional<Duration> down;  // until it is back; none: for good
  std::string where;
};

// Of files that settings name.
struct FileFolder {
  std::filesystem::path folder;  // where relative paths start
  // They must lie below this folder, unless it is empty.
  std::filesystem::path confined_to;
};

struct SchedulerChoice {
  std::string name;
  std::string label;  // unique in the experiment; the name unless given
  std::string where;
  std::vector<Setting> settings;
  FileFolder files;
};

// A scheduler takes other settings, or other files, during its replay (YARN: refreshQueues).
struct RefreshChoice {
  TraceTime at{};
  std::string scheduler;  // its label
  std::string where;
  std::vector<Setting> settings;  // the others are unchanged
};

// A control loop changes a parameter of a scheduler during its replay.
struct ControllerChoice {
  std::string name;
  std::string scheduler;  // its label
  std::string queue;      // a leaf; empty: the only one
  Duration latency = seconds(1);
  bool starts_with_run = false;  // false: with the first submission
  std::string where;
  std::vector<Setting> settings;  // those that are given of its own
};

// A node is taken out of service for a while.
struct DrainChoice {
  TraceTime at{};
  TraceTime until = never;  // back in service
  std::string node;         // a machine's name
  Duration grace{};         // until force is used
  std::string where;
};

// Where job masters run.
struct MasterChoice {
  bool in_containers = false;  // am = "container"; else in the engine ("unmanaged")
  MasterContainerOptions container;
  std::string where;                         // of the table; empty if there is none
  std::set<std::string, std::less<>> given;  // its keys
};

// How the schedulers are compared.
struct CompareChoice {
  // Whether the baseline runs once more for each of its repetitions, under another seed; none: in
  // real worlds if there are other schedulers and it takes at most `noise_time`, and not in the
  // virtual one.
  std::optional<bool> noise;
  Duration noise_time = std::chrono::minutes(5);  // wall time
  std::string baseline;                           // a scheduler's label; empty: the first
  std::string baseline_where;                     // of its key
  // A key of report/compared_figures.h: the figure that is judged first.
  std::string primary = "jct_mean";
  std::string primary_where;   // of its key; empty if it is not given
  double matters_from = 0.01;  // smaller differences do not matter: a fraction of the baseline's
};

// For an experiment that does not set the number of repetitions. A modelled run costs seconds; a
// real one takes as long as its trace.
constexpr std::uint32_t default_repetitions(World world) {
  constexpr std::uint32_t enough_for_verdicts = 10;
  return world == World::simulated ? enough_for_verdicts : 1;
}

// The tables of an experiment that need nothing but themselves to be complete.
struct ExperimentTables {
  std::string source;  // the TOML text as read, for the run record
  // Key and value of each override of the text, for the experiment's record.
  std::vector<std::pair<std::string, std::string>> overrides;
  std::string name;
  World world = World::simulated;
  std::uint64_t seed = 1;
  std::uint32_t repetitions = 1;  // unless given, default_repetitions() of the world
  bool paranoid = false;          // recompute invariants after rounds that may have changed them
  // The default of the schedulers' setting of this name; empty `where`: theirs.
  Setting ignore_unsupported;
  std::filesystem::path output;       // folder that gets the run folders
  std::optional<TaskRows> task_rows;  // none: default_task_rows() of the trace
  std::vector<DrainChoice> drains;
  std::vector<CrashChoice> crashes;
  TraceChoice trace;
  ReplayChoice replay;
  VariationChoice vary;
  ScaleChoice scale;
  ClusterChoice cluster;
  VirtualChoice simulated;
  LocalChoice local;
  AgentsChoice agents;
  LogChoice log;
  FaultChoice faults;
  CompareChoice compare;
  StorageChoice storage;
};

// An experiment as it was given. Its settings and the files that they name are checked and
// completed by coordinator/resolving/resolved_experiment.h.
struct Experiment : ExperimentTables {
  std::vector<SchedulerChoice> schedulers;
  std::vector<RefreshChoice> refreshes;  // ascending by time
  std::vector<ControllerChoice> controllers;
  std::vector<Setting> trace_rules;
  MasterChoice master;
  std::vector<Setting> masters;  // of the job masters
  std::vector<Setting> relocation;
  std::vector<Setting> node_manager;  // what machines' node managers check
  FileFolder files;                   // that `masters`, `node_manager` and [virtual] name
};

}  // namespace tracebed
