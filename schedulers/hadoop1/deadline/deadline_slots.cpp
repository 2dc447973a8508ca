#include "schedulers/hadoop1/deadline/deadline_slots.h"

#include <algorithm>
#include <cmath>

namespace tracebed {
namespace {

double microseconds_of(Duration time) {
  return static_cast<double>(time.count());
}

std::int64_t slots_of(double work, double time) {
  return static_cast<std::int64_t>(std::ceil(work / time));
}

std::int64_t slots_within(const TasksLeft& left, double time) {
  if (left.tasks == 0) return 0;
  if (!left.length) return 1;
  // Tasks cannot be divided: no more slots than tasks help.
  if (left.work() >= time * static_cast<double>(left.tasks)) return left.tasks;
  return std::clamp<std::int64_t>(slots_of(left.work(), time), 1, left.tasks);
}

}  // namespace

double TasksLeft::work() const {
  if (!length) return 0;
  return std::max(0.0, static_cast<double>(tasks) * microseconds_of(*length) - done);
}

PerKind<std::int64_t> slots_for_goal(const PerKind<TasksLeft>& left, Duration time_left) {
  if (time_left <= Duration::zero()) return {.map = left.map.tasks, .reduce = left.reduce.tasks};
  const double of_maps = std::sqrt(left.map.work());
  const double of_reduces = std::sqrt(left.reduce.work());
  const double time = microseconds_of(time_left);
  const double part = of_maps > 0 ? of_maps / (of_maps + of_reduces) : 0;
  return {.map = slots_within(left.map, part > 0 ? time * part : time),
          .reduce = slots_within(left.reduce, part < 1 ? time * (1 - part) : time)};
}

std::optional<PerKind<std::int64_t>> least_slots(const DeadlineTerms& terms,
                                                 std::int64_t reduce_slots) {
  const double map_work = static_cast<double>(terms.tasks.map) * microseconds_of(terms.lengths.map);
  const double reduce_work =
      static_cast<double>(terms.tasks.reduce) * microseconds_of(terms.lengths.reduce);
  const bool has_reduces = terms.tasks.reduce > 0;
  const double time =
      microseconds_of(terms.time_left) - (has_reduces ? microseconds_of(terms.transfer) : 0);
  PerKind<std::int64_t> least;
  double reduce_time = 0;
  if (has_reduces) {
    const std::int64_t slots = std::min(reduce_slots, terms.tasks.reduce);
    if (slots <= 0) return std::nullopt;
    reduce_time = reduce_work / static_cast<double>(slots);
  }
  double maps_end = 0;
  if (terms.tasks.map > 0) {
    const double map_time = time - reduce_time;
    if (map_time <= 0 || map_time < microseconds_of(terms.lengths.map)) return std::nullopt;
    least.map = std::max<std::int64_t>(1, slots_of(map_work, map_time));
    maps_end = map_work / static_cast<double>(least.map);
  }
  if (has_reduces) {
    const double left = time - maps_end;
    if (left <= 0 || left < microseconds_of(terms.lengths.reduce)) return std::nullopt;
    least.reduce = std::max<std::int64_t>(1, slots_of(reduce_work, left));
  } else if (time <= 0) {
    return std::nullopt;
  }
  return least;
}

}  // namespace tracebed
