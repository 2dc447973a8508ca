#include "schedulers/entries/builtin_schedulers.h"

#include "schedulers/entries/entries.h"
#include "schedulers/hadoop1/slot_settings.h"

namespace tracebed {

std::vector<std::string> as_unknown(std::vector<std::string> places) {
  for (std::string& place : places) place = unknown_sentence(place);
  return places;
}

SchedulerEntry with_slot_files(SchedulerEntry entry) {
  entry.settings_of_file = [](const SchedulerFile& file) {
    return settings_in_mapred_site(file.root, {});
  };
  entry.unread = [](const SchedulerFile& file) {
    return as_unknown(unread_in_mapred_site(file.root, {}));
  };
  return entry;
}

SchedulerRegistry builtin_schedulers() {
  return SchedulerRegistry({binpack_entry(),
                            capacity_entry(),
                            dbd_entry(),
                            dot_product_entry(),
                            drf_entry(),
                            fair_entry(),
                            fcfs_entry(),
                            fifo_entry(),
                            hdrf_entry(),
                            l2_norm_entry(),
                            mfs_entry(),
                            monolithic_entry(),
                            random_entry(),
                            shared_state_entry(),
                            slot_capacity_entry(),
                            slot_dynamic_priority_entry(),
                            slot_fair_entry(),
                            slot_fifo_entry(),
                            slot_hard_deadline_entry(),
                            slot_soft_deadline_entry(),
                            spread_entry(),
                            tetris_entry(),
                            two_level_entry(),
                            weighted_priorities_entry()});
}

}  // namespace tracebed
