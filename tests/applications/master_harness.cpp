#include "applications/master_harness.h"

#include <algorithm>
#include <numeric>

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

ContainerId MasterHarness::grant(AskSlot slot, NodeId node, RackId rack) {
  return grant(Grant{ContainerId(next_container_++), slot, node, rack, 1});
}

ContainerId MasterHarness::grant_piece(AskSlot slot, std::uint32_t units) {
  return grant(Grant{ContainerId(next_container_++), slot, NodeId(0u), RackId(), units});
}

ContainerId MasterHarness::grant(const Grant& grant) {
  SetAsk& ask = asks_.at(grant.slot);
  TRACEBED_CHECK(ask.pending >= grant.units, "only what is asked for is granted");
  ask.pending -= grant.units;
  granted_[grant.container] = {grant.node, grant.units};
  master_.granted(now_, grant, actions_);
  perform();
  return grant.container;
}

std::vector<ContainerId> MasterHarness::grant_gang(AskSlot slot,
                                                   const std::vector<std::uint32_t>& units) {
  SetAsk& ask = asks_.at(slot);
  const std::uint32_t sum = std::accumulate(units.begin(), units.end(), std::uint32_t{0});
  TRACEBED_CHECK(ask.kind == StageKind::gang && ask.pending == sum, "a gang is granted whole");
  ask.pending = 0;
  const ContainerId first(next_container_);
  std::vector<ContainerId> containers;
  std::vector<GangPiece> pieces;
  for (std::size_t i = 0; i < units.size(); ++i) {
    containers.emplace_back(next_container_++);
    pieces.push_back({NodeId(i), units[i]});
    granted_[containers.back()] = {NodeId(i), units[i]};
  }
  master_.gang_granted(now_, GangGrant{first, slot, pieces}, actions_);
  perform();
  return containers;
}

void MasterHarness::end(ContainerId container, ContainerEnd how) {
  const Running ended = running_.at(container);
  running_.erase(container);
  to_kill_.erase(container);
  master_.attempt_ended(
      now_, AttemptEnd{container, ended.node, how, how == ContainerEnd::node_lost, ended.units},
      actions_);
  perform();
}

void MasterHarness::report(ContainerId container, std::uint32_t percent) {
  master_.progressed(now_, AttemptProgress{container, percent * (whole_work / 100)}, actions_);
  perform();
}

void MasterHarness::take_back(ContainerId container) {
  const Granted taken = granted_.at(container);
  granted_.erase(container);
  master_.attempt_ended(now_, AttemptEnd{container, taken.node, ContainerEnd::released}, actions_);
  TRACEBED_CHECK(actions_.empty(), "the end of what was not launched makes no actions");
}

void MasterHarness::end_gang(const std::vector<ContainerId>& containers) {
  for (ContainerId container : containers) {
    TRACEBED_CHECK(running_.erase(container) == 1, "only what runs ends");
  }
  master_.gang_ended(
      now_, GangEnd{containers.front(), static_cast<std::uint32_t>(containers.size())}, actions_);
  perform();
}

void MasterHarness::run(const LaunchTask& task, std::uint32_t units) {
  const auto granted = granted_.find(task.container);
  TRACEBED_CHECK(granted != granted_.end() && granted->second.units == units,
                 "a container is launched in once, as it was granted");
  running_[task.container] = {task, granted->second.node, task.is_held, units};
  granted_.erase(granted);
}

void MasterHarness::lose(NodeId node) {
  std::vector<ContainerId> there;
  for (const auto& [container, state] : running_) {
    if (state.node == node) there.push_back(container);
  }
  for (ContainerId container : there) end(container, ContainerEnd::node_lost);
  std::erase_if(granted_, [&](const auto& entry) { return entry.second.node == node; });
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

void MasterHarness::order_move(ContainerId container, NodeId destination) {
  PreemptionMessage message;
  message.strict = {{{.container = container, .leaves_node = true, .destination = destination}}};
  preempt(message);
}

void MasterHarness::preempt(const PreemptionMessage& message) {
  std::vector<HeldContainer> held;
  for (const auto& [id, running] : running_) {
    held.push_back({.container = id,
                    .node = running.node,
                    .task = running.task.task,
                    .units = running.units,
                    .work_begun = now_});
  }
  master_.preempted(now_, message, held, actions_);
  perform();
}

void MasterHarness::perform() {
  for (const MasterAction& action : actions_) {
    TRACEBED_CHECK(!finish_, "nothing follows the end of an application");
    if (const auto* ask = std::get_if<SetAsk>(&action)) {
      TRACEBED_CHECK(is_sorted(ask->nodes) && is_sorted(ask->racks), "places are sorted");
      asks_[ask->slot] = *ask;
    } else if (const auto* closed = std::get_if<CloseAsk>(&action)) {
      TRACEBED_CHECK(asks_.erase(closed->slot) == 1, "only an ask that is open is closed");
    } else if (const auto* fewer = std::get_if<AdjustPlaces>(&action)) {
      for (NodeId node : fewer->fewer_nodes) take_one(asks_.at(fewer->slot).nodes, node);
      for (RackId rack : fewer->fewer_racks) take_one(asks_.at(fewer->slot).racks, rack);
    } else if (const auto* launch = std::get_if<LaunchTask>(&action)) {
      const auto granted = granted_.find(launch->container);
      run(*launch, granted == granted_.end() ? 1 : granted->second.units);
    } else if (const auto* gang = std::get_if<LaunchGang>(&action)) {
      LaunchTask one{
          .task = gang->task, .attempt = gang->attempt, .waiting_since = gang->waiting_since};
      for (std::size_t i = 0; i < gang->pieces.size(); ++i) {
        const std::uint32_t units = gang->pieces[i].units;
        one.container = gang->first + i;
        one.work = side_by_side(gang->work, units);
        run(one, units);
        one.task.index += units;
      }
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
