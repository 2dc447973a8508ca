#include "schedulers/hadoop1/slot_figures.h"

namespace tracebed {

Resources part_of_cluster(const ClusterModel& cluster, const SlotTable& table, double slots) {
  Resources part;
  const std::int64_t all = table.total(SlotKind::map) + table.total(SlotKind::reduce);
  if (all == 0) return part;
  for (std::size_t d = 0; d < cluster.capacity.dimensions_used(); ++d) {
    part[d] = static_cast<std::int64_t>(static_cast<double>(cluster.capacity[d]) * slots /
                                        static_cast<double>(all));
  }
  return part;
}

}  // namespace tracebed
