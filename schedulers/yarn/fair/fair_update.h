// Updates demands and instantaneous fair shares (FairScheduler.update, which the original's
// UpdateThread calls every update interval and when nodes come or go). Between two updates they
// stay as they are, whatever happens: an application is offered nothing for asks that no update has
// seen. What is used, and with it which is next, is never out of date.
#pragma once

#include <deque>
#include <vector>

#include "schedulers/yarn/fair/fair_order.h"
#include "schedulers/yarn/fair/fair_queue_tree.h"
#include "schedulers/yarn/fair/running_limits.h"

namespace tracebed {

class FairUpdate {
 public:
  // All arguments outlive it.
  FairUpdate(const FairSettings& settings, FairQueueTree& tree, LiveApplications& applications,
             FairOrder& order)
      : settings_(settings), tree_(tree), applications_(applications), order_(order) {}

  // ---- what makes an update necessary ----
  // The application's `wanted` changed, or it is new.
  void out_of_date(LiveApplication& application);
  // Queues, the cluster, their limits or settings changed, so that everything is computed again.
  void all_out_of_date() { is_all_out_of_date_ = true; }
  // Applications became runnable, or ceased to be, or left.
  void members_changed(LiveQueue& leaf) {
    have_members_changed_ = true;
    leaf_changed(leaf);
  }
  // An application began whose weight changes with its age.
  void watch_age(const LiveApplication& application);

  // To be called before queues are removed.
  void forget_leaves();

  // True if an update would change something. When it would, if only time has to pass: never or
  // the time at which an application grows old.
  bool is_due() const { return is_all_out_of_date_ || have_members_changed_ || !changed_.empty(); }
  TraceTime next_change_of_age() const;

  void run(TraceTime now);

 private:
  void take_demands(TraceTime now);
  void take_ages(TraceTime now);
  void take_all_demands();
  void take_demand(LiveQueue& leaf);
  // Records that a leaf's demand, or the shares of its applications, must be updated.
  void leaf_changed(LiveQueue& leaf);
  void share_out(LiveQueue& queue);
  void share_out_to_applications(LiveQueue& leaf);
  float weight_of(const LiveApplication& application, TraceTime now) const;
  Resources divided(const LiveQueue& queue) const;

  const FairSettings& settings_;
  FairQueueTree& tree_;
  LiveApplications& applications_;
  FairOrder& order_;
  bool is_all_out_of_date_ = true;
  bool have_members_changed_ = false;
  std::vector<ApplicationId> changed_;  // may have ended since
  std::vector<LiveQueue*> changed_leaves_;
  std::deque<std::pair<TraceTime, ApplicationId>> ages_;  // when they grow old, ascending
};

}  // namespace tracebed
