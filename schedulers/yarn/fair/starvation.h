// Which applications starve under the Fair Scheduler (FSAppAttempt.fairShareStarvation,
// FSLeafQueue.updateStarvedApps and minShareStarvation).
//
// By share: an application whose use is below d = min(share × threshold, demand), by its leaf's
//   policy, for its leaf's fairSharePreemptionTimeout or longer; it lacks d − use. Applications
//   that want something are looked at in the order of the policy, up to the first that does not
//   starve so: it has its share, or not yet waited long enough.
// By minimum: a leaf that uses less than min(minimum, demand), in any dimension, for its
//   minSharePreemptionTimeout or longer. What it lacks beyond what its applications lack by share
//   is spread over them in the same order, to each at most what it wants.
//
// As in the original a clock holds the time at which the application, or the leaf, was last found
// to have its part: an application that a look does not reach has an old clock, and so have all
// while too little of the cluster is used for looks.
//
// Deviations, each on purpose:
// - [fair-lacked-minimum] Of what a leaf lacks of its minimum the original gives an
//   application that wants more than is left what it wants less what is left, which is not
//   meant.
// - [fair-looks] The original looks at every update interval; here a look is only taken when
//   something changed since the last one, or a timeout expires, and those that had their part at
//   that one had it until just before this one.
#pragma once

#include <vector>

#include "schedulers/yarn/fair/fair_order.h"
#include "schedulers/yarn/fair/fair_queue_tree.h"
#include "schedulers/yarn/fair/running_limits.h"

namespace tracebed {

struct StarvedApplication {
  LiveApplication* application = nullptr;
  Resources by_share;
  Resources by_minimum;

  Resources total() const { return by_share + by_minimum; }
};

// The result of one look; it changes nothing until it is recorded.
struct StarvationSight {
  struct Leaf {
    LiveQueue* leaf = nullptr;
    ApplicationId content;  // the application at which the look ended since it has its share
    bool is_at_minimum = true;
  };
  std::vector<Leaf> leaves;
  std::vector<StarvedApplication> seen;     // figures to be recorded, including zero ones
  std::vector<StarvedApplication> starved;  // in the order in which they are helped
  TraceTime next = never;                   // when a timeout expires, if nothing changes before
};

class Starvation {
 public:
  // All arguments outlive it.
  Starvation(const FairQueueTree& tree, LiveApplications& applications, const FairOrder& order)
      : tree_(tree), applications_(applications), order_(order) {}

  // `before` is when the last look before `now` would have been taken. The starved are helped in
  // the order of what they lack, the least first (FSStarvedApps).
  StarvationSight look(TraceTime now, TraceTime before) const;
  void note(const StarvationSight& sight, TraceTime before);
  // No look is taken although one is due; clocks stop from `before` on.
  void rest(TraceTime before);

  // What a leaf lacks of min(minimum, demand) now, whatever the timeout.
  static Resources missing_minimum(const LiveQueue& leaf);

 private:
  void look_at(LiveQueue& leaf, TraceTime now, TraceTime before, StarvationSight& sight) const;
  // Those of the leaf that were checked are in sight.seen from `first` on.
  void look_at_minimum(LiveQueue& leaf, TraceTime now, TraceTime before, std::size_t first,
                       StarvationSight& sight) const;
  void spread(const LiveQueue& leaf, Resources missing, TraceTime now, std::size_t first,
              StarvationSight& sight) const;
  void forward(LiveQueue& leaf, TraceTime before);

  const FairQueueTree& tree_;
  LiveApplications& applications_;
  const FairOrder& order_;
};

}  // namespace tracebed
