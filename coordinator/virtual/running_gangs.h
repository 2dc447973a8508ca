// Gangs of the ideal model that run as a whole. The memory of one that ended is the next one's, as
// it is still in the processor's cache: ids of containers grow without end, and a table by them
// would spread few gangs over many pages. Ending one touches nothing but its slot.
#pragma once

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <memory>
#include <optional>
#include <vector>

#include "core/fleet.h"

namespace tracebed {

// All its containers run normally so far: they began together and will end together. When something
// happens to one of them, each continues as a task of its own.
struct RunningGang {
  static constexpr std::size_t pieces_inside = 8;

  TraceTime started;
  Work work;                                                        // of a task
  boost::container::small_vector<GangPiece, pieces_inside> pieces;  // by container
};

class RunningGangs {
 public:
  // Returns its slot, whose contents are those of an earlier gang. Fast for gangs that are added in
  // the order of their containers' ids, as they are unless masters run in containers.
  std::uint32_t add(ContainerId first) {
    if (order_.size() > 2 * alive_ + 64) forget_ended();
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(gangs_.size()));
      gangs_.emplace_back();
      firsts_.emplace_back();
    }
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    firsts_[slot] = first;
    const bool is_last = order_.empty() || order_.back().first < first;
    order_.insert(is_last ? order_.end() : after(first), Place{first, slot});
    ++alive_;
    return slot;
  }

  // References stay valid until the gang is erased.
  RunningGang& at(std::uint32_t slot) { return gangs_[slot]; }
  // False if it was erased, also if another one has its slot.
  bool is_in(std::uint32_t slot, ContainerId first) const { return firsts_[slot] == first; }

  // The slot of the gang that this container belongs to, if it belongs to one.
  std::optional<std::uint32_t> slot_of(ContainerId container) const {
    const auto next = after(container);
    if (next == order_.begin()) return std::nullopt;
    const Place& place = *std::prev(next);
    if (!is_in(place.slot, place.first)) return std::nullopt;
    const bool belongs = container < place.first + gangs_[place.slot].pieces.size();
    return belongs ? std::optional(place.slot) : std::nullopt;
  }

  ContainerId first_of(std::uint32_t slot) const { return firsts_[slot]; }

  void erase(std::uint32_t slot) {
    RunningGang& gang = gangs_[slot];
    if (gang.pieces.capacity() > RunningGang::pieces_inside) {
      // What a large gang needed is not kept for small ones; an assignment would keep it.
      std::destroy_at(&gang);
      std::construct_at(&gang);
    }
    firsts_[slot] = ContainerId();
    free_.push_back(slot);
    --alive_;
  }

  // Calls visit(slot, gang) in the order of the containers.
  template <class Visitor>
  void for_each(Visitor&& visit) const {
    for (const Place& place : order_) {
      if (is_in(place.slot, place.first)) visit(place.slot, gangs_[place.slot]);
    }
  }

 private:
  struct Place {
    ContainerId first;
    std::uint32_t slot = 0;
  };

  // The first place that is after the container.
  std::vector<Place>::const_iterator after(ContainerId container) const {
    return std::upper_bound(order_.begin(), order_.end(), container,
                            [](ContainerId id, const Place& place) { return id < place.first; });
  }
  void forget_ended() {
    std::erase_if(order_, [this](const Place& place) { return !is_in(place.slot, place.first); });
  }

  std::deque<RunningGang> gangs_;    // by slot
  std::vector<ContainerId> firsts_;  // by slot; invalid in free ones
  std::vector<std::uint32_t> free_;
  std::vector<Place> order_;  // ascending by container; those that ended are forgotten now and then
  std::size_t alive_ = 0;
};

}  // namespace tracebed
