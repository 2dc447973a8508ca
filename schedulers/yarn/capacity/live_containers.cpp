#include "schedulers/yarn/capacity/live_containers.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace tracebed {
namespace {

constexpr std::uint32_t no_slot = std::numeric_limits<std::uint32_t>::max();

}  // namespace

LiveContainers::LiveContainers(const CapacityState& state, const ClusterModel& cluster,
                               const ClosedPriorities& closed)
    : state_(state), cluster_(cluster), closed_(closed) {
  applications_.reserve(state.applications().size());
  state.applications().for_each([&](ApplicationId id, const RunningApplication& application) {
    if (!first_.is_valid()) first_ = id;
    slots_.resize(id.index() - first_.index() + 1, no_slot);
    slots_.back() = static_cast<std::uint32_t>(applications_.size());
    applications_.push_back({&application, {}, false, {}, {}, {}});
    applications_.back().live.reserve(application.containers);
  });
  cluster.containers.for_each(
      [&](ContainerId id, const Container& container) { add(id, container); });
}

void LiveContainers::add(ContainerId id, const Container& container) {
  // Of an application that is gone its last containers are on their way out.
  if (!first_.is_valid() || container.application < first_) return;
  const std::size_t offset = container.application.index() - first_.index();
  if (offset >= slots_.size() || slots_[offset] == no_slot) return;
  OfApplication& owner = applications_[slots_[offset]];
  const PartitionIndex partition = state_.partitions().of(container.node);
  if (container.is_being_killed) {
    add_to(owner.leaving, partition, container.resources);
    leaving_on_[container.node] += container.resources;
    return;
  }
  const Ask* ask = container.is_launched ? nullptr : cluster_.asks.find(container.ask);
  const bool is_master = container.is_master || (ask != nullptr && ask->is_master);
  if (is_master) add_to(owner.masters, partition, container.resources);
  owner.live.push_back({id, &container, partition, 0, is_master, false});
}

std::int32_t LiveContainers::priority_of(const Container& container) const {
  if (const OpenAsk* ask = state_.ask(container.ask)) return ask->priority;
  const auto closed = closed_.find(container.application);
  if (closed == closed_.end()) return 0;
  const auto found = closed->second.find(container.ask);
  return found == closed->second.end() ? 0 : found->second;
}

LiveContainers::OfApplication& LiveContainers::in_order_of(ApplicationId application) {
  OfApplication& owner = of(application);
  if (owner.is_in_order) return owner;
  owner.is_in_order = true;
  for (LiveContainer& each : owner.live) each.priority = priority_of(*each.container);
  std::sort(owner.live.begin(), owner.live.end(),
            [](const LiveContainer& a, const LiveContainer& b) {
              return a.priority != b.priority ? a.priority > b.priority : a.id > b.id;
            });
  return owner;
}

std::map<NodeId, std::vector<LiveContainer*>> LiveContainers::by_node() {
  std::map<NodeId, std::vector<LiveContainer*>> by_node;
  for (OfApplication& owner : applications_) {
    for (LiveContainer& each : owner.live) by_node[each.container->node].push_back(&each);
  }
  return by_node;
}

const Resources& LiveContainers::leaving_on(NodeId node) const {
  static const Resources nothing;
  const auto found = leaving_on_.find(node);
  return found == leaving_on_.end() ? nothing : found->second;
}

}  // namespace tracebed
