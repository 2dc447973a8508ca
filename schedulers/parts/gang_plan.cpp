#include "schedulers/parts/gang_plan.h"

namespace tracebed {

bool plan_gang(const FreeTable& free, const Resources& demand, std::uint32_t units,
               std::vector<GangPiece>& pieces) {
  return plan_gang_on(
      free, demand, units, [](NodeId) { return true; }, pieces);
}

void propose_gang(AskId ask, const Resources& demand, const std::vector<GangPiece>& pieces,
                  FreeTable& free, Decisions& decisions) {
  free.take(demand, pieces);
  decisions.allocate_gang(ask, pieces);
}

}  // namespace tracebed
