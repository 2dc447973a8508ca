// The slots of a cluster of which a file of Hadoop 1's is explained.
#pragma once

#include <span>

#include "schedulers/hadoop1/slots.h"
#include "schedulers/scheduler_entry.h"

namespace tracebed {

inline PerKind<std::int64_t> slots_of_machines(const SlotRule& rule,
                                               std::span<const ExplainedMachines> machines) {
  PerKind<std::int64_t> slots;
  for (const ExplainedMachines& equal : machines) {
    const PerKind<std::int64_t> more = slots_in_all(rule, equal.capacity, equal.count);
    for (const SlotKind kind : slot_kinds) slots[kind] += more[kind];
  }
  return slots;
}

}  // namespace tracebed
