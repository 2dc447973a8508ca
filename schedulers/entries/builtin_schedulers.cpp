#include "schedulers/entries/builtin_schedulers.h"

#include "schedulers/entries/entries.h"

namespace tracebed {

std::vector<std::string> as_unknown(std::vector<std::string> places) {
  for (std::string& place : places) place = unknown_sentence(place);
  return places;
}

SchedulerRegistry builtin_schedulers() {
  return SchedulerRegistry({binpack_entry(), capacity_entry(), dbd_entry(), dot_product_entry(),
                            drf_entry(), fair_entry(), fcfs_entry(), fifo_entry(), hdrf_entry(),
                            l2_norm_entry(), mfs_entry(), random_entry(), slot_capacity_entry(),
                            slot_fair_entry(), slot_fifo_entry(), spread_entry(), tetris_entry(),
                            weighted_priorities_entry()});
}

}  // namespace tracebed
