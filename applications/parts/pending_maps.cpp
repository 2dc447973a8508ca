#include "applications/parts/pending_maps.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/check.h"

namespace tracebed {

void append_racks(std::span<const Replica> replicas, std::vector<RackId>& racks) {
  for (std::size_t i = 0; i < replicas.size(); ++i) {
    const auto known = replicas.first(i);
    const bool is_new = std::none_of(known.begin(), known.end(), [&](const Replica& other) {
      return other.rack == replicas[i].rack;
    });
    if (is_new) racks.push_back(replicas[i].rack);
  }
}

PendingMaps::PendingMaps(std::uint32_t maps, std::vector<Replica> replicas,
                         std::uint32_t replication)
    : bits_((maps + 63) / 64, ~std::uint64_t{0}),
      pending_count_(maps),
      replicas_(std::move(replicas)),
      replication_(replication) {
  TRACEBED_CHECK(replicas_.size() == std::uint64_t{maps} * replication,
                 "every map has its replicas");
  if (maps % 64 != 0) bits_.back() = (std::uint64_t{1} << (maps % 64)) - 1;
  std::vector<std::uint64_t> nodes;
  std::vector<std::uint64_t> racks;
  nodes.reserve(replicas_.size());
  racks.reserve(replicas_.size());
  for (std::size_t i = 0; i < replicas_.size(); ++i) {
    if (!replicas_[i].node.is_valid()) continue;
    const std::uint64_t map = i / replication_;
    nodes.push_back((std::uint64_t{replicas_[i].node.value()} << 32) | map);
    racks.push_back((std::uint64_t{replicas_[i].rack.value()} << 32) | map);
  }
  by_node_.build(nodes);
  by_rack_.build(racks);
}

PendingMaps::Choice PendingMaps::take(NodeId node, RackId rack) {
  TRACEBED_CHECK(pending_count_ > 0, "a map is taken only while one waits");
  const Choice choice = best(node, rack);
  take(choice.map);
  return choice;
}

void PendingMaps::take(std::uint32_t map) {
  TRACEBED_CHECK(is_pending(map), "a map is taken only while it waits");
  bits_[map / 64] &= ~(std::uint64_t{1} << (map % 64));
  --pending_count_;
}

PendingMaps::Choice PendingMaps::best(NodeId node, RackId rack) {
  const auto waits = [this](std::uint32_t map) { return is_pending(map); };
  Choice choice;
  if (replication_ > 0) {
    if (by_node_.first(node, waits, choice.map)) return {choice.map, Locality::node};
    if (by_rack_.first(rack, waits, choice.map)) return {choice.map, Locality::rack};
  }
  while (bits_[first_word_] == 0) ++first_word_;
  const auto bit = static_cast<std::uint32_t>(std::countr_zero(bits_[first_word_]));
  choice.map = first_word_ * 64 + bit;
  if (!replicas(choice.map).empty()) choice.locality = Locality::off_switch;
  return choice;
}

void PendingMaps::reopen(std::uint32_t map) {
  TRACEBED_CHECK(!is_pending(map), "a map waits once");
  bits_[map / 64] |= std::uint64_t{1} << (map % 64);
  ++pending_count_;
  first_word_ = std::min(first_word_, map / 64);
  for (const Replica& replica : replicas(map)) {
    by_node_.reopen(replica.node, map);
    by_rack_.reopen(replica.rack, map);
  }
}

std::span<const Replica> PendingMaps::replicas(std::uint32_t map) const {
  std::span<const Replica> places =
      std::span(replicas_).subspan(std::size_t{map} * replication_, replication_);
  while (!places.empty() && !places.back().node.is_valid())
    places = places.first(places.size() - 1);
  return places;
}

Locality PendingMaps::locality(std::uint32_t map, NodeId node, RackId rack) const {
  if (replicas(map).empty()) return Locality::none_asked;
  Locality nearest = Locality::off_switch;
  for (const Replica& replica : replicas(map)) {
    if (replica.node == node) return Locality::node;
    if (replica.rack == rack) nearest = Locality::rack;
  }
  return nearest;
}

void PendingMaps::name_places(std::uint32_t map, SetAsk& ask) const {
  std::vector<RackId> racks;
  append_racks(replicas(map), racks);
  for (const Replica& replica : replicas(map)) ask.nodes.push_back({replica.node, 1});
  for (const RackId rack : racks) ask.racks.push_back({rack, 1});
  const auto by_place = [](const auto& a, const auto& b) { return a.place < b.place; };
  std::sort(ask.nodes.begin(), ask.nodes.end(), by_place);
  std::sort(ask.racks.begin(), ask.racks.end(), by_place);
}

std::vector<PlaceCount<NodeId>> PendingMaps::node_counts() const {
  return by_node_.counts([this](std::uint32_t map) { return is_pending(map); });
}

std::vector<PlaceCount<RackId>> PendingMaps::rack_counts() const {
  return by_rack_.counts([this](std::uint32_t map) { return is_pending(map); });
}

}  // namespace tracebed
