// The engine's side of preemption: what is wanted back, by the scheduler or the operator, is marked
// for preemption (coordinator/engine/preemption_ledger.h); masters are told; what is still marked
// for preemption at its deadline is killed.
#include <algorithm>
#include <utility>

#include "coordinator/engine/digest_marks.h"
#include "coordinator/engine/engine.h"
#include "coordinator/engine/engine_state.h"
#include "core/check.h"

namespace tracebed {

void Engine::commit_preemption(ContainerId id, const PreemptionTerms& terms) {
  const Container* container = ledger_.model().containers.find(id);
  if (container == nullptr) {
    return refuse({.reason = RefusalReason::unknown_container, .container = id});
  }
  digest_.add(static_cast<std::uint64_t>(DigestMark::preempt));
  digest_.add((static_cast<std::uint64_t>(terms.kind) << 32) | id.value());
  digest_.add(terms.deadline);
  request_preemption(id, *container, terms, false);
}

void Engine::commit_withdrawal(ContainerId id) {
  const PreemptionRequest* request = requests_.find(id);
  if (request == nullptr || request->is_operators) {
    return refuse({.reason = RefusalReason::not_requested, .container = id});
  }
  digest_.add(static_cast<std::uint64_t>(DigestMark::withdraw));
  digest_.add(id);
  settle(requests_.take(id), PreemptionEnd::cancelled);
}

void Engine::request_preemption(ContainerId id, const Container& container,
                                const PreemptionTerms& terms, bool by_operator) {
  if (container.is_being_killed) return;  // it comes back anyway
  if (const PreemptionRequest* request = requests_.find(id)) {
    // The operator's terms hold; a relocation gives way to whatever else it is wanted for.
    if (request->is_operators && !by_operator && !request->is_best_effort()) return;
    requests_.replace(id, terms, by_operator);
  } else {
    const Ask* ask = ledger_.model().asks.find(container.ask);
    requests_.add({.container = id,
                   .application = container.application,
                   .node = container.node,
                   .resources = container.resources,
                   .priority = ask == nullptr ? 0 : ask->priority,
                   .terms = terms,
                   .is_operators = by_operator,
                   .asked = now_});
  }
  to_tell_.insert(container.application);
}

void Engine::settle(const PreemptionRequest& request, PreemptionEnd end) {
  PreemptionRecord record{.application = request.application,
                          .container = request.container,
                          .node = request.node,
                          .resources = request.resources,
                          .kind = request.terms.kind,
                          .purpose = request.terms.purpose,
                          .asked = request.asked,
                          .told = request.told,
                          .deadline = request.terms.deadline,
                          .ended = now_,
                          .end = end};
  const Container& container = ledger_.model().containers[request.container];
  record.job = container.job;
  record.queue = container.queue;
  record.leaf = container.leaf;
  if (end != PreemptionEnd::lost && applications_.contains(request.application)) {
    to_tell_.insert(request.application);
  }
  records_.preemption_ended(record);
}

// A container ended, or is about to be taken out of the model.
void Engine::settle_requests(ContainerId id, const Container& container, ContainerEnd end) {
  if (const PreemptionRequest* request = requests_.find(id)) {
    PreemptionEnd how = PreemptionEnd::given_up;
    if (end == ContainerEnd::node_lost) {
      how = PreemptionEnd::lost;
    } else if (request->is_forced && end != ContainerEnd::succeeded) {
      how = PreemptionEnd::forced;
    } else if (end == ContainerEnd::checkpointed) {
      how = PreemptionEnd::checkpointed;
    }
    ApplicationState* state = applications_.find(request->application);
    const bool is_moved_master = container.is_master && state != nullptr &&
                                 state->managed != nullptr &&
                                 request->terms.purpose == PreemptionPurpose::move;
    if (is_moved_master) state->managed->leave(container.node);
    return settle(requests_.take(id), how);
  }
  if (end == ContainerEnd::node_lost) return;  // nobody gets that room
  std::vector<PreemptionRequest> settled;
  requests_.credit(container.application, container.resources, settled);
  for (const PreemptionRequest& request : settled) {
    settle(request, PreemptionEnd::substituted);
    if (!request.is_operators) {
      events_.push_back(PreemptionSettled{request.container, request.application});
    }
  }
}

// What went wrong while containers were marked for preemption; to be asked before the requests are
// settled.
void Engine::count_losses(ContainerId id, const Container& container, ContainerEnd end) {
  if (end == ContainerEnd::node_lost && requests_.find(id) != nullptr) ++counters_.requested_lost;
  const ApplicationState* state = applications_.find(container.application);
  const bool is_failing = container.is_master && state != nullptr && state->managed != nullptr &&
                          state->managed->container() == id && ManagedMaster::is_own_failure(end);
  if (is_failing && requests_.has_requests(container.application))
    ++counters_.masters_failed_during_preemption;
}

// What the scheduler takes without having asked, or without having set a deadline.
void Engine::commit_kill(const Kill& decision) {
  Container* container = ledger_.model().containers.find(decision.container);
  if (container == nullptr) {
    return refuse({.reason = RefusalReason::unknown_container, .container = decision.container});
  }
  digest_.add(static_cast<std::uint64_t>(DigestMark::kill));
  digest_.add(decision.container);
  if (requests_.find(decision.container) == nullptr) {
    request_preemption(decision.container, *container,
                       {.kind = PreemptionKind::strict, .deadline = now_, .is_repeated = false},
                       false);
  }
  force(decision.container);
}

void Engine::force(ContainerId id) {
  if (requests_.find(id) == nullptr) return;  // it was being killed for another reason
  digest_.add(static_cast<std::uint64_t>(DigestMark::force));
  digest_.add(id);
  requests_.force(id);
  ledger_.model().containers[id].is_preempted = true;
  order_kill(id);
}

void Engine::announce_due() {
  for (const ContainerId id : requests_.due(now_)) {
    const PreemptionRequest& request = *requests_.find(id);
    if (!request.is_operators) events_.push_back(PreemptionDue{id, request.application});
  }
}

// The scheduler had its say. True if anything was done.
bool Engine::force_due() {
  const std::vector<ContainerId> due = requests_.due(now_);
  for (const ContainerId id : due) {
    const PreemptionRequest& request = *requests_.find(id);
    if (request.is_best_effort() &&
        !(relocation_->options().is_forced && is_relocation_of_use(request))) {
      settle(requests_.take(id), PreemptionEnd::cancelled);
    } else {
      force(id);
    }
  }
  return !due.empty();
}

// Masters in the engine are told at once; the others with their answers (answer_calls). True if one
// was told.
bool Engine::notify_masters() {
  if (to_tell_.empty()) return false;
  const std::set<ApplicationId> to_tell = std::move(to_tell_);
  to_tell_.clear();
  bool was_told = false;
  std::map<ApplicationId, std::vector<HeldContainer>> held;
  for (const ApplicationId id : to_tell) {
    const ApplicationState* state = applications_.find(id);
    if (state != nullptr && state->managed == nullptr) held[id];
  }
  list_held(held);
  for (const auto& [id, containers] : held) {
    ApplicationState* state = applications_.find(id);
    if (state == nullptr) continue;
    state->master->preempted(now_, requests_.tell(id, now_), containers, actions_);
    perform_actions(id);
    was_told = true;
  }
  return was_told;
}

// Fills in what each of the applications holds.
void Engine::list_held(std::map<ApplicationId, std::vector<HeldContainer>>& held) const {
  if (held.empty()) return;
  ledger_.model().containers.for_each([&](ContainerId id, const Container& container) {
    const bool is_task = container.is_launched && !container.is_master && !container.is_orphan;
    const auto list = is_task ? held.find(container.application) : held.end();
    if (list == held.end()) return;
    const TraceTime begun = container.is_held && container.work_begun == TraceTime()
                                ? never
                                : std::max(container.work_begun, container.allocated);
    list->second.push_back({.container = id,
                            .node = container.node,
                            .resources = container.resources,
                            .task = container.task,
                            .units = container.units,
                            .work_begun = begun,
                            .is_going = container.is_being_killed || container.is_checkpointing});
  });
}

void Engine::checkpoint(ContainerId id) {
  Container& container = ledger_.model().containers[id];
  TRACEBED_CHECK(container.is_launched && !container.is_master,
                 "a master has only tasks that it launched keep their progress");
  if (container.is_being_killed || container.is_checkpointing) return;
  container.is_checkpointing = true;
  digest_.add(static_cast<std::uint64_t>(DigestMark::checkpoint));
  digest_.add(id);
  commands_->push_back(CheckpointContainer{id, container.node});
}

}  // namespace tracebed
