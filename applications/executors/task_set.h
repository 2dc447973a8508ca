// Which of a stage's tasks an executor with a free core takes: delay scheduling as Spark does it
// (2.1, org.apache.spark.scheduler.TaskSetManager).
//
// A task is launched near its input: on the executor that has it in memory, on its node, then, if
// it has no input, anywhere, then in its rack, then anywhere. A level that tasks still wait for is
// left only when nothing was launched at it or a nearer one for its wait (spark.locality.wait, 3 s,
// of executor, node and rack); every launch sets the level back to its own. Levels at which no
// executor could launch a task are left out.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "applications/executors/cached_inputs.h"
#include "applications/parts/pending_maps.h"
#include "applications/parts/place_lists.h"
#include "core/time.h"

namespace tracebed {

enum class TaskLocality : std::uint8_t { process, node, no_preference, rack, any };

struct LocalityWaits {
  Duration node = seconds(3);  // zero: the level is left out
  Duration rack = seconds(3);
  Duration process = seconds(3);
};

class TaskSet {
 public:
  TaskSet(PendingMaps tasks, const LocalityWaits& waits);

  // Before it has begun, while all tasks are pending: those whose input executors have in memory
  // are near these alone (DAGScheduler.getPreferredLocs). The holders of task i are the i-th.
  void place_on_executors(const std::vector<std::span<const ExecutorPlace>>& holders);

  // Executors changed, or tasks came back: which levels there are is found anew
  // (recomputeLocality). The functions tell whether an executor is there, on a node, or in a rack.
  template <class IsThere, class IsOn, class IsIn>
  void recompute(TraceTime now, IsThere&& exists, IsOn&& is_on, IsIn&& is_in) {
    set_levels(now, by_executor_.any(exists), tasks_.has_input_on(is_on),
               tasks_.has_input_in(is_in));
  }
  const std::vector<TaskLocality>& levels() const { return levels_; }
  // Whether its levels were found once.
  bool has_begun() const { return last_launch_ != never; }

  // Takes the task for an executor there, at `most` or nearer, if one may be launched now.
  std::optional<PendingMaps::Choice> offer(TraceTime now, const ExecutorPlace& place,
                                           TaskLocality most);
  void reopen(std::uint32_t task);

  std::uint32_t pending() const { return tasks_.size(); }
  const PendingMaps& tasks() const { return tasks_; }

 private:
  void set_levels(TraceTime now, bool is_on_executor, bool is_on_node, bool is_in_rack);
  TaskLocality allowed(TraceTime now);
  Duration wait_of(TaskLocality level) const;
  bool has_tasks_for(TaskLocality level) const;
  // The nearest task for an executor there; one must be pending.
  PendingMaps::Choice best(const ExecutorPlace& place);
  // How many of the pending tasks have places, and executors.
  void count(std::uint32_t task, int change);
  void count_all();

  PendingMaps tasks_;
  PlaceLists<ExecutorId> by_executor_;
  std::vector<std::vector<ExecutorId>> executors_of_;  // by task; empty: of none
  LocalityWaits waits_;
  // Of a stage of which only some have places: the others, ascending, and before which of these
  // none is pending.
  std::vector<std::uint32_t> placeless_;
  std::size_t first_placeless_ = 0;
  std::uint32_t with_executors_ = 0;
  std::uint32_t with_places_ = 0;
  std::uint32_t without_places_ = 0;
  std::vector<TaskLocality> levels_;  // ascending; the last is `any`
  std::size_t current_ = 0;           // in levels_
  TraceTime last_launch_ = never;     // or when tasks were first offered; `never`: before that
};

}  // namespace tracebed
