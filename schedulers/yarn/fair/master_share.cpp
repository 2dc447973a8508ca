#include "schedulers/yarn/fair/master_share.h"

#include <algorithm>
#include <cmath>

#include "schedulers/yarn/resource_calculator.h"

namespace tracebed {

Resources maximum_for_masters(const LiveQueue& leaf, const Resources& available,
                              const Resources& cluster) {
  Resources maximum;
  const auto part = static_cast<double>(leaf.rules.application_master_share);
  for (std::size_t d = 0; d < cluster.dimensions_used(); ++d) {
    const std::int64_t base =
        leaf.share[d] != 0 ? leaf.share[d] : std::min(available[d], leaf.maximum[d]);
    const auto unit = static_cast<double>(yarn_unit(d));
    const double units = std::ceil(static_cast<double>(base) / unit * part);
    maximum[d] = static_cast<std::int64_t>(units) * yarn_unit(d);
  }
  return maximum;
}

void count_master(LiveApplication& application, const ClusterModel& cluster, AskId ask,
                  const Resources& resources) {
  if (!application.has_master || application.is_master_running) return;
  application.is_master_running = true;
  if (cluster.asks[ask].is_master) application.master_ask = ask;
  application.master_resources = resources;
  application.leaf->master_usage += resources;
}

const LiveAsk* next_ask(const LiveApplication& application) {
  for (const LiveAsk& ask : application.asks) {
    if (ask.remaining > 0) return &ask;
  }
  return nullptr;
}

bool may_no_master_start(const LiveQueue& leaf, const Resources& available,
                         const Resources& cluster) {
  if (leaf.offered_masters.empty()) return true;
  if (leaf.rules.application_master_share < 0) return false;
  return !(leaf.master_usage + leaf.wanted_masters.minimum())
              .fits_in(maximum_for_masters(leaf, available, cluster));
}

bool is_over_master_share(const LiveApplication& application, const Resources& available,
                          const Resources& cluster) {
  if (!application.has_master || application.is_master_running) return false;
  const LiveQueue& leaf = *application.leaf;
  if (leaf.rules.application_master_share < 0) return false;
  const LiveAsk* next = next_ask(application);
  if (next == nullptr) return true;
  return !(leaf.master_usage + next->demand).fits_in(maximum_for_masters(leaf, available, cluster));
}

}  // namespace tracebed
