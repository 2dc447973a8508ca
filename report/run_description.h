// What a run record contains besides the figures: everything needed to repeat the run, and how it
// ended.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/machines.h"
#include "core/outcomes.h"
#include "core/read_bytes.h"
#include "core/resources.h"
#include "core/stall.h"
#include "report/file_digest.h"
#include "report/percentiles.h"
#include "report/queue_page.h"
#include "report/sampled_choices.h"
#include "report/starvation.h"
#include "report/waiting_jobs.h"
#include "system/processor_load.h"

namespace tracebed {

// A setting as text; a list of them keeps its order.
using NamedText = std::pair<std::string, std::string>;
using NamedCount = std::pair<std::string, std::uint64_t>;

// Among RunDescription::world_settings: "true" or "false", ClusterChoice::limit_vcores.
inline constexpr const char* limit_vcores_setting = "limit_vcores";
inline constexpr const char* heartbeat_setting = "heartbeat";
// Likewise, with the name of a resource that is devices behind it: ClusterChoice::devices of it.
inline constexpr std::string_view devices_setting = "devices.";
// Among RunEnd::counters of real worlds, of tasks that succeeded in cgroups and whose work has a
// CPU time: microseconds of wall time that they used, and that their work has.
inline constexpr const char* task_cpu_counter = "task_cpu_us";
inline constexpr const char* task_cpu_work_counter = "task_cpu_work_us";

// Known before the run begins.
struct RunDescription {
  std::string software_version;
  std::string build_type;
  std::string started;  // wall-clock time, ISO 8601

  std::string experiment_name;
  std::string experiment_file;
  std::string experiment_text;  // verbatim

  // Runs with the same label are repetitions of each other, so one label has one meaning within a
  // comparison: name and settings.
  std::string scheduler_label;
  std::string scheduler_name;
  std::vector<NamedText> scheduler_settings;
  // Of a machine, the names of those that limit what the scheduler places there; the others are
  // recorded.
  std::vector<std::string> limited_dimensions;
  // The names of those differences from what it imitates that this run touches.
  std::vector<std::string> differences;
  std::uint64_t seed = 0;
  std::uint32_t repetition = 1;  // from 1
  // The baseline once more, to measure how far it differs from itself: the same trace as its
  // repetition of that number, under another seed.
  bool is_noise = false;
  // What differs between repetitions, in words: "heartbeat phases", "launch latencies", …; empty if
  // all of them decide the same.
  std::vector<std::string> varied;

  std::string world;  // "virtual", "local" or "cluster"
  std::vector<NamedText> world_settings;
  double time_scale = 1;  // trace time / wall time; 1 in the virtual world
  std::string isolation;  // how containers are limited: "cgroup-v2", "none", "modelled", …

  FileIdentity trace;
  std::string trace_format;
  std::vector<NamedText> trace_selection;  // window, first N, …
  std::vector<NamedText> rules;            // that supplied what the format lacks
  std::vector<NamedText> scale;            // factors by which the trace was divided
  std::vector<NamedText> scale_effects;    // what they keep and change, and did to this trace
  std::vector<NamedText> masters;          // slow start, attempts, …
  std::vector<NamedText> storage;  // options of namenode and datanodes; empty: the run has none

  std::vector<std::string> extra_dimensions;  // beyond vcores and memory
  std::vector<Machine> machines;              // by NodeId
  std::vector<MachineChange> changes;
};

// What a machine's processors did during the run.
struct MachineLoad {
  std::string machine;
  ProcessorLoad load;
};

// Known when it ends.
struct RunEnd {
  // Complete, cancelled, stalled or failed. A failed run has no rows of its open jobs; whether any
  // job succeeded is in the rows.
  RunOutcome outcome = RunOutcome::complete;
  std::string reason;          // why it failed or stalled, in words
  std::optional<Stall> stall;  // why it stalled; not of runs of earlier versions
  std::string digest;          // of all decisions
  double wall_seconds = 0;
  std::vector<NamedCount> counters;        // rounds, decisions, refusals, …
  std::optional<Spread> decide_seconds;    // wall time of the scheduler's calls, where measured
  std::vector<MachineLoad> machine_loads;  // of real machines
  // What the datanodes of a run with storage have sent to tasks, by their own counts.
  std::optional<ReadBytes> served_bytes;
  std::vector<std::string> warnings;
  std::vector<NamedCount> rejections;  // reasons, and how many jobs for each (report/rejections.h)
  std::vector<NamedCount> failures;    // the same of jobs that failed
  WaitingJobs waiting;
  StarvationFigures starvation;
  QueuePage queue_page;                // empty if the scheduler has no queues
  std::vector<SampledChoice> choices;  // by time; empty if it compares no nodes
};

}  // namespace tracebed
