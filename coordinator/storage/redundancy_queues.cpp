#include "coordinator/storage/redundancy_queues.h"

namespace tracebed {

void RedundancyQueues::put(BlockIndex block, RedundancyPriority priority) {
  if (priority_of(block) == priority) return;
  remove(block);
  const Place place{priority, ++last_number_};
  places_.emplace(block, place);
  queues_[static_cast<std::size_t>(priority)].emplace(place.number, block);
}

bool RedundancyQueues::remove(BlockIndex block) {
  const auto found = places_.find(block);
  if (found == places_.end()) return false;
  queues_[static_cast<std::size_t>(found->second.priority)].erase(found->second.number);
  places_.erase(found);
  return true;
}

std::optional<RedundancyPriority> RedundancyQueues::priority_of(BlockIndex block) const {
  const auto found = places_.find(block);
  return found == places_.end() ? std::nullopt : std::optional(found->second.priority);
}

std::vector<BlockIndex> RedundancyQueues::choose(std::size_t most) {
  std::vector<BlockIndex> chosen;
  // Those without a good replica are not worked on.
  constexpr std::size_t workable = static_cast<std::size_t>(RedundancyPriority::corrupt);
  for (std::size_t i = 0; i < workable && chosen.size() < most; ++i) {
    auto at = queues_[i].lower_bound(next_[i]);
    for (; at != queues_[i].end() && chosen.size() < most; ++at) chosen.push_back(at->second);
    next_[i] = at == queues_[i].end() ? last_number_ + 1 : at->first;
  }
  const bool is_at_end = chosen.size() < most;
  if (is_at_end) next_.fill(0);
  return chosen;
}

}  // namespace tracebed
