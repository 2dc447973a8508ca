#include "schedulers/yarn/fair/victim_search.h"

#include <algorithm>
#include <limits>

#include "schedulers/yarn/parts/not_negative.h"

namespace tracebed {
namespace {

constexpr std::uint32_t any_number = std::numeric_limits<std::uint32_t>::max();

bool allows_preemption(const LiveQueue& leaf) {
  for (const LiveQueue* queue = &leaf; queue != nullptr; queue = queue->parent) {
    if (!queue->rules.allows_preemption_from) return false;
  }
  return true;
}

}  // namespace

VictimSearch::VictimSearch(State state, const ClusterModel& cluster,
                           const std::vector<ApplicationId>& helped)
    : state_(state),
      cluster_(cluster),
      node_count_(std::min(cluster.nodes.size(), state.free.nodes())) {
  gather(helped);
  room_.reserve(node_count_);
  for (std::size_t n = 0; n < node_count_; ++n) {
    const Node& node = cluster.nodes[n];
    Resources room = state_.free.free(node.id);
    if (state_.promised.nodes().contains(node.id)) room += state_.promised.change(node.id);
    if (const auto* reservation = state_.reservations.find(node.id)) room -= reservation->resources;
    room_.push_back(room);
  }
}

VictimSearch::Giver& VictimSearch::giver_of(ApplicationId id,
                                            const std::vector<ApplicationId>& helped) {
  if (Giver* known = givers_.find(id)) return *known;
  Giver& giver = givers_.emplace_at(id);
  const LiveApplication* application = state_.applications.find(id);
  if (application == nullptr || std::binary_search(helped.begin(), helped.end(), id)) return giver;
  const LiveQueue& leaf = *application->leaf;
  giver.application = application;
  giver.left = application->usage - application->to_be_taken;
  giver.gives =
      allows_preemption(leaf) && !state_.order.is_below(leaf, giver.left, application->share);
  giver.gives_masters = state_.settings.preemption.takes_masters(leaf.path);
  return giver;
}

void VictimSearch::gather(const std::vector<ApplicationId>& helped) {
  first_.assign(node_count_ + 1, 0);
  std::vector<Entry> found;
  found.reserve(cluster_.containers.size());
  cluster_.containers.for_each([&](ContainerId id, const Container& container) {
    Giver& giver = giver_of(container.application, helped);
    if (!giver.gives || container.is_being_killed) return;
    if (container.is_master && !giver.gives_masters) return;
    if (container.node.index() >= node_count_ || !state_.free.is_alive(container.node)) return;
    if (state_.to_preempt.contains(id)) return;
    found.push_back({.id = id, .container = &container, .giver = &giver});
    ++first_[container.node.index() + 1];
  });
  for (std::size_t n = 1; n < first_.size(); ++n) first_[n] += first_[n - 1];
  entries_.resize(found.size());
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for (const Entry& entry : found) entries_[next[entry.container->node.index()]++] = entry;
}

bool VictimSearch::may_lose(const Entry& entry) const {
  Resources left = entry.giver->left - entry.container->resources;
  for (const auto& [giver, amount] : trial_) {
    if (giver == entry.giver) left -= amount;
  }
  const LiveApplication& application = *entry.giver->application;
  return !state_.order.is_below(*application.leaf, left, application.share);
}

std::optional<VictimSearch::Place> VictimSearch::look_at(NodeId node, const Resources& demand,
                                                         std::uint32_t masters_below) {
  if (!state_.free.is_alive(node)) return std::nullopt;
  trial_.clear();
  Place place{.node = node, .victims = {}, .masters = 0};
  Resources room = not_negative(room_[node.index()]);
  victim_ids_.clear();
  const auto has_room = [&] {
    return demand.fits_in(room) &&
           state_.free.devices_have_room(cluster_, node, demand, victim_ids_);
  };
  if (has_room()) return place;
  for (const bool is_for_masters : {false, true}) {
    for (std::size_t i = first_[node.index() + 1]; i > first_[node.index()]; --i) {
      const Entry& entry = entries_[i - 1];
      if (entry.is_taken || entry.container->is_master != is_for_masters) continue;
      if (!may_lose(entry)) continue;
      if (is_for_masters && ++place.masters >= masters_below) return std::nullopt;
      trial_.emplace_back(entry.giver, entry.container->resources);
      place.victims.push_back(
          {entry.id, entry.container->application, entry.container->resources, i - 1});
      room += entry.container->resources;
      victim_ids_.push_back(entry.id);
      if (has_room()) return place;
    }
  }
  return std::nullopt;
}

std::optional<VictimSearch::Place> VictimSearch::on_node(NodeId node, const Resources& demand) {
  return look_at(node, demand, any_number);
}

VictimSearch::Cursor& VictimSearch::cursor(RackId rack, const Resources& demand, NodeId avoided) {
  const auto known = std::find_if(cursors_.begin(), cursors_.end(), [&](const Cursor& cursor) {
    return cursor.rack == rack && cursor.demand == demand && cursor.avoided == avoided;
  });
  if (known != cursors_.end()) return *known;
  return cursors_.emplace_back(
      Cursor{.rack = rack, .demand = demand, .avoided = avoided, .next = 0, .with_masters = {}});
}

std::optional<VictimSearch::Place> VictimSearch::in_rack(RackId rack, const Resources& demand,
                                                         NodeId avoided) {
  Cursor& from = cursor(rack, demand, avoided);
  for (; from.next < node_count_; ++from.next) {
    const Node& node = cluster_.nodes[from.next];
    if (node.id == avoided || (rack.is_valid() && node.rack != rack)) continue;
    std::optional<Place> place = look_at(node.id, demand, any_number);
    if (!place) continue;
    if (place->masters == 0) return place;
    from.with_masters.push_back(node.id);
  }
  std::optional<Place> best;
  std::erase_if(from.with_masters, [&](NodeId node) {
    std::optional<Place> place = look_at(node, demand, any_number);
    if (!place) return true;
    if (!best || place->masters < best->masters) best = std::move(place);
    return false;
  });
  return best;
}

void VictimSearch::count(const Place& place, const Resources& demand, bool is_taken) {
  const std::int64_t sign = is_taken ? 1 : -1;
  Resources& room = room_[place.node.index()];
  room.add_times(demand, -sign);
  for (const Victim& victim : place.victims) {
    Entry& entry = entries_[victim.entry];
    entry.is_taken = is_taken;
    room.add_times(entry.container->resources, sign);
    entry.giver->left.add_times(entry.container->resources, -sign);
  }
}

void VictimSearch::take(const Place& place, const Resources& demand) {
  count(place, demand, true);
  taken_.push_back({place, demand});
}

void VictimSearch::return_to(std::size_t taken) {
  if (taken_.size() > taken) cursors_.clear();
  for (; taken_.size() > taken; taken_.pop_back()) {
    count(taken_.back().place, taken_.back().demand, false);
  }
}

}  // namespace tracebed
