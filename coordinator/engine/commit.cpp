// How the engine asks its scheduler, and checks and commits what it decided.
#include <algorithm>

#include "coordinator/engine/engine.h"
#include "coordinator/engine/engine_state.h"
#include "core/check.h"

namespace tracebed {
namespace {

// What a decision contributes to the digest, so that equal fields of different kinds differ.
enum class DigestMark : std::uint64_t { accept = 1, reject, allocate, kill, wake, launch, finish };

}  // namespace

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
    decisions_.clear();
    ++counters_.decide_calls;
    if (meter_ != nullptr) meter_->decide_begins();
    scheduler_->decide(SchedulerInput{now_, batch_, ledger_.model()}, decisions_);
    if (meter_ != nullptr) meter_->decide_ended();
    for (const Decision& decision : decisions_.list()) commit(decision);
  }
}

void Engine::commit(const Decision& decision) {
  ++counters_.decisions;
  if (const auto* allocate = std::get_if<Allocate>(&decision)) {
    commit_allocation(allocate->ask, allocate->node);
  } else if (const auto* gang = std::get_if<AllocateGang>(&decision)) {
    commit_gang(*gang);
  } else if (const auto* accept = std::get_if<Accept>(&decision)) {
    commit_accept(accept->application);
  } else if (const auto* reject = std::get_if<Reject>(&decision)) {
    commit_reject(*reject);
  } else if (const auto* kill = std::get_if<Kill>(&decision)) {
    commit_kill(*kill);
  } else {
    commit_wake_up(std::get<WakeAt>(decision).at);
  }
}

void Engine::refuse(Refused refusal) {
  ++counters_.refusals;
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
  digest_.add(static_cast<std::uint64_t>(DigestMark::accept));
  digest_.add(id);
  state->master->start(now_, actions_);
  perform_actions(id);
}

void Engine::commit_reject(const Reject& decision) {
  const ApplicationState* state = applications_.find(decision.application);
  if (state == nullptr) {
    return refuse(
        {.reason = RefusalReason::unknown_application, .application = decision.application});
  }
  if (state->answer != Answer::awaited) {
    return refuse({.reason = RefusalReason::already_answered, .application = decision.application});
  }
  digest_.add(static_cast<std::uint64_t>(DigestMark::reject));
  finish(decision.application, JobOutcome::rejected, decisions_.reason(decision));
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
  } else if (!ask->relax_locality && preferred_at(ask->nodes, node_id) == 0 &&
             preferred_at(ask->racks, model.node(node_id).rack) == 0) {
    refusal.reason = RefusalReason::place_not_allowed;
  } else {
    const ApplicationId application = ask->application;
    grant(ledger_.taker(ask_id), node_id, 1, applications_[application]);
    return perform_actions(application);
  }
  refuse(refusal);
}

void Engine::commit_gang(const AllocateGang& decision) {
  const ClusterModel& model = ledger_.model();
  const Ask* ask = model.asks.find(decision.ask);
  Refused refusal{.reason = RefusalReason::unknown_ask, .ask = decision.ask};
  if (ask == nullptr) return refuse(refusal);
  refusal.application = ask->application;
  const std::span<const GangPiece> pieces = decisions_.pieces(decision);
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
    if (!(ask->demand * piece.units).fits_in(model.node(piece.node).free)) {
      refusal.reason = RefusalReason::does_not_fit;
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
  const Ledger::Taker taker = ledger_.taker(decision.ask);
  for (const GangPiece& piece : pieces) grant(taker, piece.node, piece.units, application);
  perform_actions(application_id);
}

void Engine::grant(const Ledger::Taker& taker, NodeId node_id, std::uint32_t units,
                   ApplicationState& application) {
  const auto [id, container] = ledger_.allocate(taker, node_id, units, now_);
  ++counters_.allocations;
  cluster_changed_ = true;
  digest_.add(static_cast<std::uint64_t>(DigestMark::allocate));
  digest_.add(now_);
  digest_.add((static_cast<std::uint64_t>(taker.id.value()) << 32) | node_id.value());
  digest_.add((static_cast<std::uint64_t>(container.application.value()) << 32) | units);

  if (application.record.first_allocated == never) {
    application.record.first_allocated = now_;
    --jobs_waiting_;
  }
  container.job = application.record.job;
  while (application.asks[container.ask_slot] != taker.id) ++container.ask_slot;
  const RackId rack = ledger_.model().node(node_id).rack;
  application.master->granted(now_, Grant{id, container.ask_slot, node_id, rack, units}, actions_);
  if (master_containers_) {
    watches_.push(now_ + master_containers_->allocation_expiry,
                  {Watch::allocation, container.application, id});
  }
}

void Engine::commit_kill(const Kill& decision) {
  if (!ledger_.model().containers.contains(decision.container)) {
    return refuse({.reason = RefusalReason::unknown_container, .container = decision.container});
  }
  digest_.add(static_cast<std::uint64_t>(DigestMark::kill));
  digest_.add(decision.container);
  order_kill(decision.container);
}

void Engine::commit_wake_up(TraceTime at) {
  if (at <= now_) return refuse({.reason = RefusalReason::invalid_wake_up});
  digest_.add(static_cast<std::uint64_t>(DigestMark::wake));
  digest_.add(at);
  wake_at_ = at;
}

}  // namespace tracebed
