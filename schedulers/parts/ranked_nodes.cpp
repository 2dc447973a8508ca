#include "schedulers/parts/ranked_nodes.h"

#include <iterator>

#include "core/check.h"

namespace tracebed {
namespace {

std::ptrdiff_t offset(std::size_t index) {
  return static_cast<std::ptrdiff_t>(index);
}

}  // namespace

void RankedNodes::set_free(const NodeRank& rank, const Resources& free) {
  count_dimensions(free);
  const Position position = locate(rank);
  TRACEBED_CHECK(!groups_.empty(), "the order has the node");
  std::vector<Entry>& entries = groups_[position.group].blocks[position.block].entries;
  const auto place = std::lower_bound(entries.begin(), entries.end(), rank, stands_before);
  TRACEBED_CHECK(place != entries.end() && place->rank == rank,
                 "a ranked node stands where its rank says");
  place->free = free;
  raise_at(position, free);
}

void RankedNodes::raise_at(const Position& position, const Resources& free) {
  Group& group = groups_[position.group];
  raise(group.blocks[position.block].bound, free);
  raise(group.bound, free);
}

RankedNodes::Position RankedNodes::locate(const NodeRank& rank) const {
  const auto ends_before = [&](const auto& part) { return part.last < rank; };
  const auto group = std::partition_point(groups_.begin(), groups_.end(), ends_before);
  if (group == groups_.end()) {  // beyond all: it belongs to the last block
    return groups_.empty() ? Position{}
                           : Position{groups_.size() - 1, groups_.back().blocks.size() - 1};
  }
  const auto block = std::partition_point(group->blocks.begin(), group->blocks.end(), ends_before);
  return {static_cast<std::size_t>(group - groups_.begin()),
          static_cast<std::size_t>(block - group->blocks.begin())};
}

void RankedNodes::insert(const NodeRank& rank, const Resources& free) {
  count_dimensions(free);
  if (groups_.empty()) {
    groups_.push_back({rank, free, {}});
    groups_.back().blocks.push_back({rank, free, {{rank, free}}});
    return;
  }
  const Position position = locate(rank);
  raise_at(position, free);
  Group& group = groups_[position.group];
  Block& block = group.blocks[position.block];
  block.entries.insert(
      std::lower_bound(block.entries.begin(), block.entries.end(), rank, stands_before),
      {rank, free});
  block.last = std::max(block.last, rank);
  group.last = std::max(group.last, rank);
  if (block.entries.size() > block_size_max) split_block(position);
}

void RankedNodes::split_block(const Position& position) {
  std::vector<Block>& blocks = groups_[position.group].blocks;
  Block& full = blocks[position.block];
  const auto middle = full.entries.begin() + offset(full.entries.size() / 2);
  Block second{full.last, full.bound, std::vector<Entry>(middle, full.entries.end())};
  full.entries.erase(middle, full.entries.end());
  full.last = full.entries.back().rank;
  blocks.insert(blocks.begin() + offset(position.block + 1), std::move(second));
  if (blocks.size() > group_size_max) split_group(position.group);
}

void RankedNodes::split_group(std::size_t index) {
  Group& full = groups_[index];
  const auto middle = full.blocks.begin() + offset(full.blocks.size() / 2);
  Group second{full.last, full.bound, {}};
  second.blocks.assign(std::move_iterator(middle), std::move_iterator(full.blocks.end()));
  full.blocks.erase(middle, full.blocks.end());
  full.last = full.blocks.back().last;
  groups_.insert(groups_.begin() + offset(index + 1), std::move(second));
}

void RankedNodes::erase(const NodeRank& rank) {
  TRACEBED_CHECK(!groups_.empty(), "the order has the node");
  const Position position = locate(rank);
  Group& group = groups_[position.group];
  Block& block = group.blocks[position.block];
  const auto place =
      std::lower_bound(block.entries.begin(), block.entries.end(), rank, stands_before);
  TRACEBED_CHECK(place != block.entries.end() && place->rank == rank,
                 "a ranked node stands where its rank says");
  block.entries.erase(place);
  if (block.entries.empty()) {
    group.blocks.erase(group.blocks.begin() + offset(position.block));
    if (group.blocks.empty()) {
      groups_.erase(groups_.begin() + offset(position.group));
    } else {
      group.last = group.blocks.back().last;
    }
    return;
  }
  block.last = block.entries.back().rank;
  group.last = group.blocks.back().last;
  if (block.entries.size() < block_size_max / 4) merge_after(position);
}

// Nodes wander off, so blocks thin out; two thin neighbours become one.
void RankedNodes::merge_after(const Position& position) {
  std::vector<Block>& blocks = groups_[position.group].blocks;
  if (position.block + 1 >= blocks.size()) return;
  Block& first = blocks[position.block];
  Block& second = blocks[position.block + 1];
  if (first.entries.size() + second.entries.size() > block_size_max / 2) return;
  first.entries.insert(first.entries.end(), second.entries.begin(), second.entries.end());
  first.last = second.last;
  raise(first.bound, second.bound);
  blocks.erase(blocks.begin() + offset(position.block + 1));
}

void RankedNodes::verify_ends(const Group& group) {
  TRACEBED_CHECK(!group.blocks.empty() && group.last == group.blocks.back().last,
                 "a group ends where its last block does");
  for (const Block& block : group.blocks) {
    TRACEBED_CHECK(!block.entries.empty() && block.last == block.entries.back().rank,
                   "a block ends where its last entry does");
    TRACEBED_CHECK(block.bound.fits_in(group.bound), "a group's bound covers its blocks");
  }
}

void RankedNodes::verify_place(const NodeRank* previous, const Entry& entry,
                               const Resources& bound) {
  TRACEBED_CHECK(previous == nullptr || *previous < entry.rank, "ranks ascend");
  TRACEBED_CHECK(entry.free.fits_in(bound), "a bound covers its nodes");
}

}  // namespace tracebed
