#include "schedulers/hadoop1/waiting_by_demand.h"

namespace tracebed {

std::vector<Resources> waiting_demands(const SlotJob& job, SlotKind kind) {
  std::vector<Resources> demands;
  for (const SlotAsk& ask : job.asks) {
    if (!ask.is_master && ask.kind == kind && ask.remaining > 0) demands.push_back(ask.demand);
  }
  std::sort(demands.begin(), demands.end(), DemandOrder());
  demands.erase(std::unique(demands.begin(), demands.end()), demands.end());
  return demands;
}

}  // namespace tracebed
