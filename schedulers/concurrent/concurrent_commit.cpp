// How transactions are committed: ConcurrentScheduler's part that finds conflicts.
#include <algorithm>

#include "core/check.h"
#include "schedulers/concurrent/concurrent_scheduler.h"

namespace tracebed {
namespace {

std::uint32_t units_of(const ProposedUnits& proposal) {
  std::uint32_t units = 0;
  for (const GangPiece& piece : proposal.pieces) units += piece.units;
  return units;
}

std::uint32_t wanted_of(const ClusterModel& cluster, const std::map<AskId, std::uint32_t>& taken,
                        AskId id) {
  const Ask* const ask = cluster.asks.find(id);
  if (ask == nullptr) return 0;
  const auto found = taken.find(id);
  const std::uint32_t less = found == taken.end() ? 0 : found->second;
  return ask->pending - std::min(ask->pending, less);
}

}  // namespace

SchedulerInstance* ConcurrentScheduler::decided(const SchedulerInput& input,
                                                const DecisionMade& made) {
  if (!settings_.is_measured || made.scheduler >= schedulers_.size()) return nullptr;
  SchedulerInstance& scheduler = schedulers_[made.scheduler];
  if (!scheduler.is_thinking() || scheduler.transaction()->number != made.decision) return nullptr;
  std::vector<ApplicationId> undecided =
      scheduler.end_deciding(input.now, input.now - scheduler.transaction()->began);
  std::erase_if(undecided,
                [&](ApplicationId job) { return pending_units(input.cluster, job) == 0; });
  scheduler.queue().put_back(undecided);
  return &scheduler;
}

void ConcurrentScheduler::commit_made(const SchedulerInput& input, Decisions& decisions) {
  for (const DecisionMade& made : made_) {
    SchedulerInstance* const scheduler = decided(input, made);
    if (scheduler == nullptr) continue;
    commit(input.cluster, *scheduler, decisions);
    begins_from_ = input.now + microseconds(1);
  }
  made_.clear();
}

void ConcurrentScheduler::commit_due(const SchedulerInput& input, Decisions& decisions) {
  commit_made(input, decisions);
  const auto is_due = [&](const SchedulerInstance& scheduler) {
    return scheduler.is_thinking() && scheduler.transaction()->ready_at <= input.now;
  };
  for (;;) {
    SchedulerInstance* next = nullptr;
    for (SchedulerInstance& scheduler : schedulers_) {
      if (is_due(scheduler) &&
          (next == nullptr || scheduler.transaction()->ready_at < next->transaction()->ready_at)) {
        next = &scheduler;
      }
    }
    if (next == nullptr) return;
    commit(input.cluster, *next, decisions);
    begins_from_ = input.now + microseconds(1);
  }
}

void ConcurrentScheduler::commit(const ClusterModel& cluster, SchedulerInstance& scheduler,
                                 Decisions& decisions) {
  Commit commit{scheduler, scheduler.end_thinking(), {}, {}, {}, {}, 0};
  if (!is_optimistic()) end_offer(scheduler);
  for (const ProposedUnits& proposal : commit.transaction.proposals) {
    judge(cluster, commit, proposal);
  }
  const bool is_in_conflict = commit.units_in_conflict > 0;
  if (is_in_conflict && is_optimistic() &&
      settings_.rescheduling == ConcurrentSettings::Rescheduling::full) {
    give_all_back(cluster, commit);
  }
  emit(cluster, commit, decisions);
  for (const Refused& refused : commit.refused) scheduler.note(refused);
  queue_again(cluster, commit);

  ++counts_.transactions;
  counts_.thinking += commit.transaction.thinking;
  if (commit.transaction.proposals.empty()) ++counts_.without_room;
  if (!is_in_conflict) return;
  ++counts_.in_conflict;
  counts_.thinking_in_conflict += commit.transaction.thinking;
}

void ConcurrentScheduler::judge(const ClusterModel& cluster, Commit& commit,
                                const ProposedUnits& proposal) {
  const std::uint32_t wanted =
      std::min(units_of(proposal), wanted_of(cluster, commit.taken_of, proposal.ask));
  const NodeId node = proposal.pieces.front().node;
  const bool is_whole = wanted == units_of(proposal);
  if (!is_whole && (proposal.is_gang || wanted == 0)) {
    return refuse(commit, proposal, node, Conflicting::withdrawn, units_of(proposal));
  }
  const Ask& ask = cluster.asks[proposal.ask];
  if (proposal.is_gang) return judge_gang(commit, ask, proposal);
  if (!is_whole) {
    refuse(commit, proposal, node, Conflicting::withdrawn, units_of(proposal) - wanted);
  }
  const Conflicting kind = conflict_of(commit, node);
  if (kind != Conflicting::none) return refuse(commit, proposal, node, kind, wanted);
  const auto fitting =
      static_cast<std::uint32_t>(std::min<std::int64_t>(wanted, free_.units_on(node, ask.demand)));
  if (fitting < wanted) {
    refuse(commit, proposal, node, Conflicting::no_room, wanted - fitting);
  }
  if (fitting > 0) {
    take(commit, ask, {proposal.ask, proposal.application, false, {GangPiece{node, fitting}}});
  }
}

// All of its pieces, or none.
void ConcurrentScheduler::judge_gang(Commit& commit, const Ask& ask,
                                     const ProposedUnits& proposal) {
  for (const GangPiece& piece : proposal.pieces) {
    Conflicting kind = conflict_of(commit, piece.node);
    if (kind == Conflicting::none && !free_.has_room(piece.node, ask.demand, piece.units)) {
      kind = Conflicting::no_room;
    }
    if (kind != Conflicting::none) {
      return refuse(commit, proposal, piece.node, kind, units_of(proposal));
    }
  }
  take(commit, ask, proposal);
}

ConcurrentScheduler::Conflicting ConcurrentScheduler::conflict_of(const Commit& commit,
                                                                  NodeId node) const {
  if (!free_.is_alive(node)) return Conflicting::node_gone;
  if (is_optimistic() && settings_.conflict == ConcurrentSettings::Conflict::sequence_numbers &&
      versions_[node.index()] > commit.transaction.version) {
    return Conflicting::node_changed;
  }
  return Conflicting::none;
}

void ConcurrentScheduler::take(Commit& commit, const Ask& ask, ProposedUnits units) {
  for (const GangPiece& piece : units.pieces) free_.take(piece.node, ask.demand, piece.units);
  commit.taken_of[units.ask] += units_of(units);
  commit.taken.push_back(std::move(units));
}

void ConcurrentScheduler::refuse(Commit& commit, const ProposedUnits& proposal, NodeId node,
                                 Conflicting kind, std::uint32_t units) {
  RefusalReason reason = RefusalReason::does_not_fit;
  switch (kind) {
    case Conflicting::none:
      break;
    case Conflicting::withdrawn:
      reason = RefusalReason::ask_closed;
      counts_.units_withdrawn += units;
      break;
    case Conflicting::node_gone:
      reason = RefusalReason::node_not_alive;
      counts_.units_node_gone += units;
      break;
    case Conflicting::no_room:
      counts_.units_no_room += units;
      break;
    case Conflicting::node_changed:
      counts_.units_node_changed += units;
      break;
  }
  commit.refused.push_back({.reason = reason,
                            .ask = proposal.ask,
                            .application = proposal.application,
                            .container = ContainerId(),
                            .node = node});
  if (kind == Conflicting::withdrawn) return;
  commit.units_in_conflict += units;
  commit.in_conflict.insert(proposal.application);
}

void ConcurrentScheduler::give_all_back(const ClusterModel& cluster, Commit& commit) {
  for (const ProposedUnits& units : commit.taken) {
    const Ask& ask = cluster.asks[units.ask];
    for (const GangPiece& piece : units.pieces) {
      free_.give_back(piece.node, ask.demand, piece.units);
    }
    counts_.units_not_committed += units_of(units);
    commit.in_conflict.insert(units.application);
    commit.refused.push_back({.reason = RefusalReason::does_not_fit,
                              .ask = units.ask,
                              .application = units.application,
                              .container = ContainerId(),
                              .node = units.pieces.front().node});
  }
  commit.taken.clear();
  commit.taken_of.clear();
}

void ConcurrentScheduler::emit(const ClusterModel& cluster, const Commit& commit,
                               Decisions& decisions) {
  const auto index = static_cast<std::size_t>(&commit.scheduler - schedulers_.data());
  for (const ProposedUnits& units : commit.taken) {
    if (units.is_gang) {
      decisions.allocate_gang(units.ask, {units.pieces.data(), units.pieces.size()});
    } else {
      const GangPiece& piece = units.pieces.front();
      for (std::uint32_t i = 0; i < piece.units; ++i) decisions.allocate(units.ask, piece.node);
    }
    for (const GangPiece& piece : units.pieces) changed(piece.node);
    counts_.units_committed += units_of(units);
    held_[index] += cluster.asks[units.ask].demand * units_of(units);
  }
}

void ConcurrentScheduler::queue_again(const ClusterModel& cluster, const Commit& commit) {
  SchedulerInstance& scheduler = commit.scheduler;
  for (const ApplicationId job : commit.transaction.jobs) {
    const bool was_requested = scheduler.take_request(job);
    const Application* const application = cluster.applications.find(job);
    if (application == nullptr) continue;
    std::uint64_t wanted = 0;
    for (const AskId ask : application->asks) wanted += wanted_of(cluster, commit.taken_of, ask);
    if (wanted == 0) continue;
    if (was_requested || commit.in_conflict.contains(job) ||
        releases_ != commit.transaction.releases) {
      scheduler.queue().add(job);
      continue;
    }
    scheduler.queue().block(job);
    if (commit.transaction.is_partial) scheduler.set_passed_over(true);
  }
}

}  // namespace tracebed
