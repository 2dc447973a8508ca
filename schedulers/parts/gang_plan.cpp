#include "schedulers/parts/gang_plan.h"

#include <algorithm>

namespace tracebed {

bool plan_gang(const FreeTable& free, const Resources& demand, std::uint32_t units,
               std::vector<GangPiece>& pieces) {
  pieces.clear();
  if (!(demand * units).fits_in(free.total())) return false;
  std::int64_t missing = units;
  free.visit_with_room(demand, [&](NodeId node) {
    const std::int64_t fitting = std::min(missing, demand.count_in(free.free(node)));
    pieces.push_back({node, static_cast<std::uint32_t>(fitting)});
    missing -= fitting;
    return missing == 0;
  });
  return missing == 0;
}

void propose_gang(AskId ask, const Resources& demand, const std::vector<GangPiece>& pieces,
                  FreeTable& free, Decisions& decisions) {
  for (const GangPiece& piece : pieces) free.take(piece.node, demand * piece.units);
  decisions.allocate_gang(ask, pieces);
}

}  // namespace tracebed
