#include "applications/master_harness.h"

#include <algorithm>

#include "core/check.h"

namespace tracebed {
namespace {

template <class PlaceId>
void take_one(std::vector<PlaceCount<PlaceId>>& counts, PlaceId place) {
  const auto entry = std::find_if(counts.begin(), counts.end(),
                                  [&](const auto& candidate) { return candidate.place == place; });
  TRACEBED_CHECK(entry != counts.end() && entry->count > 0,
                 "a master takes back only what it stated");
  --entry->count;
}

template <class PlaceId>
bool is_sorted(const std::vector<PlaceCount<PlaceId>>& counts) {
  return std::adjacent_find(counts.begin(), counts.end(), [](const auto& a, const auto& b) {
           return a.place >= b.place;
         }) == counts.end();
}

}  // namespace

void MasterHarness::start() {
  master_.start(now_, actions_);
  perform();
}

ContainerId MasterHarness::grant(AskSlot slot, NodeId node, RackId rack, std::uint32_t units) {
  SetAsk& ask = asks_.at(slot);
  TRACEBED_CHECK(ask.pending >= units, "only what is asked for is granted");
  ask.pending -= units;
  const ContainerId container(next_container_++);
  granted_[container] = node;
  master_.granted(now_, Grant{container, slot, node, rack, units}, actions_);
  perform();
  return container;
}

void MasterHarness::end(ContainerId container, ContainerEnd how) {
  const NodeId node = running_.at(container).node;
  running_.erase(container);
  to_kill_.erase(container);
  master_.attempt_ended(now_, AttemptEnd{container, node, how, how == ContainerEnd::node_lost},
                        actions_);
  perform();
}

void MasterHarness::lose(NodeId node) {
  std::vector<ContainerId> there;
  for (const auto& [container, state] : running_) {
    if (state.node == node) there.push_back(container);
  }
  for (ContainerId container : there) end(container, ContainerEnd::node_lost);
  master_.node_lost(now_, node, actions_);
  perform();
}

void MasterHarness::heartbeat(const Resources& headroom) {
  if (!heartbeat_at_ || *heartbeat_at_ > now_) return;
  heartbeat_at_.reset();
  is_in_heartbeat_ = true;
  master_.heartbeat(now_, headroom, actions_);
  perform();
  is_in_heartbeat_ = false;
}

std::uint32_t MasterHarness::pending(AskSlot slot) const {
  const auto ask = asks_.find(slot);
  return ask == asks_.end() ? 0 : ask->second.pending;
}

void MasterHarness::perform() {
  for (const MasterAction& action : actions_) {
    TRACEBED_CHECK(!finish_, "nothing follows the end of an application");
    if (const auto* ask = std::get_if<SetAsk>(&action)) {
      TRACEBED_CHECK(is_sorted(ask->nodes) && is_sorted(ask->racks), "places are sorted");
      asks_[ask->slot] = *ask;
    } else if (const auto* fewer = std::get_if<AdjustPlaces>(&action)) {
      for (NodeId node : fewer->fewer_nodes) take_one(asks_.at(fewer->slot).nodes, node);
      for (RackId rack : fewer->fewer_racks) take_one(asks_.at(fewer->slot).racks, rack);
    } else if (const auto* launch = std::get_if<LaunchTask>(&action)) {
      TRACEBED_CHECK(granted_.contains(launch->container), "a container is launched in once");
      running_[launch->container] = {*launch, granted_[launch->container], launch->is_held};
      granted_.erase(launch->container);
    } else if (const auto* go = std::get_if<ContinueTask>(&action)) {
      TRACEBED_CHECK(running_.at(go->container).is_held, "only a held task is let go");
      running_.at(go->container).is_held = false;
    } else if (const auto* release = std::get_if<ReleaseContainer>(&action)) {
      TRACEBED_CHECK(granted_.erase(release->container) == 1, "only an unused one is released");
      released_.insert(release->container);
    } else if (const auto* kill = std::get_if<KillTask>(&action)) {
      TRACEBED_CHECK(running_.contains(kill->container), "only what runs is killed");
      to_kill_.insert(kill->container);
    } else if (const auto* beat = std::get_if<HeartbeatAt>(&action)) {
      TRACEBED_CHECK(is_in_heartbeat_ ? beat->at > now_ : beat->at >= now_,
                     "a heartbeat is not in the past");
      heartbeat_at_ = beat->at;
    } else {
      finish_ = std::get<FinishApplication>(action);
    }
  }
  actions_.clear();
}

}  // namespace tracebed
