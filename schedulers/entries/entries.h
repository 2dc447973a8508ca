// The entries of the schedulers that Tracebed has, each in a file of its own.
#pragma once

#include "schedulers/scheduler_entry.h"

namespace tracebed {

// A sentence for each place of what a file has and nobody knows.
std::vector<std::string> as_unknown(std::vector<std::string> places);

// The entry of a slot scheduler whose files state the slots alone.
SchedulerEntry with_slot_files(SchedulerEntry entry);

// share_entries.cpp
SchedulerEntry drf_entry();
SchedulerEntry hdrf_entry();
SchedulerEntry mfs_entry();
SchedulerEntry tetris_entry();

// placement_entries.cpp
SchedulerEntry binpack_entry();
SchedulerEntry dot_product_entry();
SchedulerEntry l2_norm_entry();
SchedulerEntry random_entry();
SchedulerEntry spread_entry();

// concurrent_entries.cpp
SchedulerEntry monolithic_entry();
SchedulerEntry shared_state_entry();
SchedulerEntry two_level_entry();

// slot_deadline_entries.cpp
SchedulerEntry slot_hard_deadline_entry();
SchedulerEntry slot_soft_deadline_entry();

SchedulerEntry capacity_entry();
SchedulerEntry dbd_entry();
SchedulerEntry fair_entry();
SchedulerEntry fcfs_entry();
SchedulerEntry fifo_entry();
SchedulerEntry slot_capacity_entry();
SchedulerEntry slot_dynamic_priority_entry();
SchedulerEntry slot_fair_entry();
SchedulerEntry slot_fifo_entry();
SchedulerEntry weighted_priorities_entry();

}  // namespace tracebed
