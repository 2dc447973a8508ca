// What the executors of a job keep in their memory of input that several of its stages read, as an
// iterating job of Spark has it with RDD.persist: block for block, by the rules of
// core/memory_store.h.
//
// A block is what one task reads. Two stages read the same input if they name one file and have
// equally many tasks that read as many bytes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "applications/parts/stage_work.h"
#include "core/ids.h"
#include "core/memory_store.h"
#include "core/workload.h"

namespace tracebed {

// n-th executor that a job has had: one that replaces another has an id of its own.
using ExecutorId = Id<struct ExecutorTag>;

struct ExecutorPlace {
  ExecutorId executor;
  NodeId node;
  RackId rack;
  bool operator==(const ExecutorPlace&) const = default;
};

class CachedInputs {
 public:
  // `executor_bytes` is what each executor has room for; 0: nothing is kept.
  CachedInputs(std::span<const Stage> stages, std::int64_t executor_bytes);

  // Whether the stage's tasks read what those of another stage read, too.
  bool is_shared(std::uint16_t stage) const { return input_of_[stage].has_value(); }
  // The executors that have the task's block, in the order in which they read it.
  std::span<const ExecutorPlace> holders(TaskRef task) const;

  // The executor has read the task's block from its file. Nothing, if the stage shares no input.
  void was_read(TaskRef task, const ExecutorPlace& by);
  // Where the task's block is for a task of the executor there: in its own memory, or, if it is
  // not, in that of one on its machine, or of the first that read it. None: in its file alone.
  std::optional<ExecutorPlace> take(TaskRef task, const ExecutorPlace& by);
  bool has_any(ExecutorId executor) const { return stores_.contains(executor); }
  // The executor is gone, with what it had.
  void forget(ExecutorId executor);

 private:
  struct Input {
    std::size_t first_stage = 0;
    StageWork work;
    std::vector<std::vector<ExecutorPlace>> holders;  // by task
  };
  struct Block {
    std::size_t input = 0;
    std::uint32_t task = 0;
    auto operator<=>(const Block&) const = default;
  };

  std::int64_t bytes_of(const Block& block) const;
  // It is no longer in the executor's store.
  void was_dropped(ExecutorId executor, const Block& block);

  std::int64_t executor_bytes_;
  std::vector<std::optional<std::size_t>> input_of_;  // by stage
  std::vector<Input> inputs_;
  std::map<ExecutorId, MemoryStore<Block>> stores_;
};

}  // namespace tracebed
