// Calls of masters are compared in tests only. A gang's launch is none of what a master in a
// container may say, but equality of actions covers every kind of them.
#pragma once

#include <algorithm>

#include "core/application_master.h"

namespace tracebed {

inline bool operator==(const LaunchGang& a, const LaunchGang& b) {
  const auto same_piece = [](const GangPiece& one, const GangPiece& other) {
    return one.node == other.node && one.units == other.units;
  };
  return a.first == b.first && a.task == b.task && a.attempt == b.attempt &&
         a.waiting_since == b.waiting_since && a.work == b.work &&
         std::equal(a.pieces.begin(), a.pieces.end(), b.pieces.begin(), b.pieces.end(), same_piece);
}

}  // namespace tracebed
