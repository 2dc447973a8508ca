// The ledger of preemption requests: which container is marked for preemption, and until when
// (core/preemption.h). A request opens when a container is marked. It is settled when the container
// ends, when it is withdrawn, or, where its terms allow, when the application gave up as much of
// something else: every other container of the application that ends meanwhile is credited to it,
// and credit settles the negotiable requests that it covers, oldest first. It does not matter why a
// container ends: resources are equally free whether it ends by itself or is killed.
//
// The ledger has no clock and kills nothing; the engine queries which requests are due.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/cluster_model.h"
#include "core/ids.h"
#include "core/preemption.h"
#include "core/resources.h"
#include "core/time.h"

namespace tracebed {

struct PreemptionRequest {
  ContainerId container;
  ApplicationId application;
  NodeId node;
  Resources resources;
  std::int32_t priority = 0;  // of the ask that it was given to
  PreemptionTerms terms;
  bool is_administrators = false;  // otherwise the scheduler's
  TraceTime asked{};
  TraceTime notified = never;
  // Its deadline has come: it is being killed, and its master is no longer notified of it.
  bool is_forced = false;
  // It is being killed with everything that an attempt at its master left behind; the next attempt
  // is not notified of it.
  bool is_orphaned = false;

  // Of the engine's relocate policy (relocation.h). A scheduler's own requests to relocate are
  // preemption requests like any other of its own.
  bool is_best_effort() const {
    return is_administrators && terms.purpose == PreemptionPurpose::relocate;
  }
};

class PreemptionLedger {
 public:
  bool empty() const { return requests_.empty(); }
  // Null if the container is not marked for preemption.
  const PreemptionRequest* find(ContainerId container) const;
  bool has_requests(ApplicationId application) const {
    return by_application_.contains(application);
  }

  // Marks the container, which is not marked for preemption yet.
  void add(PreemptionRequest request);
  // Replaces the terms of a container that is marked for preemption already.
  void replace(ContainerId container, const PreemptionTerms& terms, bool is_administrators);
  // Unmarks the container, which must be marked for preemption.
  PreemptionRequest take(ContainerId container);
  // A container that is not marked for preemption ended. Removes the requests that this settles and
  // appends them.
  void credit(ApplicationId application, const Resources& resources,
              std::vector<PreemptionRequest>& settled);
  // Marks it as being killed; it is kept until it ends.
  void force(ContainerId container);
  // No master is notified of it any more; it is kept until it ends.
  void orphan(ContainerId container) { requests_.at(container).is_orphaned = true; }

  // The earliest deadline that was not forced yet; `never` without one.
  TraceTime next_deadline() const { return deadlines_.empty() ? never : deadlines_.begin()->first; }
  // Calls visit(const PreemptionRequest&) for each, by container.
  template <class Visitor>
  void for_each(Visitor&& visit) const {
    for (const auto& [container, request] : requests_) visit(request);
  }
  // Those whose deadline is not after `now`, by deadline and then container, not yet forced.
  std::vector<ContainerId> due(TraceTime now) const;

  // The message for the application, which counts as sent then: what was in one message is left out
  // of the next. Empty parts are absent.
  PreemptionMessage next_message(ApplicationId application, TraceTime now);

 private:
  using Opened = std::pair<TraceTime, ContainerId>;  // since when, what
  struct Account {
    std::set<Opened> requests;
    Resources credit;
  };
  void arm(const PreemptionRequest& request);
  void disarm(const PreemptionRequest& request);

  std::map<ContainerId, PreemptionRequest> requests_;
  std::map<ApplicationId, Account> by_application_;
  std::set<std::pair<TraceTime, ContainerId>> deadlines_;
};

}  // namespace tracebed
