// Keeps what queues and applications use, and their order: who is offered nodes, and who first
// (FSLeafQueue.fetchAppsWithDemand, FSParentQueue.assignContainer). Only who changed is moved.
#pragma once

#include "schedulers/yarn/fair/fair_settings.h"
#include "schedulers/yarn/fair/live_queue.h"

namespace tracebed {

class FairOrder {
 public:
  // `settings` outlives it.
  explicit FairOrder(const FairSettings& settings) : settings_(settings) {}

  // To be followed by a refresh of everything.
  void set_cluster(const Resources& cluster) { cluster_ = cluster; }
  const Resources& cluster() const { return cluster_; }

  // What the application uses changed, by an amount that may be negative. To be followed by a
  // refresh of the application.
  void charge(LiveApplication& application, const Resources& change);
  // Something else that counts for its order changed: what it wants, its demand, weight or share,
  // or whether it is runnable. An application is offered nodes if it is runnable, the last update
  // saw it want something, and it still does.
  void refresh(LiveApplication& application);
  // The queue's own figures changed, or who it has to offer.
  void refresh(LiveQueue& changed);
  // To be called before an ask's demand changes and before the ask goes.
  void uncount(LiveApplication& application, LiveAsk& ask);

  // Demands of all asks that are offered nodes.
  const DemandCensus& wanted() const { return wanted_; }

  // Where it stands, or would.
  ShareKey key(const LiveApplication& application) const;
  ShareKey key(const LiveQueue& queue) const;
  // True if the calculator of the leaf's policy finds less in `usage` than in `share`
  // (FSAppAttempt.isUsageBelowShare).
  bool is_below(const LiveQueue& leaf, const Resources& usage, const Resources& share) const;
  // True if its use is below its fair share (FSAppAttempt.isStarvedForFairShare).
  bool is_starved(const LiveApplication& application) const;
  // True if the policy's calculator finds the demand at least the threshold for reservations.
  bool is_reservable(const LiveQueue& leaf, const Resources& demand) const;

 private:
  void count_asks(LiveApplication& application, bool is_offered);
  bool could_reserve(const LiveApplication& application) const;
  void place_application(LiveApplication& application, bool is_offered);
  void count_reserving(LiveApplication& application, bool may_reserve);

  const FairSettings& settings_;
  Resources cluster_;
  DemandCensus wanted_;
};

}  // namespace tracebed
