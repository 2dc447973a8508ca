#include "applications/executors/task_set.h"

#include <algorithm>
#include <utility>

namespace tracebed {
namespace {

TaskLocality level_of_choice(const PendingMaps::Choice& choice) {
  switch (choice.locality) {
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
  for (std::uint32_t task = 0; task < tasks_.size(); ++task) {
    const bool has_places = !tasks_.replicas(task).empty();
    ++(has_places ? with_places_ : without_places_);
    if (!has_places && tasks_.names_places()) placeless_.push_back(task);
  }
}

// The level stays, or becomes the next that there is.
void TaskSet::set_levels(TraceTime now, bool is_on_node, bool is_in_rack) {
  const TaskLocality before = levels_[current_];
  levels_.clear();
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
  if (level == TaskLocality::node) return waits_.node;
  return level == TaskLocality::rack ? waits_.rack : Duration::zero();
}

bool TaskSet::has_tasks_for(TaskLocality level) const {
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
PendingMaps::Choice TaskSet::best(NodeId node, RackId rack) {
  const PendingMaps::Choice choice = tasks_.best(node, rack);
  if (choice.locality == Locality::node || without_places_ == 0 || with_places_ == 0) return choice;
  while (!tasks_.is_pending(placeless_[first_placeless_])) ++first_placeless_;
  return {placeless_[first_placeless_], Locality::none_asked};
}

std::optional<PendingMaps::Choice> TaskSet::offer(TraceTime now, NodeId node, RackId rack,
                                                  TaskLocality most) {
  if (tasks_.size() == 0) return std::nullopt;
  // An offer to tasks without input has nothing to do with how long others wait.
  const bool is_for_input = most != TaskLocality::no_preference;
  const TaskLocality limit = is_for_input ? std::min(allowed(now), most) : most;
  const PendingMaps::Choice choice = best(node, rack);
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
  count(task, 1);
  first_placeless_ = 0;
}

void TaskSet::count(std::uint32_t task, int change) {
  std::uint32_t& counted = tasks_.replicas(task).empty() ? without_places_ : with_places_;
  counted += static_cast<std::uint32_t>(change);
}

}  // namespace tracebed
