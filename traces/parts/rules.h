// The named rules by which a reader derives what its format does not carry. Every rule has a
// default and its reason, can be set by name, and is stored with the run, so that a result states
// what was assumed. `tracebed trace rules` prints this table.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.h"
#include "core/time.h"

namespace tracebed {

enum class Origin : std::uint8_t { first_job, file };
enum class RowOrder : std::uint8_t { submit, any };
enum class NoInput : std::uint8_t { one_map, drop };
enum class ProcessorColumn : std::uint8_t { requested, allocated };
enum class MoreColumns : std::uint8_t { refused, ignored };
enum class NoProcessors : std::uint8_t { one, drop };
enum class ZeroRunTime : std::uint8_t { one_second, drop };
enum class UnknownRunTime : std::uint8_t { drop, one_second, requested };
enum class PrecedingRule : std::uint8_t { obey, ignore };
enum class CancelledJobs : std::uint8_t { ran, drop, keep };
enum class PartialJobs : std::uint8_t { drop, keep };
enum class MemoryUnit : std::uint8_t { kb, bytes, job_bytes };
enum class FileUnit : std::uint8_t { kb, bytes };
enum class CutNames : std::uint8_t { drop, known_needs };
enum class OverLimit : std::uint8_t { keep, cut };
enum class MemoryColumn : std::uint8_t { requested, used };
enum class CpuTime : std::uint8_t { column, run_time };
enum class UserColumn : std::uint8_t { user, group, one };
enum class QueueColumn : std::uint8_t { queue, partition, group, user, one };
enum class InitialTasks : std::uint8_t { drop, keep };
enum class AttemptTime : std::uint8_t { last, sum };
enum class StillRunning : std::uint8_t { censored, drop };
enum class GoogleQueue : std::uint8_t { one, band };
enum class PendingPods : std::uint8_t { drop, life };
enum class PodServices : std::uint8_t { ls, none };
enum class GpuModels : std::uint8_t { ignored, labels };
enum class Unfinished : std::uint8_t { drop, one_second };
enum class WorkStart : std::uint8_t { parents_end, registered };
enum class InstanceTime : std::uint8_t { measured, window };
enum class NoDemand : std::uint8_t { drop, standard };
enum class NoAttempt : std::uint8_t { mean, drop };
enum class ReduceStart : std::uint8_t { last_map, attempt };
enum class CpuLimit : std::uint8_t { vcores, core };
enum class TaskThreads : std::uint8_t { one, vcores };
enum class MixDemand : std::uint8_t { stated, none };
enum class MixInput : std::uint8_t { bytes, kernels };

struct CommonRules {
  Origin origin = Origin::first_job;
  RowOrder order = RowOrder::submit;
  std::int64_t tasks_max = 10'000'000;  // of one stage
  std::int64_t line_bytes_max = std::int64_t{1} << 20;
  std::int64_t document_bytes_max = std::int64_t{256} << 20;  // JSON
  // Of jobs for which the trace states no deadline, in ideal durations; 0: they have none.
  double deadline_factor = 0;
};

// SWIM carries bytes; tasks, durations, demands, users and queues are derived.
struct MapReduceRules {
  std::int64_t block_mib = 128;
  NoInput no_input = NoInput::one_map;
  std::int64_t reduce_megabytes = 1000;
  std::int64_t reduces_max = 999;
  Duration map_startup = seconds(20);
  Duration reduce_startup = seconds(20);
  double map_rate = 2.2;  // megabytes (10^6 bytes) a second, as are all rates
  double shuffle_rate = 2.5;
  double write_rate = 6.7;
  std::int64_t map_millicores = 1000;
  std::int64_t map_memory_mib = 1024;
  std::int64_t reduce_millicores = 1000;
  std::int64_t reduce_memory_mib = 1024;
  double cpu_share = 1.0;
  double memory_share = 0.8;
  std::int64_t users = 20;
  double user_skew = 1.0;
  std::int64_t user_seed = 1;
  std::string queues = "default";  // names separated by commas
};

// SWF carries processors and run times; what a column leaves unknown (-1) is derived.
struct RigidRules {
  MoreColumns more_columns = MoreColumns::refused;
  ProcessorColumn processors = ProcessorColumn::requested;
  NoProcessors no_processors = NoProcessors::one;
  ZeroRunTime zero_run_time = ZeroRunTime::one_second;
  UnknownRunTime unknown_run_time = UnknownRunTime::drop;
  PrecedingRule preceding = PrecedingRule::obey;
  CancelledJobs cancelled = CancelledJobs::ran;
  PartialJobs partial = PartialJobs::drop;
  OverLimit over_limit = OverLimit::keep;
  double limit_factor = 1.0;
  std::int64_t processor_millicores = 1000;
  MemoryColumn memory = MemoryColumn::requested;
  MemoryUnit memory_unit = MemoryUnit::kb;
  std::int64_t processor_memory_mib = 1024;
  double memory_share = 0.8;
  CpuTime cpu_time = CpuTime::column;
  UserColumn user = UserColumn::user;
  QueueColumn queue = QueueColumn::queue;
};

// What a task asks for and uses, if a format (or a row of it) does not state it.
struct TaskRules {
  std::int64_t millicores = 1000;
  std::int64_t memory_mib = 1024;
  double cpu_share = 1.0;
  double memory_share = 0.8;
};

struct GoogleRules {
  std::int64_t machine_millicores = 16'000;
  std::int64_t machine_memory_mib = 65'536;
  InitialTasks initial = InitialTasks::drop;
  AttemptTime attempts = AttemptTime::last;
  StillRunning running = StillRunning::censored;
  std::int64_t service_priority = 9;
  GoogleQueue queue = GoogleQueue::one;
};

// Both batch tables, of 2017 and of 2018.
struct AlibabaRules {
  std::int64_t machine_memory_mib = 262'144;
  ZeroRunTime zero_run_time = ZeroRunTime::one_second;
  Unfinished unfinished = Unfinished::drop;
  NoDemand no_demand = NoDemand::drop;
  WorkStart work_start = WorkStart::parents_end;
  InstanceTime instance_time = InstanceTime::measured;
  CutNames cut_names = CutNames::drop;
  std::int64_t instances_max = 1'000'000;
};

// Alibaba's pods on GPU machines, of 2023.
struct PodRules {
  PendingPods pending = PendingPods::drop;
  PodServices services = PodServices::ls;
  GpuModels models = GpuModels::ignored;
};

struct PhillyRules {
  std::int64_t gpu_millicores = 4000;
  std::int64_t gpu_memory_mib = 16'384;
};

struct RumenRules {
  NoAttempt no_attempt = NoAttempt::mean;
  ReduceStart reduce_start = ReduceStart::last_map;
};

// Jobs of YARN's Scheduler Load Simulator.
struct SlsRules {
  ReduceStart reduce_start = ReduceStart::last_map;
};

// Workflows of WfCommons up to schema 1.3.
struct WorkflowRules {
  FileUnit size_unit = FileUnit::kb;
};

// Mixes carry the kind of each job (traces/parts/job_kinds.h).
struct MixRules {
  std::int64_t block_mib = 128;
  Duration startup = seconds(2);
  CpuLimit cpu_limit = CpuLimit::vcores;
  TaskThreads threads = TaskThreads::one;
  MixDemand demand = MixDemand::stated;
  MixInput input = MixInput::bytes;
};

// What jobs of one kind take: seconds for 10^6 bytes, on one free core and an idle disk. Of a job
// that iterates, each iteration.
struct JobCosts {
  double map_cpu = 0;      // of input
  double map_wait = 0;     // of input: for the disk, to read and to spill
  double map_output = 0;   // bytes for the reduces per byte of input
  double reduce_base = 0;  // CPU seconds of a reduce, whatever it fetches
  double reduce_cpu = 0;   // of what it fetches
  double reduce_wait = 0;  // likewise
  double output = 0;       // bytes written per byte fetched
  std::int64_t iterations = 1;
};

struct TraceRules {
  CommonRules common;
  MapReduceRules map_reduce;
  RigidRules rigid;
  TaskRules task;
  GoogleRules google;
  AlibabaRules alibaba;
  PodRules pods;
  PhillyRules philly;
  RumenRules rumen;
  SlsRules sls;
  WorkflowRules workflows;
  MixRules mix;
  // The cost table. A map of grep computes for 25 s over 20 MB, and its reduce for 4 s; one of a
  // sort computes for 8 s and waits for 12 s, to read and to spill all of it, and its reduce, which
  // fetches 100 MB, for 8 s and 16 s; one of wordcount computes for 22 s and keeps 3 MB, and its
  // reduce, which fetches 15 MB, computes for 6 s and waits for 14 s.
  JobCosts grep{1.25, 0.3, 0.001, 4, 0, 0, 1};
  JobCosts sort{0.4, 0.6, 1, 0, 0.08, 0.16, 1};
  JobCosts terasort{0.4, 0.6, 1, 0, 0.08, 0.16, 1};
  JobCosts wordcount{1.1, 0.345, 0.15, 0, 0.4, 0.933, 1};
  // Measured: CPU time of Tracebed's own kernels, over 32 MiB, times what the table has for
  // wordcount's over what was measured of it; bytes as with eight maps.
  JobCosts kmeans{0.4, 0, 0.0001, 0, 0.9, 0, 0.1, 5};
  JobCosts pagerank{3.7, 0, 0.55, 0, 0.4, 0, 0.34, 3};
};

// One row of the table of rules.
struct TraceRule {
  std::string name;     // "swim.block_mib"
  std::string values;   // what it may be set to, for people
  std::string meaning;  // one sentence
  std::string source;   // where the default comes from
  std::function<std::string(const TraceRules&)> get;
  std::function<Status(TraceRules&, std::string_view)> set;
};

// All rules, those of one format together.
std::vector<TraceRule> trace_rules();

// Sets one rule. The error names the rule and what it may be set to; an unknown name is an error.
Status set_rule(TraceRules& rules, std::string_view name, std::string_view value);

// name → value of every rule, as a run records them; `prefixes` ("trace.", "swim.") choose which,
// none means all.
std::vector<std::pair<std::string, std::string>> rule_values(
    const TraceRules& rules, const std::vector<std::string_view>& prefixes = {});

}  // namespace tracebed
