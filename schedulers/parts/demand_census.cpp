#include "schedulers/parts/demand_census.h"

namespace tracebed {

DemandCensus::Kind DemandCensus::join(const Resources& demand, const LineKey& /*ask*/) {
  const auto [kind, is_new] = counts_.try_emplace(demand, 0);
  if (is_new) is_minimum_known_ = false;
  ++kind->second;
  return kind;
}

void DemandCensus::leave(Kind kind, const LineKey& /*ask*/) {
  if (--kind->second > 0) return;
  counts_.erase(kind);
  is_minimum_known_ = false;
}

const Resources& DemandCensus::minimum() const {
  find_least();
  return minimum_;
}

const Resources& DemandCensus::least_wanted() const {
  find_least();
  return least_wanted_;
}

void DemandCensus::find_least() const {
  if (is_minimum_known_) return;
  is_minimum_known_ = true;
  minimum_ = counts_.empty() ? Resources() : counts_.begin()->first;
  least_wanted_ = {};
  for (const auto& [demand, count] : counts_) {
    minimum_ = component_minimum(minimum_, demand);
    for (std::size_t d = 0; d < demand.dimensions_used(); ++d) {
      if (demand[d] <= 0 || (least_wanted_[d] > 0 && least_wanted_[d] <= demand[d])) continue;
      least_wanted_[d] = demand[d];
    }
  }
}

DemandList::Kind DemandList::join(const Resources& demand, const LineKey& ask) {
  const Kind kind = kinds_.try_emplace(demand).first;
  kind->second.insert(kind->second.end(), ask);
  return kind;
}

void DemandList::leave(Kind kind, const LineKey& ask) {
  kind->second.erase(ask);
  if (kind->second.empty()) kinds_.erase(kind);
}

}  // namespace tracebed
