// Why a run can never end by itself: found once, when it is given up, and bounded in length.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ids.h"
#include "core/resources.h"

namespace tracebed {

enum class StallKind : std::uint8_t {
  no_machines,      // no machine is in service
  ask_too_large,    // a unit is larger than every machine, or than the scheduler allocates
  places,           // no machine that the ask may run on could ever hold it: its places, its label
  gang_too_large,   // the machines together could not hold its units at once
  no_master,        // none runs where it would count, and yet the limit on masters keeps it
  queue_limit,      // a limit of its queue or user, of which others use nothing
  masters_alone,    // masters hold what tasks of theirs would need: a deadlock
  held_tasks,       // tasks that wait for others of their job hold what these would need
  preemption_loop,  // preemption takes containers again and again, and nothing completes
  unknown,          // none of these
};

// "masters_alone"
std::string_view name(StallKind kind);
// "deadlock of masters alone"
std::string_view title(StallKind kind);
// None if no kind has that name.
std::optional<StallKind> stall_kind_of(std::string_view name);

// What jobs that are open wait for.
struct SharedWaitingReason {
  std::string text;  // the first of why_application_waits (coordinator/engine/waiting.h)
  JobId first;       // that waits for it
  std::uint32_t jobs = 0;
};

// A job that was open then: what it held, and what it waited for.
struct StalledJob {
  JobId job;
  std::string queue;  // its leaf; empty under a scheduler without queues
  // By itself it can never go on for this reason; none: it waits for others, or for nothing.
  std::optional<StallKind> kind;
  std::uint32_t masters = 0;  // containers that it held
  std::uint32_t tasks = 0;    // likewise; what runs in them waits, too
  Resources held;
  // What it asked for first: units of `demand`, all at once of a gang.
  std::uint32_t units = 0;
  Resources demand;
  bool is_gang = false;
  std::uint32_t units_in_empty = 0;  // of those, how many its machines could hold if empty
  // Name of the reason (core/scheduler_view.h), sentence; empty: it waited for nothing.
  std::vector<std::pair<std::string, std::string>> reasons;
  // Jobs that hold what it needs, or come before it.
  std::vector<JobId> waits_for;
  std::uint32_t waits_for_more = 0;  // how many more
};

// How many jobs could not go on by themselves for a reason of this kind.
struct StallShare {
  StallKind kind = StallKind::unknown;
  JobId first;
  std::uint32_t jobs = 0;
};

struct Stall {
  static constexpr std::size_t jobs_max = 6;
  static constexpr std::size_t waits_for_max = 3;

  StallKind kind = StallKind::unknown;  // that of most jobs, of those that are known
  std::vector<StallShare> kinds;
  // Of machines in service, and what all jobs together held of it.
  Resources capacity;
  Resources held_by_masters;
  Resources held_by_tasks;
  std::uint32_t masters = 0;
  std::uint32_t tasks = 0;
  std::vector<SharedWaitingReason> reasons;  // the few that most jobs share
  std::vector<StalledJob> jobs;              // those of `kind` first
  std::uint32_t jobs_more = 0;               // how many more were open
};

}  // namespace tracebed
