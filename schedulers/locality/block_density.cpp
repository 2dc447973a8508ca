#include "schedulers/locality/block_density.h"

#include <algorithm>
#include <queue>
#include <tuple>
#include <utility>

#include "core/check.h"

namespace tracebed {

BlockDensity::BlockDensity(const DensityOptions& options, const InputBlocks& input)
    : options_(options), is_covered_(input.blocks()) {
  std::size_t nodes = 0;
  for (std::uint32_t block = 0; block < input.blocks(); ++block) {
    for (const NodeId node : input.nodes_of(block)) nodes = std::max(nodes, node.index() + 1);
  }
  std::vector<std::uint32_t> counts(nodes);
  for (std::uint32_t block = 0; block < input.blocks(); ++block) {
    for (const NodeId node : input.nodes_of(block)) ++counts[node.index()];
  }
  holder_of_.assign(nodes, none);
  std::uint32_t position = 0;
  for (std::size_t node = 0; node < nodes; ++node) {
    if (counts[node] == 0) continue;
    holder_of_[node] = static_cast<std::uint32_t>(holders_.size());
    holders_.push_back({NodeId(node), position, position, 0, 0});
    position += counts[node];
  }
  blocks_.resize(position);
  for (std::uint32_t block = 0; block < input.blocks(); ++block) {
    for (const NodeId node : input.nodes_of(block)) {
      blocks_[holders_[holder_of_[node.index()]].end++] = block;
    }
  }
  for (const std::uint32_t block : blocks_) {
    if (std::exchange(is_covered_[block], std::uint8_t{1}) == 0) ++held_;
  }
  forget();
}

void BlockDensity::forget() {
  std::fill(is_covered_.begin(), is_covered_.end(), std::uint8_t{0});
  for (Holder& holder : holders_) {
    holder.next = holder.begin;
    holder.uncovered = holder.end - holder.begin;
  }
  uncovered_ = held_;
}

std::span<const BlockDensity::Visit> BlockDensity::distribute(const InputBlocks& input,
                                                              std::span<const Room> rooms,
                                                              std::uint32_t wanted) {
  if (uncovered_ == 0) forget();
  k_ = uncovered_;
  wanted_ = wanted;
  given_ = 0;
  begin(rooms);
  if (options_.order == DensityOptions::Order::sorted) {
    visit_in_order(input);
  } else {
    visit_densest_first(input);
  }
  give_rest(input);
  return visits_;
}

// Sorted by the blocks that nodes hold, descending.
void BlockDensity::begin(std::span<const Room> rooms) {
  visits_.clear();
  for (const Room& room : rooms) {
    const std::uint32_t holder = holder_of(room.node);
    if (holder == none) continue;
    visits_.push_back({room.node, holders_[holder].uncovered, 0, 0, 0, 0, room.units});
  }
  std::sort(visits_.begin(), visits_.end(), [](const Visit& a, const Visit& b) {
    return std::tuple(b.blocks, a.node) < std::tuple(a.blocks, b.node);
  });
}

void BlockDensity::visit(const InputBlocks& input, Visit& visit) {
  visit.uncovered = holders_[holder_of(visit.node)].uncovered;
  const std::uint64_t parts = std::uint64_t{visit.uncovered} * wanted_;
  const bool is_limited = parts / k_ >= visit.room;
  visit.whole = is_limited ? visit.room : static_cast<std::uint32_t>(parts / k_);
  visit.fraction = is_limited ? 0 : parts % k_;
  visit.units = std::min(visit.whole, wanted_ - given_);
  cover(input, visit.node, given_, visit.units);
  given_ += visit.units;
}

void BlockDensity::visit_in_order(const InputBlocks& input) {
  for (Visit& next : visits_) {
    if (given_ == wanted_) return;
    visit(input, next);
  }
}

void BlockDensity::visit_densest_first(const InputBlocks& input) {
  // Blocks only become covered, so an entry whose count is out of date belongs further back.
  struct Entry {
    std::uint32_t uncovered;
    std::uint32_t place;  // in visits_
    bool operator<(const Entry& other) const {
      return std::tuple(uncovered, other.place) < std::tuple(other.uncovered, place);
    }
  };
  std::vector<Entry> entries;
  entries.reserve(visits_.size());
  for (std::uint32_t i = 0; i < visits_.size(); ++i) entries.push_back({visits_[i].blocks, i});
  std::priority_queue<Entry> queue(std::less<Entry>(), std::move(entries));
  while (!queue.empty() && given_ < wanted_) {
    const Entry top = queue.top();
    queue.pop();
    const std::uint32_t now = holders_[holder_of(visits_[top.place].node)].uncovered;
    if (now == 0) continue;
    if (now < top.uncovered) {
      queue.push({now, top.place});
    } else {
      visit(input, visits_[top.place]);
    }
  }
}

void BlockDensity::give_rest(const InputBlocks& input) {
  if (given_ == wanted_) return;
  std::vector<std::uint32_t> order(visits_.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple(visits_[b].fraction, visits_[b].uncovered) <
           std::tuple(visits_[a].fraction, visits_[a].uncovered);
  });
  for (bool has_room = true; has_room;) {
    has_room = false;
    for (const std::uint32_t place : order) {
      Visit& visit = visits_[place];
      if (visit.units == visit.room) continue;
      if (given_ == wanted_) return;
      cover(input, visit.node, given_, 1);
      ++visit.units;
      ++given_;
      has_room = true;
    }
  }
}

void BlockDensity::cover(const InputBlocks& input, NodeId node, std::uint32_t before,
                         std::uint32_t units) {
  Holder& holder = holders_[holder_of(node)];
  switch (options_.cover) {
    case DensityOptions::Cover::always:
      return cover_blocks(input, holder, holder.uncovered);
    case DensityOptions::Cover::if_one:
      return cover_blocks(input, holder, units > 0 ? holder.uncovered : 0);
    case DensityOptions::Cover::share:
      return cover_blocks(input, holder,
                          (std::uint64_t{before} + units) * k_ / wanted_ - before * k_ / wanted_);
  }
}

void BlockDensity::cover_blocks(const InputBlocks& input, Holder& holder, std::uint64_t count) {
  for (; count > 0 && holder.uncovered > 0; --count) {
    while (is_covered_[blocks_[holder.next]] != 0) ++holder.next;
    const std::uint32_t block = blocks_[holder.next];
    is_covered_[block] = 1;
    TRACEBED_CHECK(uncovered_ > 0, "a block is covered once");
    --uncovered_;
    for (const NodeId node : input.nodes_of(block)) --holders_[holder_of_[node.index()]].uncovered;
  }
}

}  // namespace tracebed
