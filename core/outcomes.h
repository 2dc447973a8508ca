// How containers, tasks and jobs end, and why a decision is refused or a task waits. Each constant
// has a name that logs, CSV files and reports print.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tracebed {

enum class ContainerEnd : std::uint8_t {
  succeeded,      // exit code 0
  failed,         // another exit code, or a signal that Tracebed did not send
  out_of_memory,  // the kernel's OOM killer ended it at its memory limit
  launch_failed,  // the process could not be started
  timed_out,      // ran past its limit and was killed
  killed,         // by the scheduler, its application or the user
  released,       // given back before a task ran in it
  node_lost,      // its node left
  preempted,  // killed while it was marked for preemption (core/preemption.h), or by the scheduler
  checkpointed,             // kept its progress and ended, as requested
  heap_exhausted,           // its JVM had no heap left (java.lang.OutOfMemoryError)
  virtual_memory_exceeded,  // killed as its virtual memory was over the limit for its container
};
inline constexpr std::size_t container_end_count = 12;

enum class JobOutcome : std::uint8_t {
  succeeded,
  failed,    // a task used up its attempts
  rejected,  // the scheduler did not accept it
  killed,    // by the user or the scheduler, or the run ended first
};

// How a run ended: a replay, or an experiment that was submitted.
enum class RunOutcome : std::uint8_t {
  complete,      // every job ended by itself, and one succeeded or there was none
  unsuccessful,  // every job ended by itself, and none succeeded
  cancelled,     // by the user; open jobs ended as killed
  stalled,       // open jobs could make no progress, and ended as killed
  failed,        // something that the run needs was lost
  log_ended,     // the log of a recorded run stops before its jobs ended
};

// How near a task ran to its input.
enum class Locality : std::uint8_t {
  none_asked,  // the task named no place
  node,
  rack,
  off_switch,
  process,  // in the memory of its own executor
};

enum class RefusalReason : std::uint8_t {
  unknown_application,
  already_answered,  // accepted or rejected before
  unknown_ask,
  ask_closed,       // fewer units are pending than were placed
  gang_incomplete,  // a gang's units must be placed all at once
  node_not_alive,
  does_not_fit,       // more than the node has free
  place_not_allowed,  // the ask avoids this node, or does not relax its locality to it
  unknown_container,
  invalid_wake_up,  // a wake-up that is not in the future
  not_requested,    // a withdrawal where the scheduler requested no preemption
};

// What a caller should do about something that cannot be placed; the source of "why is it waiting".
enum class Placeable : std::uint8_t {
  now,
  not_now,             // resources may become free
  never_on_this_node,  // larger than the node
  never_anywhere,      // larger than every node
};

std::string_view name(ContainerEnd end);
std::string_view name(JobOutcome outcome);
std::string_view name(RunOutcome outcome);
std::string_view name(Locality locality);
std::string_view name(RefusalReason reason);
std::string_view name(Placeable placeable);

}  // namespace tracebed
