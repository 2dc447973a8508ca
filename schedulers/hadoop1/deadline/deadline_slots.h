// How many slots a job takes to end by its deadline, as Hadoop's deadline schedulers reckon it.
// Both take the time of tasks for tasks × length / slots, as if a task could be divided.
#pragma once

#include <cstdint>
#include <optional>

#include "core/time.h"
#include "schedulers/hadoop1/slots.h"

namespace tracebed {

// What is left of a job's tasks of one kind.
struct TasksLeft {
  std::int64_t tasks = 0;          // that have not ended
  double done = 0;                 // by those that run, of theirs; microseconds
  std::optional<Duration> length;  // of a task; none: not known

  // Slots × microseconds; 0 if the length is not known.
  double work() const;
};

// The soft goal (Polo et al. 2010): as many slots that the job is estimated to end by it, by the
// mean length of its tasks that have ended. Reduces follow maps, each in the part of the time for
// which the slots of both are the fewest in all: parts as the roots of their work (Verma et al.,
// ARIA, ICAC 2011, section 5). Of a kind of unknown length one slot, to learn it; after the goal as
// many as there are tasks. Never more than tasks.
PerKind<std::int64_t> slots_for_goal(const PerKind<TasksLeft>& left, Duration time_left);

struct DeadlineTerms {
  PerKind<std::int64_t> tasks;
  PerKind<Duration> lengths;  // of a task: σ C_m / maps, and f σ C_r / reduces
  Duration transfer{};        // of the map output: f σ C_d
  Duration time_left{};       // A + D − now
};

// The hard deadline (Kc and Anyanwu 2010): the least slots with which the job ends by it. With
// `reduce_slots` for its reduces these begin at the latest at
//   s_r^max = A + D − f σ C_d − f σ C_r / n_r,   and so n_m^min = σ C_m / (s_r^max − s_m);
// with that many the maps end at s_r, and n_r^min = f σ C_r / (A + D − f σ C_d − s_r); both are
// rounded up. None if no slots suffice, since a task would outlast the time it has.
std::optional<PerKind<std::int64_t>> least_slots(const DeadlineTerms& terms,
                                                 std::int64_t reduce_slots);

}  // namespace tracebed
