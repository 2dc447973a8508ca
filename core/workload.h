// The one workload model behind every trace format: jobs, their stages, and runs of equal tasks.
// A reader fills it, the scale model transforms it, job masters work it off. All quantities are
// trace quantities: the real world divides times by the time scale only when a task is launched.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/ids.h"
#include "core/resources.h"
#include "core/time.h"

namespace tracebed {

// What one task does when it has its container to itself.
struct Work {
  Duration duration{};             // run time without contention
  Duration cpu_time{};             // CPU time burnt in it, summed over its threads
  std::int64_t memory_mib = 0;     // peak of touched memory
  std::int64_t input_bytes = 0;    // read from HDFS
  std::int64_t shuffle_bytes = 0;  // fetched from earlier stages
  std::int64_t output_bytes = 0;

  bool operator==(const Work&) const = default;
};

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

struct Stage {
  StageKind kind = StageKind::map;
  Resources demand;           // of one task
  std::vector<TaskRun> runs;  // in task order; every count is positive
  std::string input_path;     // empty if the trace names none

  bool operator==(const Stage&) const = default;
};

std::uint32_t task_count(const Stage& stage);
// The work of task `index`, which must be below task_count.
const Work& work_of(const Stage& stage, std::uint32_t index);

enum class JobKind : std::uint8_t {
  map_reduce,  // a map stage, then possibly a reduce stage
  rigid,       // one gang stage
};

struct Job {
  JobId id;            // position in the workload, from 0
  std::string name;    // the trace's own identifier
  TraceTime submit{};  // ascending over a workload
  UserId user;
  QueueId queue;
  std::int32_t priority = 0;  // larger is more important
  JobKind kind = JobKind::map_reduce;
  // Upper limit of the run time that the user stated (backfilling plans with it); zero if none.
  Duration requested_time{};
  std::vector<Stage> stages;

  bool operator==(const Job&) const = default;
};

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
