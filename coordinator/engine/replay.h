// The loop that drives an engine through a workload on a fleet. It is the same for virtual, real
// and recorded fleets.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "coordinator/engine/engine.h"
#include "coordinator/engine/submissions.h"
#include "core/fleet.h"
#include "core/round_log.h"
#include "core/workload.h"

namespace tracebed {

// A refresh that a run is to have at a time.
struct ScheduledRefresh {
  TraceTime at{};
  SchedulerConfiguration configuration;
};

// An administrator's command as people state it: nodes by name, since they have no ids before they
// join.
struct AdministratorRequest {
  TraceTime at{};  // when it is due; of one that is to be executed now it means nothing
  AdministratorCommandKind kind = AdministratorCommandKind::drain;
  std::string node;       // of a move: where to; empty: anywhere else
  ContainerId container;  // of a move
  Duration grace{};
};

// For ReplayOptions::give_up_after: ten minutes, or several of the longest `heartbeat`.
inline Duration give_up_timeout(Duration heartbeat) {
  return std::max(Duration(std::chrono::minutes(10)), 10 * heartbeat);
}

struct ReplayOptions {
  // A run in which jobs are open, but nothing runs, arrives or is to come, is given up after it was
  // like that for so long (stall_detector.h). Several heartbeats of machines and masters must fit
  // in.
  Duration give_up_after = give_up_timeout({});
  std::vector<ScheduledRefresh> refreshes;  // ascending by time
  // Asked after every round for one that somebody wants now, which is the first of the next round;
  // may be null, and look at what other threads request.
  std::function<std::optional<SchedulerConfiguration>()> asked_refresh;
  // Ascending by time. A node that no machine of that name has joined by then stops the run with an
  // InputError.
  std::vector<AdministratorRequest> commands;
  // As asked_refresh. One that names an unknown node is ignored: whoever asked was to look first.
  std::function<std::vector<AdministratorRequest>()> due_commands;
};

struct ReplayProgress {
  TraceTime now{};
  std::uint32_t jobs_submitted = 0;
  std::uint32_t jobs_ended = 0;
  std::uint32_t containers = 0;
};

enum class ReplayEnd {
  complete,   // every job of the workload ended
  cancelled,  // the observer asked for it
  stalled,    // open jobs could never go on; they ended as killed
  log_ended,  // a recorded run's log stops before its jobs do
};

struct ReplayResult {
  ReplayEnd end = ReplayEnd::complete;
  TraceTime ended_at{};
};

// Asked after every round; returns false to cancel the run. May look at a clock now and then.
using ReplayObserver = std::function<bool(const ReplayProgress&)>;

// Replays `jobs` at their submit times (null: the fleet brings the submissions itself, as a
// recorded one does). `log` may be null. Every round is in the log before the engine's commands
// leave.
ReplayResult replay(Engine& engine, Fleet& fleet, WorkloadSource* jobs, RoundLog* log,
                    const ReplayObserver& observer, const ReplayOptions& options = {});
// The same with jobs that are due when `jobs` says so, which may depend on what became of others.
ReplayResult replay(Engine& engine, Fleet& fleet, Submissions& jobs, RoundLog* log,
                    const ReplayObserver& observer, const ReplayOptions& options = {});

}  // namespace tracebed
