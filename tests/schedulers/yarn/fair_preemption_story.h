// Stories of preemption under the Fair Scheduler: a node full of one queue's containers, and
// somebody who starves.
#pragma once

#include "schedulers/explained_figures.h"
#include "schedulers/yarn/fair_story.h"

namespace tracebed {

// Settings with preemption on, over `more`.
inline SettingValues with_preemption(SettingValues more = {}) {
  more.emplace("preemption.enabled", "true");
  return more;
}

class PreemptionStory : public FairStory {
 public:
  explicit PreemptionStory(const std::string& allocations, SettingValues settings = {})
      : FairStory(allocations, with_preemption(std::move(settings))) {}

  // `units` of 1024 MiB and a core each, of one application, given on the node.
  ApplicationId fill(const std::string& queue, NodeId node, std::uint32_t units,
                     const Resources& demand = {1000, 1024}) {
    const ApplicationId id = run({.queue = queue}, {.demand = demand, .pending = units});
    harness().advance(milliseconds(500));
    beat(node, units);
    return id;
  }
  // Lets time pass; what was taken back then.
  std::string after(Duration duration) {
    harness().advance(duration);
    scheduler().verify();
    harness().verify();
    return harness().taken_back();
  }
  std::string application_figure(ApplicationId id, const std::string& name) {
    for (const ApplicationView& view : scheduler().view(harness().cluster()).applications) {
      if (view.application == id) return test::text_of(view.figures, name);
    }
    return "none";
  }
  std::vector<PreemptionView> preemptions() {
    return scheduler().view(harness().cluster()).preemptions;
  }
};

// Two queues; who has less than half of its share for ten seconds starves.
inline const std::string two_queues =
    "<queue name='a'/><queue name='b'/>"
    "<defaultFairSharePreemptionTimeout>10</defaultFairSharePreemptionTimeout>";

}  // namespace tracebed
