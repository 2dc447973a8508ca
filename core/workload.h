// The one workload model behind every trace format: jobs, their stages, and runs of equal tasks. A
// reader fills it, the scale model transforms it, job masters execute it. All quantities are trace
// quantities: the real world divides times by the time scale only when a task is launched.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/ids.h"
#include "core/resources.h"
#include "core/time.h"

namespace tracebed {

// What one task does when it has its container to itself.
struct Work {
  Duration duration{};             // run time without contention
  Duration cpu_time{};             // CPU time used in it, summed over its threads
  std::int64_t memory_mib = 0;     // peak of touched memory
  std::int64_t input_bytes = 0;    // read from HDFS
  std::int64_t shuffle_bytes = 0;  // fetched from earlier stages
  std::int64_t output_bytes = 0;

  bool operator==(const Work&) const = default;

  // Adds the work of `count` tasks in the same container: they run side by side, so amounts add up
  // and the longest determines the duration.
  void add_side_by_side(const Work& task, std::uint32_t count) {
    duration = std::max(duration, task.duration);
    cpu_time += task.cpu_time * count;
    memory_mib += task.memory_mib * count;
    input_bytes += task.input_bytes * count;
    shuffle_bytes += task.shuffle_bytes * count;
    output_bytes += task.output_bytes * count;
  }
};

// The work as it is on CPUs of another speed, in thousandths of those that it was recorded on: the
// CPU time is divided by it, and the duration grows by as much as the part of it in which the task
// computed (at most all of it); on faster CPUs it shrinks likewise.
Work at_speed(const Work& work, std::uint32_t speed);

// `count` consecutive tasks of a stage that do the same. A stage whose tasks all differ has one run
// per task.
struct TaskRun {
  std::uint32_t count = 0;
  Work work;
  bool operator==(const TaskRun&) const = default;
};

enum class StageKind : std::uint8_t {
  map,     // tasks are independent of each other
  reduce,  // tasks fetch from the map stage; they may start early (slow start)
  gang,    // all tasks at once or none; tasks on one node share a container
};

// Where the input of a stage's tasks is, if the trace recorded it.
struct InputPlaces {
  std::vector<std::string> hosts;      // names of machines, each once
  std::vector<std::uint32_t> ends;     // by task: one above its last entry; empty: nothing recorded
  std::vector<std::uint32_t> entries;  // positions in `hosts`, task after task

  bool is_empty() const { return ends.empty(); }
  // The hosts of task `index`, which must be below the number of tasks; there may be none.
  std::span<const std::uint32_t> of(std::uint32_t index) const;
  void clear();

  bool operator==(const InputPlaces&) const = default;
};

// The file that a stage reads in a run with storage, as it was when the job was submitted. Bytes.
struct InputFile {
  std::uint64_t id = 0;  // of its inode; 0: none
  std::int64_t size = 0;
  std::int64_t block_size = 0;

  bool operator==(const InputFile&) const = default;
};
struct InputSplit {
  std::int64_t offset = 0;
  std::int64_t length = 0;

  bool operator==(const InputSplit&) const = default;
};
// What task `index` of a stage of `tasks` tasks reads. Splits are blocks, as Hadoop's
// FileInputFormat makes them, where there are as many tasks as blocks. Otherwise each task reads an
// equal share of the bytes, the first ones a byte more where that leaves a remainder.
InputSplit split_of(const InputFile& file, std::uint32_t tasks, std::uint32_t index);

struct Stage {
  StageKind kind = StageKind::map;
  Resources demand;           // of one task
  std::vector<TaskRun> runs;  // in task order; every count is positive
  std::string input_path;     // empty if the trace names none
  InputPlaces places;         // of a map stage
  InputFile input;            // likewise: none in traces, looked up when the job is submitted

  // In jobs of kinds `dag` and `service` alone:
  // Stages that end before this one starts, ascending; each is below this one's own index, so that
  // stages are in an order in which they can run.
  std::vector<std::uint16_t> needs;
  // How long after that (or the job's start) its tasks are asked for.
  Duration delay{};
  // Its tasks run only on machines with one of these labels; empty: on any.
  std::vector<std::string> node_labels;

  bool operator==(const Stage&) const = default;
};

// Resets `stage`, but keeps the memory of its lists.
void clear(Stage& stage);
std::uint32_t task_count(const Stage& stage);
// The work of task `index`, which must be below task_count.
const Work& work_of(const Stage& stage, std::uint32_t index);

enum class JobKind : std::uint8_t {
  map_reduce,  // a map stage, then possibly a reduce stage
  rigid,       // one gang stage
  dag,         // stages of independent tasks that need each other; one stage alone: a bag of tasks
  service,     // stages of independent instances that serve for their recorded life: if one ends
               // early, another serves the rest. No stage needs another or is delayed
};

struct Job {
  JobId id;            // position in the workload, from 0
  std::string name;    // the trace's own identifier
  TraceTime submit{};  // ascending over a workload
  UserId user;
  QueueId queue;
  std::int32_t priority = 0;  // larger is more important
  JobKind kind = JobKind::map_reduce;
  // The user's upper limit of the run time (backfilling plans with it); zero if none.
  Duration requested_time{};
  // The user's goal: how long after its submission it is to have ended; zero if there is none.
  Duration deadline{};
  std::vector<Stage> stages;

  bool operator==(const Job&) const = default;
};

// Together with any time of a trace it is a time.
inline constexpr Duration deadline_max{1'000'000'000'000'000'000};

// Stages of one job: a task names its stage in 16 bits.
inline constexpr std::size_t stages_max = 65'535;

// The least time the job needs with unlimited machines: for a dag, the longest path through it, for
// others the sum over stages, of the longest task of every stage.
Duration ideal_duration(const Job& job);

// Jobs in submit order, one at a time, so that a trace need not fit in memory.
class WorkloadSource {
 public:
  virtual ~WorkloadSource() = default;
  // Fills `job` with the next one and returns true, or returns false at the end. `job` may hold an
  // earlier job, whose memory is reused. A defect of the input that stops the load is thrown as
  // InputError (core/input_error.h).
  virtual bool next(Job& job) = 0;
};

// The address of a task: which stage of its job, which task of the stage.
struct TaskRef {
  std::uint16_t stage = 0;
  std::uint32_t index = 0;
  auto operator<=>(const TaskRef&) const = default;
};

}  // namespace tracebed
