// Counts of what an engine has done, for progress lines, metrics and the run record.
#pragma once

#include <cstdint>
#include <map>

#include "core/outcomes.h"

namespace tracebed {

struct EngineCounters {
  std::uint64_t rounds = 0;
  std::uint64_t decide_calls = 0;
  std::uint64_t decisions = 0;
  std::uint64_t refusals = 0;
  std::map<RefusalReason, std::uint64_t> refusals_for;  // the same, by reason
  std::uint64_t allocations = 0;
  // On nodes that had given all their vcores, or more of them than were left; only where these are
  // not limited.
  std::uint64_t allocations_beyond_vcores = 0;
  std::uint64_t asks_rounded_up = 0;  // given larger containers than they requested, by each action
  std::uint64_t heartbeats = 0;
  std::uint64_t wake_ups = 0;             // of the scheduler, at times that it requested
  std::uint64_t late_reports = 0;         // ends of containers that were already counted as lost
  std::uint64_t attempts_duplicated = 0;  // launched beside others at the same tasks
  // Of such pairs, those that ended after the other had succeeded.
  std::uint64_t attempts_superseded = 0;
  std::uint64_t master_calls = 0;
  std::uint64_t master_calls_repeated = 0;    // answered with the same answer again
  std::uint64_t master_calls_misplaced = 0;   // out of order, or of a master that is gone
  std::uint64_t master_actions_late = 0;      // overtaken by other events
  std::uint64_t master_actions_repeated = 0;  // done before
  std::uint64_t master_actions_foreign = 0;   // on containers that are not the master's
  std::uint64_t master_actions_refused = 0;   // otherwise not permitted
  std::uint32_t masters_failed = 0;           // attempts
  // Of them those whose application had containers marked for preemption.
  std::uint32_t masters_failed_during_preemption = 0;
  std::uint64_t storage_inputs = 0;          // of a namenode
  std::uint64_t storage_inputs_ignored = 0;  // about unknown nodes, or out of range
  // Of the engine itself, to name or delete what jobs wrote, as in safe mode.
  std::uint64_t storage_calls_refused = 0;
  // Those that demand devices, beyond Fragmentation::demands_max.
  std::uint64_t tasks_not_in_fragmentation = 0;
  std::uint32_t nodes_lost = 0;
  std::uint32_t requested_lost = 0;  // containers marked for preemption, lost with their nodes
  std::uint32_t jobs_submitted = 0;
  std::uint32_t jobs_ended = 0;
};

}  // namespace tracebed
