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
  if (is_minimum_known_) return minimum_;
  is_minimum_known_ = true;
  minimum_ = counts_.empty() ? Resources() : counts_.begin()->first;
  for (const auto& [demand, count] : counts_) minimum_ = component_minimum(minimum_, demand);
  return minimum_;
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
