#include "schedulers/parts/demand_room.h"

#include <algorithm>
#include <limits>

namespace tracebed {

void DemandRoom::watch(const FreeTable& free, const Resources& demand) {
  demand_ = demand;
  is_watching_ = true;
  units_ = 0;
  units_on_.assign(free.nodes(), 0);
  for (std::size_t i = 0; i < free.nodes(); ++i) update(free, NodeId(i));
}

void DemandRoom::update(const FreeTable& free, NodeId node) {
  if (!is_watching_) return;
  if (units_on_.size() < free.nodes()) units_on_.resize(free.nodes());
  // A demand of nothing fits without limit; more than any ask can want will do.
  constexpr std::int64_t unlimited = std::numeric_limits<std::uint32_t>::max();
  const std::int64_t fitting =
      free.is_alive(node) ? std::min(unlimited, free.units_on(node, demand_)) : 0;
  units_ += fitting - units_on_[node.index()];
  units_on_[node.index()] = fitting;
}

}  // namespace tracebed
