// The schedulers that a program has, by name: a value that main() makes and passes to all that uses
// schedulers. `examples/own_scheduler` adds one of its own.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/scheduler.h"
#include "core/scheduler_parameters.h"
#include "schedulers/scheduler_entry.h"

namespace tracebed {

class SchedulerRegistry {
 public:
  SchedulerRegistry() = default;
  // No two entries have the same name.
  explicit SchedulerRegistry(std::vector<SchedulerEntry> entries);

  // The entry must have a new name, and `make`. Invalidates entries found before.
  void add(SchedulerEntry entry);

  // Null if there is none with this name. Valid until add() and for the registry's lifetime.
  const SchedulerEntry* find(std::string_view name) const;

  // Fails for an unknown name, listing the known ones, and as SchedulerEntry::make does.
  Result<std::unique_ptr<Scheduler>> make(std::string_view name,
                                          const SchedulerParameters& parameters) const;

  // In alphabetical order.
  std::vector<SchedulerEntry>::const_iterator begin() const { return entries_.begin(); }
  std::vector<SchedulerEntry>::const_iterator end() const { return entries_.end(); }
  std::size_t size() const { return entries_.size(); }

 private:
  std::vector<SchedulerEntry> entries_;  // by name
};

}  // namespace tracebed
