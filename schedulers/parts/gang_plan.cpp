#include "schedulers/parts/gang_plan.h"

namespace tracebed {

void propose_gang(AskId ask, const Resources& demand, const std::vector<GangPiece>& pieces,
                  FreeTable& free, Decisions& decisions) {
  free.take(demand, pieces);
  decisions.allocate_gang(ask, pieces);
}

}  // namespace tracebed
