#include "schedulers/weighted/application_containers.h"

#include <algorithm>

#include "core/check.h"

namespace tracebed {

template <class Owner>
std::uint32_t ApplicationContainers::filled(const Counts<Owner>& all, Owner owner,
                                            std::size_t nodes, std::vector<std::uint32_t>& counts) {
  counts.assign(nodes, 0);
  std::uint32_t most = 0;
  for (auto entry = all.lower_bound({owner, NodeId(0u)});
       entry != all.end() && entry->first.first == owner; ++entry) {
    counts[entry->first.second.index()] = entry->second;
    most = std::max(most, entry->second);
  }
  return most;
}
template std::uint32_t ApplicationContainers::filled(const Counts<ApplicationId>&, ApplicationId,
                                                     std::size_t, std::vector<std::uint32_t>&);
template std::uint32_t ApplicationContainers::filled(const Counts<UserId>&, UserId, std::size_t,
                                                     std::vector<std::uint32_t>&);

template <class Owner>
void ApplicationContainers::take_one(Counts<Owner>& counts, Owner owner, NodeId node) {
  const auto found = counts.find({owner, node});
  TRACEBED_CHECK(found != counts.end(), "only what was counted is taken back");
  if (--found->second == 0) counts.erase(found);
}

void ApplicationContainers::follow(const SchedulerInput& input) {
  const bool was_refused =
      std::any_of(input.events.begin(), input.events.end(), [](const SchedulerEvent& event) {
        const auto* const refused = std::get_if<Refused>(&event);
        return refused != nullptr && refused->ask.is_valid();
      });
  for (const SchedulerEvent& event : input.events) {
    const auto* const found = std::get_if<ContainerRecovered>(&event);
    if (found == nullptr) continue;
    add(found->application, input.cluster.applications[found->application].user, found->node);
  }
  // Which proposal was refused cannot always be told from the event: of a gang it names one node.
  if (was_refused) return count_anew(input.cluster);
  for (const SchedulerEvent& event : input.events) {
    const auto* const ended = std::get_if<ContainerFinished>(&event);
    if (ended != nullptr) take(ended->application, ended->node);
  }
}

void ApplicationContainers::add(ApplicationId application, UserId user, NodeId node) {
  ++applications_[{application, node}];
  ++users_[{user, node}];
  user_of_.emplace(application, user);
}

void ApplicationContainers::take(ApplicationId application, NodeId node) {
  take_one(applications_, application, node);
  const auto user = user_of_.find(application);
  take_one(users_, user->second, node);
  const auto next = applications_.lower_bound({application, NodeId(0u)});
  const bool has_others = next != applications_.end() && next->first.first == application;
  if (!has_others) user_of_.erase(user);
}

// Applications that have containers were all counted before, closed ones, too.
void ApplicationContainers::count_anew(const ClusterModel& cluster) {
  const std::map<ApplicationId, UserId> users = std::move(user_of_);
  applications_.clear();
  users_.clear();
  user_of_.clear();
  cluster.containers.for_each([&](ContainerId, const Container& container) {
    const auto user = users.find(container.application);
    if (user != users.end()) add(container.application, user->second, container.node);
  });
}

}  // namespace tracebed
