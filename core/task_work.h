// What one attempt at a task does in its container. Masters fill it in; the engine, the fleet, the
// agent and its launcher carry it to the task's process as a whole.
//
// A new field is named in at most four sources: here, where a master or a fleet sets it, in the
// modelled machines and in the process that does the work. Messages, rows of logs and the process's
// words are made of the list below. A lint test counts (tests/lint/work_rules.cpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "core/field_count.h"
#include "core/result.h"
#include "core/shuffle.h"
#include "core/time.h"
#include "core/workload.h"

namespace tracebed {

// Durations are trace time until a fleet of real machines makes wall time of them.
struct TaskWork : Work {
  // Instead of doing its work, the task ends with heap_exhausted once it has touched `memory_mib`.
  bool exhausts_heap = false;
  // A fault that fleets inject: it continues when asked to keep its progress and end.
  bool ignores_checkpoint = false;
  // Address space of the whole task, set by fleets of real machines; if less than `memory_mib`, no
  // more than that.
  std::int64_t virtual_memory_mib = 0;
  // What it reads from HDFS in a run with storage: a part of the file with this inode id, which
  // is 0 for a task that reads none.
  std::int64_t input_file = 0;
  std::int64_t input_offset = 0;  // bytes, as the length
  std::int64_t input_length = 0;
  // The number of the machine, from 1, that has this part in memory (masters.executor_cache_mib),
  // from which it is taken as long as that is up; 0: none.
  std::int64_t input_cached_on = 0;
  // For processes, whose machines keep what executors have in memory (agents/shuffle): the executor
  // of its job, from 1, that keeps what it reads, with the bytes that it may keep in all; 0: none.
  std::int64_t input_executor = 0;
  std::int64_t input_executor_bytes = 0;
  // The bytes from `input_offset` on that its executor has kept: they are not read, so that
  // `input_length` is 0.
  std::int64_t input_kept_length = 0;
  // What it writes to HDFS in a run with job outputs, with this replication, which is 0 for a task
  // that writes none: bytes of one part of the output of the job with this number
  // (core/output_files.h). The engine sets these, whatever a master says.
  std::int64_t output_replication = 0;
  std::int64_t output_job = 0;
  std::int64_t output_part = 0;
  std::int64_t output_offset = 0;  // bytes, as the length
  std::int64_t output_length = 0;
  // In a run with a shuffle (core/shuffle.h), set by the engine: the task's job; the bytes that it
  // keeps for tasks of later stages; and what it fetches, as one task of `shuffle_stage`, from the
  // outputs of `shuffle_sources` tasks: the bytes from `shuffle_offset` on of all that the stage
  // fetches.
  std::int64_t shuffle_job = 0;
  std::int64_t map_output_length = 0;
  std::int64_t shuffle_stage = 0;
  std::int64_t shuffle_sources = 0;  // at least 1 if it fetches anything
  std::int64_t shuffle_offset = 0;
  std::int64_t shuffle_length = 0;
  std::int64_t shuffle_copies = 0;  // from how many machines at a time; likewise
  // What it spills besides (core/spills.h): written to its machine's disk, and read again.
  std::int64_t spilled_length = 0;
  // How all of that shares disks and links with others (core/transfer_weight.h), set by the engine;
  // 0: equally.
  std::int64_t io_weight = 0;
  // The kernel of its job (core/kernel_work.h), 0 for a profile; the seed of its input, and the
  // bytes of all of it; how many reduces an iteration has; and which task of which stage it is, of
  // which even ones are maps. Set by the engine, too.
  std::int64_t kernel_kind = 0;
  std::int64_t dataset_seed = 0;
  std::int64_t kernel_reduces = 0;
  std::int64_t kernel_input_bytes = 0;
  std::int64_t kernel_stage = 0;
  std::int64_t kernel_task = 0;
  // Its master wants to know how far it is (AttemptProgress), this often while it runs; zero: not
  // at all.
  Duration progress_interval = Duration::zero();

  bool operator==(const TaskWork&) const = default;
};

// ---- the list of fields ----

// How much of a field there is for equal tasks that run side by side in one container, and for an
// attempt that continues from kept progress.
enum class WorkMeasure : std::uint8_t {
  time,    // as much as for one task; less after progress
  amount,  // as much as for all of them; less after progress
  peak,    // as much as for all of them; no less after progress
  manner,  // the same in both cases
  begin,   // of what the next field is the amount of: the same; later after progress
};

// A field as a whole number from 0 to `most`. A flag is 0 or 1, a duration is in microseconds, an
// enumerator has its value.
struct TaskWorkField {
  std::string_view name;
  WorkMeasure measure;
  std::int64_t most;
  bool is_duration;
  std::int64_t (*get)(const TaskWork& work);
  void (*set)(TaskWork& work, std::int64_t number);
};

template <auto member>
constexpr TaskWorkField task_work_field(std::string_view name, WorkMeasure measure,
                                        std::int64_t most) {
  using Value = std::remove_cvref_t<decltype(TaskWork().*member)>;
  return {name,
          measure,
          most,
          std::is_same_v<Value, Duration>,
          [](const TaskWork& work) -> std::int64_t {
            if constexpr (std::is_same_v<Value, Duration>) {
              return (work.*member).count();
            } else {
              return static_cast<std::int64_t>(work.*member);
            }
          },
          [](TaskWork& work, std::int64_t number) { work.*member = static_cast<Value>(number); }};
}

// Amounts of one task, and their sums over the tasks of a container, fit many times.
inline constexpr std::int64_t task_amount_max = std::int64_t{1} << 53;
inline constexpr std::int64_t task_memory_mib_max = std::int64_t{1} << 40;
inline constexpr std::int64_t output_replication_max = 512;                   // dfs.replication.max
inline constexpr std::int64_t output_job_max = (std::int64_t{1} << 32) - 2;   // of a JobId
inline constexpr std::int64_t kernel_kind_max = 6;                            // of a KernelKind
inline constexpr std::int64_t kernel_task_max = (std::int64_t{1} << 32) - 1;  // of a TaskRef
inline constexpr std::int64_t io_weight_max = 1'000;
inline constexpr std::int64_t output_part_max = (std::int64_t{1} << 48) - 1;  // of a TaskRef

// In the order in which they are encoded: a new one comes last, so that older logs can be read.
inline constexpr std::array task_work_fields = {
    task_work_field<&TaskWork::duration>("duration_us", WorkMeasure::time, task_amount_max),
    task_work_field<&TaskWork::cpu_time>("cpu_time_us", WorkMeasure::amount, task_amount_max),
    task_work_field<&TaskWork::memory_mib>("memory_mib", WorkMeasure::peak, task_memory_mib_max),
    task_work_field<&TaskWork::input_bytes>("input_bytes", WorkMeasure::amount, task_amount_max),
    task_work_field<&TaskWork::shuffle_bytes>("shuffle_bytes", WorkMeasure::amount,
                                              task_amount_max),
    task_work_field<&TaskWork::output_bytes>("output_bytes", WorkMeasure::amount, task_amount_max),
    task_work_field<&TaskWork::exhausts_heap>("exhausts_heap", WorkMeasure::manner, 1),
    task_work_field<&TaskWork::ignores_checkpoint>("ignores_checkpoint", WorkMeasure::manner, 1),
    task_work_field<&TaskWork::virtual_memory_mib>("virtual_memory_mib", WorkMeasure::peak,
                                                   task_memory_mib_max),
    task_work_field<&TaskWork::input_file>("input_file", WorkMeasure::manner, task_amount_max),
    task_work_field<&TaskWork::input_offset>("input_offset", WorkMeasure::begin, task_amount_max),
    task_work_field<&TaskWork::input_length>("input_length", WorkMeasure::amount, task_amount_max),
    task_work_field<&TaskWork::output_replication>("output_replication", WorkMeasure::manner,
                                                   output_replication_max),
    task_work_field<&TaskWork::output_job>("output_job", WorkMeasure::manner, output_job_max),
    task_work_field<&TaskWork::output_part>("output_part", WorkMeasure::manner, output_part_max),
    task_work_field<&TaskWork::output_offset>("output_offset", WorkMeasure::begin, task_amount_max),
    task_work_field<&TaskWork::output_length>("output_length", WorkMeasure::amount,
                                              task_amount_max),
    task_work_field<&TaskWork::shuffle_job>("shuffle_job", WorkMeasure::manner, output_job_max),
    // The attempt that continues makes all of it, since it must be whole on its own machine.
    task_work_field<&TaskWork::map_output_length>("map_output_length", WorkMeasure::peak,
                                                  task_amount_max),
    task_work_field<&TaskWork::shuffle_stage>("shuffle_stage", WorkMeasure::manner, stages_max),
    task_work_field<&TaskWork::shuffle_sources>("shuffle_sources", WorkMeasure::manner,
                                                task_amount_max),
    task_work_field<&TaskWork::shuffle_offset>("shuffle_offset", WorkMeasure::begin,
                                               task_amount_max),
    task_work_field<&TaskWork::shuffle_length>("shuffle_length", WorkMeasure::amount,
                                               task_amount_max),
    task_work_field<&TaskWork::shuffle_copies>("shuffle_copies", WorkMeasure::manner,
                                               ShuffleOptions::parallel_copies_max),
    task_work_field<&TaskWork::kernel_kind>("kernel_kind", WorkMeasure::manner, kernel_kind_max),
    task_work_field<&TaskWork::dataset_seed>("dataset_seed", WorkMeasure::manner, task_amount_max),
    task_work_field<&TaskWork::kernel_reduces>("kernel_reduces", WorkMeasure::manner,
                                               task_amount_max),
    task_work_field<&TaskWork::input_cached_on>("input_cached_on", WorkMeasure::manner,
                                                task_amount_max),
    task_work_field<&TaskWork::progress_interval>("progress_interval_us", WorkMeasure::manner,
                                                  task_amount_max),
    task_work_field<&TaskWork::kernel_input_bytes>("kernel_input_bytes", WorkMeasure::manner,
                                                   task_amount_max),
    task_work_field<&TaskWork::kernel_stage>("kernel_stage", WorkMeasure::manner, stages_max),
    task_work_field<&TaskWork::kernel_task>("kernel_task", WorkMeasure::manner, kernel_task_max),
    task_work_field<&TaskWork::input_executor>("input_executor", WorkMeasure::manner,
                                               kernel_task_max),
    task_work_field<&TaskWork::input_executor_bytes>("input_executor_bytes", WorkMeasure::manner,
                                                     task_amount_max),
    task_work_field<&TaskWork::input_kept_length>("input_kept_length", WorkMeasure::manner,
                                                  task_amount_max),
    task_work_field<&TaskWork::spilled_length>("spilled_length", WorkMeasure::amount,
                                               task_amount_max),
    task_work_field<&TaskWork::io_weight>("io_weight", WorkMeasure::manner, io_weight_max),
};
// Its base counts as one field.
static_assert(task_work_fields.size() == field_count<Work> + field_count<TaskWork> - 1,
              "each field of a task's work is in the list once");

// Whether the task writes to HDFS.
inline bool writes_output(const TaskWork& work) {
  return work.output_replication != 0 && work.output_length > 0;
}

// Whether it fetches from tasks of earlier stages.
inline bool fetches(const TaskWork& work) {
  return work.shuffle_sources > 0 && work.shuffle_copies > 0 && work.shuffle_length > 0;
}

// Whether its executor keeps in memory what it reads.
inline bool keeps_input(const TaskWork& work) {
  return work.input_executor != 0;
}

// Whether executors have in memory what it reads, or what it would read.
inline bool takes_kept_input(const TaskWork& work) {
  return work.input_kept_length > 0 || (work.input_cached_on != 0 && work.input_length > 0);
}

// Whether it has to do with a shuffle server.
inline bool shuffles(const TaskWork& work) {
  return fetches(work) || work.map_output_length > 0 || work.spilled_length > 0 ||
         keeps_input(work) || takes_kept_input(work);
}

// ---- as numbers ----

using TaskWorkNumbers = std::array<std::int64_t, task_work_fields.size()>;
TaskWorkNumbers to_numbers(const TaskWork& work);

// The work with these numbers, which are not trusted: exactly one for each field, in its bounds.
// The error names the field, what was expected and what was found.
Result<TaskWork> to_task_work(std::span<const std::int64_t> numbers);

// Fails as above if a field is out of its bounds.
Status check(const TaskWork& work);

// True if it is the work that its trace recorded, and all other fields are as they begin.
bool is_plain(const TaskWork& work);

// The nearest work with all fields in their bounds.
TaskWork within_bounds(const TaskWork& work);

// The work of a container in which `count` such tasks run side by side.
TaskWork side_by_side(const TaskWork& task, std::uint32_t count);

// What is left of the work after `progress` (in millionths, up to whole_work).
TaskWork rest_of(const TaskWork& work, std::uint32_t progress);

// The work with other durations, for a clock of another speed.
template <class Function>
TaskWork with_durations(TaskWork work, Function&& converted) {
  for (const TaskWorkField& field : task_work_fields) {
    if (!field.is_duration) continue;
    field.set(work, Duration(converted(Duration(field.get(work)))).count());
  }
  return work;
}

}  // namespace tracebed
