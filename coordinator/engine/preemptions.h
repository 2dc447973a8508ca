// Containers marked for preemption: opens, replaces and settles the requests of the ledger
// (coordinator/engine/preemption_ledger.h), records how each ended, and knows which applications'
// masters are to be notified. It kills nothing.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "coordinator/engine/container_state.h"
#include "coordinator/engine/preemption_ledger.h"
#include "coordinator/engine/step_context.h"
#include "core/application_master.h"
#include "core/cluster_model.h"
#include "core/preemption.h"

namespace tracebed {

// The source of a request. An administrator's terms take precedence over the scheduler's.
enum class PreemptionSource : std::uint8_t { scheduler, administrator };

class Preemptions {
 public:
  // All outlive this.
  Preemptions(const ClusterModel& cluster, const ContainerStates& states, StepContext& context)
      : cluster_(cluster), states_(states), context_(context) {}

  const PreemptionLedger& ledger() const { return ledger_; }
  bool empty() const { return ledger_.empty(); }
  // The container's request, or null.
  const PreemptionRequest* find(ContainerId id) const { return ledger_.find(id); }
  // When the next deadline is; `never` without one.
  TraceTime next_deadline() const { return ledger_.next_deadline(); }

  // Marks a live container. One that is being killed already is ignored.
  void request(ContainerId id, const PreemptionTerms& terms, PreemptionSource source);
  // The container's request is withdrawn: it has no further effect.
  void cancel(ContainerId id);
  // The container's request is enforced: its deadline has come, or no master will answer it.
  void force(ContainerId id) { ledger_.force(id); }
  // The container was left behind by a failed attempt at its master: no master is notified of it
  // any more.
  void orphan(ContainerId id);
  // A container ended and is about to leave the model: settles its own request, or those that are
  // fulfilled by the resources it frees.
  void container_ended(ContainerId id, const Container& container, ContainerEnd end);

  // Notifies the scheduler of its requests whose deadline has come, so that it may withdraw them.
  void announce_due();
  // Containers whose deadline has come and that are not forced yet.
  std::vector<ContainerId> due() const { return ledger_.due(context_.now()); }

  bool have_changed() const { return !changed_.empty(); }
  // Applications whose requests changed since the last call, ascending.
  std::set<ApplicationId> take_changed() { return std::exchange(changed_, {}); }
  // The message for the application's master; counts as sent then.
  PreemptionMessage message_for(ApplicationId id) {
    return ledger_.next_message(id, context_.now());
  }
  // Fills in the tasks' containers that each of the applications holds.
  void list_held(std::map<ApplicationId, std::vector<HeldContainer>>& held) const;

 private:
  void settle(const PreemptionRequest& request, PreemptionEnd end);

  const ClusterModel& cluster_;
  const ContainerStates& states_;
  StepContext& context_;
  PreemptionLedger ledger_;
  std::set<ApplicationId> changed_;
};

}  // namespace tracebed
