// Keeps what queues and applications use, and their order: which are offered nodes, and which first
// (FSLeafQueue.fetchAppsWithDemand, FSParentQueue.assignContainer). Only those that changed are
// moved.
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
  // Something else that affects its order changed: its pending units, its demand, weight or share,
  // or whether it is runnable. An application is offered nodes if it is runnable, it had pending
  // units at the last update, and it still does.
  void refresh(LiveApplication& application);
  // The queue's own figures changed, or which members it offers nodes to.
  void refresh(LiveQueue& changed);
  // To be called before an ask's demand changes and before the ask is removed.
  void uncount(LiveApplication& application, LiveAsk& ask);

  // Demands of all asks that are offered nodes.
  const DemandCensus& wanted() const { return wanted_; }

  // Its key in the order, or the one it would have.
  ShareKey key(const LiveApplication& application) const;
  ShareKey key(const LiveQueue& queue) const;
  // True if `usage` is less than `share` by the calculator of the leaf's policy
  // (FSAppAttempt.isUsageBelowShare).
  bool is_below(const LiveQueue& leaf, const Resources& usage, const Resources& share) const;
  // True if its use is below its fair share (FSAppAttempt.isStarvedForFairShare).
  bool is_starved(const LiveApplication& application) const;
  // True if the demand is at least the threshold for reservations, by the policy's calculator.
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
