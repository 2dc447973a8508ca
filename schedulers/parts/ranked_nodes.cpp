#include "schedulers/parts/ranked_nodes.h"

#include <iterator>

#include "core/check.h"

namespace tracebed {
namespace {

std::ptrdiff_t offset(std::size_t index) {
  return static_cast<std::ptrdiff_t>(index);
}

}  // namespace

void RankedNodes::update(const FreeTable& free, const NodeRank& rank) {
  const std::size_t index = rank.node().index();
  if (index >= is_in_.size()) {
    is_in_.resize(index + 1);
    ranks_.resize(index + 1);
  }
  const Resources& room = free.free(rank.node());
  if (is_in_[index] != 0) {
    if (ranks_[index] == rank) {
      const Position position = locate(rank);
      Group& group = groups_[position.group];
      Block& block = group.blocks[position.block];
      block.bound = component_maximum(block.bound, room);
      group.bound = component_maximum(group.bound, room);
      return;
    }
    erase(ranks_[index]);
  }
  insert(rank, room);
  is_in_[index] = 1;
  ranks_[index] = rank;
}

void RankedNodes::remove(NodeId node) {
  if (!contains(node)) return;
  erase(ranks_[node.index()]);
  is_in_[node.index()] = 0;
}

RankedNodes::Position RankedNodes::locate(const NodeRank& rank) const {
  const auto group = std::partition_point(groups_.begin(), groups_.end(), [&](const Group& g) {
    return g.blocks.back().ranks.back() < rank;
  });
  if (group == groups_.end()) {  // beyond all: it belongs to the last block
    return groups_.empty() ? Position{}
                           : Position{groups_.size() - 1, groups_.back().blocks.size() - 1};
  }
  const auto block = std::partition_point(group->blocks.begin(), group->blocks.end(),
                                          [&](const Block& b) { return b.ranks.back() < rank; });
  return {static_cast<std::size_t>(group - groups_.begin()),
          static_cast<std::size_t>(block - group->blocks.begin())};
}

void RankedNodes::insert(const NodeRank& rank, const Resources& room) {
  if (groups_.empty()) {
    groups_.push_back({room, {}});
    groups_.back().blocks.push_back({room, {rank}});
    return;
  }
  const Position position = locate(rank);
  Group& group = groups_[position.group];
  Block& block = group.blocks[position.block];
  block.bound = component_maximum(block.bound, room);
  group.bound = component_maximum(group.bound, room);
  block.ranks.insert(std::lower_bound(block.ranks.begin(), block.ranks.end(), rank), rank);
  if (block.ranks.size() > block_size_max) split_block(position);
}

void RankedNodes::split_block(const Position& position) {
  std::vector<Block>& blocks = groups_[position.group].blocks;
  Block& full = blocks[position.block];
  const auto middle = full.ranks.begin() + offset(full.ranks.size() / 2);
  Block second{full.bound, std::vector<NodeRank>(middle, full.ranks.end())};
  full.ranks.erase(middle, full.ranks.end());
  blocks.insert(blocks.begin() + offset(position.block + 1), std::move(second));
  if (blocks.size() > group_size_max) split_group(position.group);
}

void RankedNodes::split_group(std::size_t index) {
  Group& full = groups_[index];
  const auto middle = full.blocks.begin() + offset(full.blocks.size() / 2);
  Group second{full.bound, {}};
  second.blocks.assign(std::move_iterator(middle), std::move_iterator(full.blocks.end()));
  full.blocks.erase(middle, full.blocks.end());
  groups_.insert(groups_.begin() + offset(index + 1), std::move(second));
}

void RankedNodes::erase(const NodeRank& rank) {
  const Position position = locate(rank);
  std::vector<Block>& blocks = groups_[position.group].blocks;
  std::vector<NodeRank>& ranks = blocks[position.block].ranks;
  const auto place = std::lower_bound(ranks.begin(), ranks.end(), rank);
  TRACEBED_CHECK(place != ranks.end() && *place == rank,
                 "a ranked node stands where its rank says");
  ranks.erase(place);
  if (ranks.empty()) {
    blocks.erase(blocks.begin() + offset(position.block));
    if (blocks.empty()) groups_.erase(groups_.begin() + offset(position.group));
  } else if (ranks.size() < block_size_max / 4) {
    merge_after(position);
  }
}

// Nodes wander off, so blocks thin out; two thin neighbours become one.
void RankedNodes::merge_after(const Position& position) {
  std::vector<Block>& blocks = groups_[position.group].blocks;
  if (position.block + 1 >= blocks.size()) return;
  Block& first = blocks[position.block];
  Block& second = blocks[position.block + 1];
  if (first.ranks.size() + second.ranks.size() > block_size_max / 2) return;
  first.ranks.insert(first.ranks.end(), second.ranks.begin(), second.ranks.end());
  first.bound = component_maximum(first.bound, second.bound);
  blocks.erase(blocks.begin() + offset(position.block + 1));
}

void RankedNodes::verify(const FreeTable& free) const {
  std::size_t nodes = 0;
  const NodeRank* previous = nullptr;
  for (const Group& group : groups_) {
    TRACEBED_CHECK(!group.blocks.empty(), "no group is empty");
    for (const Block& block : group.blocks) {
      TRACEBED_CHECK(!block.ranks.empty(), "no block is empty");
      TRACEBED_CHECK(block.bound.fits_in(group.bound), "a group's bound covers its blocks");
      for (const NodeRank& rank : block.ranks) {
        TRACEBED_CHECK(previous == nullptr || *previous < rank, "ranks ascend");
        TRACEBED_CHECK(contains(rank.node()) && ranks_[rank.node().index()] == rank,
                       "a node stands where its rank says");
        TRACEBED_CHECK(free.free(rank.node()).fits_in(block.bound), "a bound covers its nodes");
        previous = &rank;
        ++nodes;
      }
    }
  }
  const auto members = static_cast<std::size_t>(std::count(is_in_.begin(), is_in_.end(), 1));
  TRACEBED_CHECK(nodes == members, "every member stands in one block");
}

}  // namespace tracebed
