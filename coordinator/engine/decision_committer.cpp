#include "coordinator/engine/decision_committer.h"

#include "core/visit.h"

namespace tracebed {
namespace {

AskSlot slot_of(const ApplicationState& application, AskId ask) {
  AskSlot slot = 0;
  while (application.asks[slot] != ask) ++slot;
  return slot;
}

bool is_alive(const ClusterModel& cluster, NodeId node) {
  return node.index() < cluster.nodes.size() && cluster.node(node).alive;
}

}  // namespace

void DecisionCommitter::commit(const Decisions& decisions) {
  for (const Decision& decision : decisions.list()) {
    ++context_.counters.decisions;
    commit(decisions, decision);
  }
}

void DecisionCommitter::commit(const Decisions& decisions, const Decision& decision) {
  visit_all(
      decision, [&](const Allocate& one) { allocate(one.ask, one.node); },
      [&](const AllocateGang& gang) { allocate_gang(gang.ask, decisions.pieces(gang)); },
      [&](const Accept& accepted) { accept(accepted.application); },
      [&](const Reject& rejected) { reject(rejected.application, decisions.reason(rejected)); },
      [&](const Kill& killed) { kill(killed.container); },
      [&](const EndApplication& end) { end_application(end.application, decisions.reason(end)); },
      [&](const Preempt& wanted) { preempt(wanted.container, decisions.terms(wanted)); },
      [&](const WithdrawPreemption& withdrawn) { withdraw_preemption(withdrawn.container); },
      [&](const WakeAt& wake) { set_wake_up(wake.at); });
}

void DecisionCommitter::refuse(Refused refusal) {
  ++context_.counters.refusals;
  ++context_.counters.refusals_for[refusal.reason];
  context_.events.push_back(refusal);
}

ApplicationState* DecisionCommitter::to_be_answered(ApplicationId id) {
  ApplicationState* const state = applications_.find(id);
  if (state == nullptr) {
    refuse({.reason = RefusalReason::unknown_application, .application = id});
    return nullptr;
  }
  if (state->is_accepted) {
    refuse({.reason = RefusalReason::already_answered, .application = id});
    return nullptr;
  }
  return state;
}

void DecisionCommitter::accept(ApplicationId id) {
  ApplicationState* const state = to_be_answered(id);
  if (state == nullptr) return;
  state->is_accepted = true;
  leaves_.note(id);
  context_.digest.accepted(id);
  state->master->start(context_.now(), actions_);
  executor_.perform(id, actions_);
}

void DecisionCommitter::reject(ApplicationId id, const std::string& reason) {
  if (to_be_answered(id) == nullptr) return;
  context_.digest.rejected(id);
  executor_.finish(id, JobOutcome::rejected, reason);
}

void DecisionCommitter::allocate(AskId ask_id, NodeId node) {
  const Ask* const ask = cluster_.asks.find(ask_id);
  Refused refusal{.reason = RefusalReason::unknown_ask, .ask = ask_id, .node = node};
  if (ask == nullptr) return refuse(refusal);
  refusal.application = ask->application;
  if (ask->is_gang()) {
    refusal.reason = RefusalReason::gang_incomplete;
  } else if (ask->pending == 0) {
    refusal.reason = RefusalReason::ask_closed;
  } else if (!is_alive(cluster_, node)) {
    refusal.reason = RefusalReason::node_not_alive;
  } else if (!cluster_.has_room(cluster_.node(node), ask->demand)) {
    refusal.reason = RefusalReason::does_not_fit;
  } else if (!may_run_on(*ask, cluster_.node(node))) {
    refusal.reason = RefusalReason::place_not_allowed;
  } else {
    grant(ask_id, {node, 1});
    return;
  }
  refuse(refusal);
}

void DecisionCommitter::allocate_gang(AskId ask_id, std::span<const GangPiece> pieces) {
  const Ask* const ask = cluster_.asks.find(ask_id);
  Refused refusal{.reason = RefusalReason::unknown_ask, .ask = ask_id};
  if (ask == nullptr) return refuse(refusal);
  refusal.application = ask->application;
  std::uint64_t units = 0;
  NodeId previous;
  for (const GangPiece& piece : pieces) {
    refusal.node = piece.node;
    if (!is_alive(cluster_, piece.node)) {
      refusal.reason = RefusalReason::node_not_alive;
      return refuse(refusal);
    }
    // Pieces ascend by node, so no node is counted twice.
    const bool ascends = !previous.is_valid() || previous < piece.node;
    if (piece.units == 0 || !ascends) {
      refusal.reason = RefusalReason::gang_incomplete;
      return refuse(refusal);
    }
    if (!cluster_.has_room(cluster_.node(piece.node), ask->demand, piece.units)) {
      refusal.reason = RefusalReason::does_not_fit;
      return refuse(refusal);
    }
    if (!may_run_on(*ask, cluster_.node(piece.node))) {
      refusal.reason = RefusalReason::place_not_allowed;
      return refuse(refusal);
    }
    units += piece.units;
    previous = piece.node;
  }
  if (!ask->is_gang() || ask->pending == 0 || units != ask->pending) {
    refusal.reason = ask->pending == 0 ? RefusalReason::ask_closed : RefusalReason::gang_incomplete;
    return refuse(refusal);
  }
  const ApplicationId id = ask->application;
  ApplicationState& application = applications_[id];
  const AskSlot slot = slot_of(application, ask_id);
  const ContainerId first = take(ask_id, pieces, application);
  application.master->gang_granted(context_.now(), GangGrant{first, slot, pieces, ask->demand},
                                   actions_);
  executor_.perform(id, actions_);
}

ContainerId DecisionCommitter::grant(AskId ask_id, GangPiece piece) {
  const Ask& ask = cluster_.asks[ask_id];
  const ApplicationId id = ask.application;
  ApplicationState& application = applications_[id];
  const AskSlot slot = slot_of(application, ask_id);
  const ContainerId container = take(ask_id, std::span(&piece, 1), application);
  const Grant grant{container,   slot,
                    piece.node,  cluster_.node(piece.node).rack,
                    piece.units, ask.demand * piece.units};
  application.master->granted(context_.now(), grant, actions_);
  executor_.perform(id, actions_);
  return container;
}

ContainerId DecisionCommitter::take(AskId ask, std::span<const GangPiece> pieces,
                                    ApplicationState& application) {
  const ContainerId first = containers_.allocate(ask, pieces, application);
  timeouts_.allocated(application.record.application, first, pieces.size());
  for (const GangPiece& piece : pieces) {
    if (cluster_.node(piece.node).free.milli_vcores() < 0) {
      ++context_.counters.allocations_beyond_vcores;
    }
  }
  return first;
}

void DecisionCommitter::preempt(ContainerId id, const PreemptionTerms& terms) {
  if (!cluster_.containers.contains(id)) {
    return refuse({.reason = RefusalReason::unknown_container, .container = id});
  }
  context_.digest.preemption_requested(id, terms.kind, terms.deadline);
  preemptions_.request(id, terms, PreemptionSource::scheduler);
}

void DecisionCommitter::withdraw_preemption(ContainerId id) {
  const PreemptionRequest* const request = preemptions_.find(id);
  if (request == nullptr || request->is_administrators) {
    return refuse({.reason = RefusalReason::not_requested, .container = id});
  }
  context_.digest.preemption_withdrawn(id);
  preemptions_.cancel(id);
}

// Without having asked, or without having set a deadline.
void DecisionCommitter::kill(ContainerId id) {
  if (!cluster_.containers.contains(id)) {
    return refuse({.reason = RefusalReason::unknown_container, .container = id});
  }
  context_.digest.killed(id);
  if (preemptions_.find(id) == nullptr) {
    preemptions_.request(
        id, {.kind = PreemptionKind::strict, .deadline = context_.now(), .is_repeated = false},
        PreemptionSource::scheduler);
  }
  containers_.preempt_by_force(id);
}

void DecisionCommitter::end_application(ApplicationId id, const std::string& reason) {
  const ApplicationState* const state = applications_.find(id);
  if (state == nullptr || !state->is_accepted) {
    return refuse({.reason = RefusalReason::unknown_application, .application = id});
  }
  context_.digest.ended(id);
  executor_.finish(id, JobOutcome::killed, reason);
}

void DecisionCommitter::set_wake_up(TraceTime at) {
  if (at <= context_.now()) return refuse({.reason = RefusalReason::invalid_wake_up});
  context_.digest.wake_up_at(at);
  wake_at_ = at;
}

}  // namespace tracebed
