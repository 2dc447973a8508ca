#include "applications/hdfs/block_placement.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/check.h"
#include "core/rack_limit.h"

namespace tracebed {

BlockPlacement::BlockPlacement(const RackTopology& topology, std::uint64_t seed,
                               std::string_view file, std::uint32_t replication)
    : topology_(topology),
      base_(Random::stream(seed, file).next()),
      replication_(std::min(replication, static_cast<std::uint32_t>(topology.nodes()))),
      per_rack_max_(static_cast<std::uint32_t>(default_rack_max(replication_, topology.racks()))) {}

void BlockPlacement::append_replicas(std::uint64_t block, std::vector<Replica>& replicas) {
  Random random(mix(base_ + block * 0x9E3779B97F4A7C15u));
  chosen_.clear();
  for (std::uint32_t i = 0; i < replication_; ++i) {
    if (i == 1) {
      choose(random, Rack::other_than, chosen_[0].rack);
    } else if (i == 2 && chosen_[0].rack == chosen_[1].rack) {
      choose(random, Rack::other_than, chosen_[0].rack);
    } else if (i == 2) {
      choose(random, Rack::only, chosen_[1].rack);
    } else {
      choose(random, Rack::any, RackId());
    }
  }
  replicas.insert(replicas.end(), chosen_.begin(), chosen_.end());
}

void BlockPlacement::choose(Random& random, Rack which, RackId rack) {
  if (try_choose(random, which, rack) || try_choose(random, Rack::any, RackId())) return;
  // The limit per rack leaves none: HDFS would store fewer replicas then and add them later, when
  // the rack rule counts less than the number of replicas. Any free node does.
  const std::uint32_t limit = std::exchange(per_rack_max_, replication_);
  const bool was_chosen = try_choose(random, Rack::any, RackId());
  per_rack_max_ = limit;
  TRACEBED_CHECK(was_chosen, "there are at least as many nodes as replicas");
}

// Draws uniformly from the positions that are not barred: a draw among their number, moved past
// each barred range before it.
bool BlockPlacement::try_choose(Random& random, Rack which, RackId rack) {
  std::size_t begin = 0;
  std::size_t end = topology_.nodes();
  barred_.clear();
  if (which == Rack::only) std::tie(begin, end) = topology_.positions_of(rack);
  if (which == Rack::other_than) barred_.push_back(topology_.positions_of(rack));
  for (const Replica& replica : chosen_) {
    if (chosen_in(replica.rack) >= per_rack_max_) {
      barred_.push_back(topology_.positions_of(replica.rack));
    }
    const std::size_t position = topology_.position_of(replica.node);
    barred_.emplace_back(position, position + 1);
  }
  std::sort(barred_.begin(), barred_.end());
  std::size_t open = end - begin;
  std::size_t covered = begin;  // all before it is counted
  for (const auto& [first, second] : barred_) {
    const std::size_t from = std::max(first, covered);
    const std::size_t to = std::min(second, end);
    if (from < to) {
      open -= to - from;
      covered = to;
    }
  }
  if (open == 0) return false;
  std::size_t position = begin + random.below(open);
  covered = begin;
  for (const auto& [first, second] : barred_) {
    const std::size_t from = std::max(first, covered);
    const std::size_t to = std::min(second, end);
    if (from >= to) continue;
    if (position < from) break;
    position += to - from;
    covered = to;
  }
  const NodeId node = topology_.node_at(position);
  chosen_.push_back({node, topology_.rack_of(node)});
  return true;
}

std::uint32_t BlockPlacement::chosen_in(RackId rack) const {
  return static_cast<std::uint32_t>(
      std::count_if(chosen_.begin(), chosen_.end(),
                    [rack](const Replica& replica) { return replica.rack == rack; }));
}

}  // namespace tracebed
