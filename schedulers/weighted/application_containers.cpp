#include "schedulers/weighted/application_containers.h"

#include <algorithm>

#include "core/check.h"
#include "core/visit.h"

namespace tracebed {

void ApplicationContainers::follow(const SchedulerInput& input) {
  const bool was_refused =
      std::any_of(input.events.begin(), input.events.end(), [](const SchedulerEvent& event) {
        const auto* const refused = std::get_if<Refused>(&event);
        return refused != nullptr && refused->ask.is_valid();
      });
  // Which proposal was refused cannot always be told from the event: of a gang it names one node.
  if (was_refused) {
    counts_ = counted(input.cluster);
    return;
  }
  for (const SchedulerEvent& event : input.events) {
    visit_all(
        event, [&](const ContainerFinished& ended) { take(ended.application, ended.node); },
        [&](const ContainerRecovered& found) { add(found.application, found.node); },
        Ignore<NodeAdded, NodeRemoved, NodeUpdated, ApplicationAdded, ApplicationRemoved,
               AskChanged, AskRemoved, PreemptionSettled, PreemptionDue, Tick, DecisionMade,
               Refused>{});
  }
}

void ApplicationContainers::take(ApplicationId application, NodeId node) {
  const auto found = counts_.find({application, node});
  TRACEBED_CHECK(found != counts_.end(), "only what was counted is taken back");
  if (--found->second == 0) counts_.erase(found);
}

std::uint32_t ApplicationContainers::counts_of(ApplicationId application, std::size_t nodes,
                                               std::vector<std::uint32_t>& counts) const {
  counts.assign(nodes, 0);
  std::uint32_t most = 0;
  for (auto entry = counts_.lower_bound({application, NodeId(0u)});
       entry != counts_.end() && entry->first.first == application; ++entry) {
    counts[entry->first.second.index()] = entry->second;
    most = std::max(most, entry->second);
  }
  return most;
}

ApplicationContainers::Counts ApplicationContainers::counted(const ClusterModel& cluster) {
  Counts counts;
  cluster.containers.for_each([&](ContainerId, const Container& container) {
    ++counts[{container.application, container.node}];
  });
  return counts;
}

}  // namespace tracebed
