#include "coordinator/engine/preemptions.h"

#include <algorithm>

namespace tracebed {
namespace {

PreemptionEnd preemption_end(const PreemptionRequest& request, ContainerEnd end) {
  if (end == ContainerEnd::node_lost) return PreemptionEnd::lost;
  if (request.is_forced && end != ContainerEnd::succeeded) return PreemptionEnd::forced;
  return end == ContainerEnd::checkpointed ? PreemptionEnd::checkpointed : PreemptionEnd::given_up;
}

}  // namespace

void Preemptions::request(ContainerId id, const PreemptionTerms& terms, PreemptionSource source) {
  const Container& container = cluster_.containers[id];
  if (container.is_being_killed) return;  // it comes back anyway
  const bool by_administrator = source == PreemptionSource::administrator;
  if (const PreemptionRequest* known = ledger_.find(id)) {
    // A relocation gives way to whatever else the container is marked for.
    if (known->is_administrators && !by_administrator && !known->is_best_effort()) return;
    ledger_.replace(id, terms, by_administrator);
  } else {
    const Ask* ask = cluster_.asks.find(container.ask);
    ledger_.add({.container = id,
                 .application = container.application,
                 .node = container.node,
                 .resources = container.resources,
                 .priority = ask == nullptr ? 0 : ask->priority,
                 .terms = terms,
                 .is_administrators = by_administrator,
                 .asked = context_.now()});
  }
  changed_.insert(container.application);
}

void Preemptions::cancel(ContainerId id) {
  settle(ledger_.take(id), PreemptionEnd::cancelled);
}

void Preemptions::orphan(ContainerId id) {
  if (ledger_.find(id) != nullptr) ledger_.orphan(id);
}

void Preemptions::container_ended(ContainerId id, const Container& container, ContainerEnd end) {
  if (const PreemptionRequest* request = ledger_.find(id)) {
    if (end == ContainerEnd::node_lost) ++context_.counters.requested_lost;
    const PreemptionEnd how = preemption_end(*request, end);
    return settle(ledger_.take(id), how);
  }
  if (end == ContainerEnd::node_lost) return;  // nobody gets that room
  std::vector<PreemptionRequest> settled;
  ledger_.credit(container.application, container.resources, settled);
  for (const PreemptionRequest& request : settled) {
    settle(request, PreemptionEnd::substituted);
    if (!request.is_administrators) {
      context_.events.push_back(PreemptionSettled{request.container, request.application});
    }
  }
}

void Preemptions::settle(const PreemptionRequest& request, PreemptionEnd end) {
  const ContainerState& state = states_[request.container];
  context_.records.preemption_ended({.application = request.application,
                                     .job = state.job,
                                     .queue = state.queue,
                                     .leaf = state.leaf,
                                     .container = request.container,
                                     .node = request.node,
                                     .resources = request.resources,
                                     .kind = request.terms.kind,
                                     .purpose = request.terms.purpose,
                                     .asked = request.asked,
                                     .notified = request.notified,
                                     .deadline = request.terms.deadline,
                                     .ended = context_.now(),
                                     .end = end});
  if (end != PreemptionEnd::lost && cluster_.applications.contains(request.application)) {
    changed_.insert(request.application);
  }
}

void Preemptions::announce_due() {
  for (const ContainerId id : due()) {
    const PreemptionRequest& request = *ledger_.find(id);
    if (!request.is_administrators)
      context_.events.push_back(PreemptionDue{id, request.application});
  }
}

void Preemptions::list_held(std::map<ApplicationId, std::vector<HeldContainer>>& held) const {
  if (held.empty()) return;
  cluster_.containers.for_each([&](ContainerId id, const Container& container) {
    if (!container.is_launched || container.is_master) return;
    const auto list = held.find(container.application);
    if (list == held.end()) return;
    const ContainerState& state = states_[id];
    if (state.is_orphan) return;
    const TraceTime begun = state.is_held && state.work_begun == TraceTime()
                                ? never
                                : std::max(state.work_begun, container.allocated);
    list->second.push_back({.container = id,
                            .node = container.node,
                            .resources = container.resources,
                            .task = state.task,
                            .units = container.units,
                            .work_begun = begun,
                            .is_going = container.is_being_killed || state.is_checkpointing});
  });
}

}  // namespace tracebed
