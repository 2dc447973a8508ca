// How the engine asks its scheduler, and checks and commits what it decided.
#include <algorithm>

#include "coordinator/engine/digest_marks.h"
#include "coordinator/engine/engine.h"
#include "coordinator/engine/engine_state.h"
#include "core/check.h"

namespace tracebed {

void Engine::decide_until_quiet() {
  // Committing makes new events (an accepted application asks), so the scheduler is called until
  // there are none. One that answers refusals with the same refused decisions would never end:
  // after a call that saw nothing but refusals, new refusals wait for the next round.
  bool only_refusals = false;
  while (!events_.empty() && !only_refusals) {
    batch_.swap(events_);
    events_.clear();
    only_refusals = std::all_of(batch_.begin(), batch_.end(), [](const SchedulerEvent& event) {
      return std::holds_alternative<Refused>(event);
    });
    // Commands point into the decisions, so each call of a step has its own.
    if (decide_calls_of_step_ == decisions_.size()) {
      decisions_.push_back(std::make_unique<Decisions>());
    }
    Decisions& decisions = *decisions_[decide_calls_of_step_++];
    decisions.clear();
    ++counters_.decide_calls;
    if (meter_ != nullptr) meter_->decide_begins();
    scheduler_->decide(SchedulerInput{now_, batch_, ledger_.model()}, decisions);
    if (meter_ != nullptr) meter_->decide_ended();
    for (const Decision& decision : decisions.list()) commit(decisions, decision);
  }
}

void Engine::commit(const Decisions& decisions, const Decision& decision) {
  ++counters_.decisions;
  if (const auto* allocate = std::get_if<Allocate>(&decision)) {
    commit_allocation(allocate->ask, allocate->node);
  } else if (const auto* gang = std::get_if<AllocateGang>(&decision)) {
    commit_gang(gang->ask, decisions.pieces(*gang));
  } else if (const auto* accept = std::get_if<Accept>(&decision)) {
    commit_accept(accept->application);
  } else if (const auto* reject = std::get_if<Reject>(&decision)) {
    commit_reject(reject->application, decisions.reason(*reject));
  } else if (const auto* kill = std::get_if<Kill>(&decision)) {
    commit_kill(*kill);
  } else if (const auto* end = std::get_if<EndApplication>(&decision)) {
    commit_end(end->application, decisions.reason(*end));
  } else if (const auto* preempt = std::get_if<Preempt>(&decision)) {
    commit_preemption(preempt->container, decisions.terms(*preempt));
  } else if (const auto* withdrawn = std::get_if<WithdrawPreemption>(&decision)) {
    commit_withdrawal(withdrawn->container);
  } else {
    commit_wake_up(std::get<WakeAt>(decision).at);
  }
}

void Engine::refuse(Refused refusal) {
  ++counters_.refusals;
  ++counters_.refusals_for[refusal.reason];
  events_.push_back(refusal);
}

void Engine::commit_accept(ApplicationId id) {
  ApplicationState* state = applications_.find(id);
  if (state == nullptr) {
    return refuse({.reason = RefusalReason::unknown_application, .application = id});
  }
  if (state->answer != Answer::awaited) {
    return refuse({.reason = RefusalReason::already_answered, .application = id});
  }
  state->answer = Answer::accepted;
  note_leaf(id);
  digest_.add(static_cast<std::uint64_t>(DigestMark::accept));
  digest_.add(id);
  state->master->start(now_, actions_);
  perform_actions(id);
}

void Engine::commit_reject(ApplicationId id, const std::string& reason) {
  const ApplicationState* state = applications_.find(id);
  if (state == nullptr) {
    return refuse({.reason = RefusalReason::unknown_application, .application = id});
  }
  if (state->answer != Answer::awaited) {
    return refuse({.reason = RefusalReason::already_answered, .application = id});
  }
  digest_.add(static_cast<std::uint64_t>(DigestMark::reject));
  finish(id, JobOutcome::rejected, reason);
}

void Engine::commit_allocation(AskId ask_id, NodeId node_id) {
  const ClusterModel& model = ledger_.model();
  const Ask* ask = model.asks.find(ask_id);
  Refused refusal{.reason = RefusalReason::unknown_ask, .ask = ask_id, .node = node_id};
  if (ask == nullptr) return refuse(refusal);
  refusal.application = ask->application;
  const bool node_alive = node_id.index() < model.nodes.size() && model.node(node_id).alive;
  if (ask->gang) {
    refusal.reason = RefusalReason::gang_incomplete;
  } else if (ask->pending == 0) {
    refusal.reason = RefusalReason::ask_closed;
  } else if (!node_alive) {
    refusal.reason = RefusalReason::node_not_alive;
  } else if (!ask->demand.fits_in(model.node(node_id).free)) {
    refusal.reason = RefusalReason::does_not_fit;
  } else if (!may_run_on(*ask, model.node(node_id))) {
    refusal.reason = RefusalReason::place_not_allowed;
  } else {
    const ApplicationId application = ask->application;
    ApplicationState& state = applications_[application];
    grant(taker_of(ask_id, state), node_id, 1, state);
    return perform_actions(application);
  }
  refuse(refusal);
}

void Engine::commit_gang(AskId ask_id, std::span<const GangPiece> pieces) {
  const ClusterModel& model = ledger_.model();
  const Ask* ask = model.asks.find(ask_id);
  Refused refusal{.reason = RefusalReason::unknown_ask, .ask = ask_id};
  if (ask == nullptr) return refuse(refusal);
  refusal.application = ask->application;
  std::uint64_t units = 0;
  NodeId previous;
  for (const GangPiece& piece : pieces) {
    refusal.node = piece.node;
    if (piece.node.index() >= model.nodes.size() || !model.node(piece.node).alive) {
      refusal.reason = RefusalReason::node_not_alive;
      return refuse(refusal);
    }
    // Pieces ascend by node, so no node is counted twice.
    const bool ascends = !previous.is_valid() || previous < piece.node;
    if (piece.units == 0 || !ascends) {
      refusal.reason = RefusalReason::gang_incomplete;
      return refuse(refusal);
    }
    if (!ask->demand.fits_in(model.node(piece.node).free, piece.units)) {
      refusal.reason = RefusalReason::does_not_fit;
      return refuse(refusal);
    }
    if (!may_run_on(*ask, model.node(piece.node))) {
      refusal.reason = RefusalReason::place_not_allowed;
      return refuse(refusal);
    }
    units += piece.units;
    previous = piece.node;
  }
  if (!ask->gang || ask->pending == 0 || units != ask->pending) {
    refusal.reason = ask->pending == 0 ? RefusalReason::ask_closed : RefusalReason::gang_incomplete;
    return refuse(refusal);
  }
  const ApplicationId application_id = ask->application;
  ApplicationState& application = applications_[application_id];
  const Ledger::AllocationTarget taker = taker_of(ask_id, application);
  const ContainerId first = allocate(taker, pieces, application);
  application.master->gang_granted(now_, GangGrant{first, taker.slot, pieces, taker.ask.demand},
                                   actions_);
  perform_actions(application_id);
}

Ledger::AllocationTarget Engine::taker_of(AskId ask, const ApplicationState& application) {
  std::uint32_t slot = 0;
  while (application.asks[slot] != ask) ++slot;
  return ledger_.taker(ask, slot);
}

void Engine::grant(const Ledger::AllocationTarget& taker, NodeId node, std::uint32_t units,
                   ApplicationState& application) {
  const GangPiece piece{node, units};
  const ContainerId id = allocate(taker, std::span(&piece, 1), application);
  const RackId rack = ledger_.model().node(node).rack;
  application.master->granted(
      now_, Grant{id, taker.slot, node, rack, units, taker.ask.demand * units}, actions_);
}

ContainerId Engine::allocate(const Ledger::AllocationTarget& taker,
                             std::span<const GangPiece> pieces, ApplicationState& application) {
  counters_.allocations += pieces.size();
  cluster_changed_ = true;
  if (application.record.first_allocated == never) {
    application.record.first_allocated = now_;
    --jobs_waiting_;
  }
  const std::uint64_t receiver = std::uint64_t{application.record.application.value()} << 32;
  for (const GangPiece& piece : pieces) {
    digest_.add(static_cast<std::uint64_t>(DigestMark::allocate));
    digest_.add(now_);
    digest_.add((static_cast<std::uint64_t>(taker.id.value()) << 32) | piece.node.value());
    digest_.add(receiver | piece.units);
  }
  const ContainerId first = ledger_.allocate(taker, pieces, now_);
  if (application.managed != nullptr) {
    const std::uint32_t attempt = application.managed->attempt();
    ledger_.model().containers.visit_range(first, pieces.size(), [&](Container& container) {
      container.application_attempt = attempt;
    });
  }
  if (relocation_ && relocate_at_ == never) relocate_at_ = now_ + relocation_->options().interval;
  if (master_containers_) {
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      watches_.push(now_ + master_containers_->allocation_expiry,
                    {Watch::allocation, application.record.application, first + i});
    }
  }
  return first;
}

void Engine::commit_end(ApplicationId id, const std::string& reason) {
  const ApplicationState* state = applications_.find(id);
  if (state == nullptr || state->answer != Answer::accepted) {
    return refuse({.reason = RefusalReason::unknown_application, .application = id});
  }
  digest_.add(static_cast<std::uint64_t>(DigestMark::end));
  finish(id, JobOutcome::killed, reason);
}

void Engine::commit_wake_up(TraceTime at) {
  if (at <= now_) return refuse({.reason = RefusalReason::invalid_wake_up});
  digest_.add(static_cast<std::uint64_t>(DigestMark::wake));
  digest_.add(at);
  wake_at_ = at;
}

}  // namespace tracebed
