// How a gang is placed on those nodes that are open to it, as FreeTable::take_gang does on all.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/decisions.h"
#include "schedulers/parts/free_table.h"

namespace tracebed {

// Fills `pieces`, ascending by node, with places for all `units` on nodes for which is_open(node)
// is true, and returns true, or returns false if they do not fit all at once. Counts nothing as
// taken.
template <class IsOpen>
bool plan_gang_on(const FreeTable& free, const Resources& demand, std::uint32_t units,
                  IsOpen&& is_open, std::vector<GangPiece>& pieces) {
  pieces.clear();
  if (!free.total_has_room(demand, units)) return false;
  std::int64_t missing = units;
  free.visit_with_room(demand, [&](NodeId node) {
    if (!is_open(node)) return false;
    const std::int64_t fitting = std::min(missing, free.units_on(node, demand));
    pieces.push_back({node, static_cast<std::uint32_t>(fitting)});
    missing -= fitting;
    return missing == 0;
  });
  return missing == 0;
}

// Proposes the planned pieces.
void propose_gang(AskId ask, const Resources& demand, const std::vector<GangPiece>& pieces,
                  FreeTable& free, Decisions& decisions);

}  // namespace tracebed
