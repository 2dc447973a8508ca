#include "applications/executors/task_set.h"

#include <algorithm>
#include <utility>

#include "core/check.h"

namespace tracebed {
namespace {

TaskLocality level_of_choice(const PendingMaps::Choice& choice) {
  switch (choice.locality) {
    case Locality::process:
      return TaskLocality::process;
    case Locality::node:
      return TaskLocality::node;
    case Locality::rack:
      return TaskLocality::rack;
    case Locality::off_switch:
      return TaskLocality::any;
    case Locality::none_asked:
      return TaskLocality::no_preference;
  }
  return TaskLocality::any;
}

}  // namespace

TaskSet::TaskSet(PendingMaps tasks, const LocalityWaits& waits)
    : tasks_(std::move(tasks)), waits_(waits), levels_{TaskLocality::any} {
  count_all();
}

void TaskSet::count_all() {
  placeless_.clear();
  with_executors_ = with_places_ = without_places_ = 0;
  for (std::uint32_t task = 0; task < tasks_.size(); ++task) {
    count(task, 1);
    if (tasks_.replicas(task).empty() && tasks_.names_places()) placeless_.push_back(task);
  }
}

void TaskSet::place_on_executors(const std::vector<std::span<const ExecutorPlace>>& holders) {
  TRACEBED_CHECK(!has_begun() && holders.size() == tasks_.size(), "tasks are placed before offers");
  std::vector<std::vector<Replica>> places(holders.size());
  std::vector<std::uint64_t> keys;
  std::size_t most = 0;
  executors_of_.resize(holders.size());
  for (std::uint32_t task = 0; task < holders.size(); ++task) {
    for (const ExecutorPlace& holder : holders[task]) {
      places[task].push_back({holder.node, holder.rack});
      executors_of_[task].push_back(holder.executor);
      keys.push_back((std::uint64_t{holder.executor.value()} << 32) | task);
    }
    const auto replicas = tasks_.replicas(task);
    if (holders[task].empty()) places[task].assign(replicas.begin(), replicas.end());
    most = std::max(most, places[task].size());
  }
  std::vector<Replica> all;
  for (std::vector<Replica>& of_task : places) {
    of_task.resize(most);
    all.insert(all.end(), of_task.begin(), of_task.end());
  }
  tasks_ = PendingMaps(tasks_.size(), std::move(all), static_cast<std::uint32_t>(most));
  by_executor_.build(keys);
  count_all();
}

// The level stays, or becomes the next that there is.
void TaskSet::set_levels(TraceTime now, bool is_on_executor, bool is_on_node, bool is_in_rack) {
  const TaskLocality before = levels_[current_];
  levels_.clear();
  if (with_executors_ > 0 && is_on_executor && waits_.process > Duration::zero()) {
    levels_.push_back(TaskLocality::process);
  }
  if (with_places_ > 0 && is_on_node && waits_.node > Duration::zero()) {
    levels_.push_back(TaskLocality::node);
  }
  if (without_places_ > 0) levels_.push_back(TaskLocality::no_preference);
  if (with_places_ > 0 && is_in_rack && waits_.rack > Duration::zero()) {
    levels_.push_back(TaskLocality::rack);
  }
  levels_.push_back(TaskLocality::any);
  current_ = 0;
  if (last_launch_ == never) {
    last_launch_ = now;
  } else {
    while (levels_[current_] < before) ++current_;
  }
}

Duration TaskSet::wait_of(TaskLocality level) const {
  if (level == TaskLocality::process) return waits_.process;
  if (level == TaskLocality::node) return waits_.node;
  return level == TaskLocality::rack ? waits_.rack : Duration::zero();
}

bool TaskSet::has_tasks_for(TaskLocality level) const {
  if (level == TaskLocality::process) return with_executors_ > 0;
  return level == TaskLocality::no_preference ? without_places_ > 0 : with_places_ > 0;
}

// TaskSetManager.getAllowedLocalityLevel.
TaskLocality TaskSet::allowed(TraceTime now) {
  while (current_ + 1 < levels_.size()) {
    const TaskLocality level = levels_[current_];
    if (!has_tasks_for(level)) {
      last_launch_ = now;
    } else if (now - last_launch_ >= wait_of(level)) {
      last_launch_ += wait_of(level);
    } else {
      break;
    }
    ++current_;
  }
  return levels_[current_];
}

// TaskSetManager.dequeueTask: a task without input comes before one whose input is elsewhere.
PendingMaps::Choice TaskSet::best(const ExecutorPlace& place) {
  PendingMaps::Choice cached{0, Locality::process};
  const auto waits = [this](std::uint32_t task) { return tasks_.is_pending(task); };
  if (by_executor_.first(place.executor, waits, cached.map)) return cached;
  const PendingMaps::Choice choice = tasks_.best(place.node, place.rack);
  if (choice.locality == Locality::node || without_places_ == 0 || with_places_ == 0) return choice;
  while (!tasks_.is_pending(placeless_[first_placeless_])) ++first_placeless_;
  return {placeless_[first_placeless_], Locality::none_asked};
}

std::optional<PendingMaps::Choice> TaskSet::offer(TraceTime now, const ExecutorPlace& place,
                                                  TaskLocality most) {
  if (tasks_.size() == 0) return std::nullopt;
  // An offer to tasks without input has nothing to do with how long others wait.
  const bool is_for_input = most != TaskLocality::no_preference;
  const TaskLocality limit = is_for_input ? std::min(allowed(now), most) : most;
  const PendingMaps::Choice choice = best(place);
  const TaskLocality level = level_of_choice(choice);
  if (level > limit) return std::nullopt;
  tasks_.take(choice.map);
  count(choice.map, -1);
  if (is_for_input) {
    current_ = 0;
    // The original counts tasks without input among the nearest.
    while (level != TaskLocality::no_preference && levels_[current_] < level) ++current_;
    last_launch_ = now;
  }
  return choice;
}

void TaskSet::reopen(std::uint32_t task) {
  tasks_.reopen(task);
  if (!executors_of_.empty()) {
    for (const ExecutorId executor : executors_of_[task]) by_executor_.reopen(executor, task);
  }
  count(task, 1);
  first_placeless_ = 0;
}

void TaskSet::count(std::uint32_t task, int change) {
  const auto added = static_cast<std::uint32_t>(change);
  if (!executors_of_.empty() && !executors_of_[task].empty()) with_executors_ += added;
  std::uint32_t& counted = tasks_.replicas(task).empty() ? without_places_ : with_places_;
  counted += added;
}

}  // namespace tracebed
