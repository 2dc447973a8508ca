// Which differences from what they imitate the schedulers have (docs/differences.md), and which
// settings and files they show with.
#pragma once

#include <vector>

#include "schedulers/scheduler_entry.h"

namespace tracebed {

std::vector<Difference> fifo_differences();
std::vector<Difference> capacity_differences();
std::vector<Difference> fair_differences();
std::vector<Difference> slot_fifo_differences();
std::vector<Difference> slot_capacity_differences();
std::vector<Difference> slot_fair_differences();
std::vector<Difference> slot_dynamic_priority_differences();
std::vector<Difference> slot_hard_deadline_differences();
std::vector<Difference> slot_soft_deadline_differences();
std::vector<Difference> mfs_differences();
std::vector<Difference> drf_differences();
std::vector<Difference> hdrf_differences();
std::vector<Difference> tetris_differences();
std::vector<Difference> dbd_differences();
std::vector<Difference> spread_differences();   // and of Binpack
std::vector<Difference> packing_differences();  // of DotProduct and L2Norm
std::vector<Difference> weighted_priorities_differences();
std::vector<Difference> monolithic_differences();
std::vector<Difference> shared_state_differences();
std::vector<Difference> two_level_differences();

}  // namespace tracebed
