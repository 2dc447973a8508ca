// How a gang is laid over nodes in id order: each node takes as many units as it has room for, so a
// gang spans nodes and splits them as needed.
#pragma once

#include <cstdint>
#include <vector>

#include "core/decisions.h"
#include "schedulers/parts/free_table.h"

namespace tracebed {

// Fills `pieces`, ascending by node, with places for all `units` and returns true, or returns false
// if they do not fit all at once. Counts nothing as taken.
bool plan_gang(const FreeTable& free, const Resources& demand, std::uint32_t units,
               std::vector<GangPiece>& pieces);

// Proposes the planned pieces.
void propose_gang(AskId ask, const Resources& demand, const std::vector<GangPiece>& pieces,
                  FreeTable& free, Decisions& decisions);

}  // namespace tracebed
