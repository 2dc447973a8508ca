#include "schedulers/registry.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/check.h"

namespace tracebed {

SchedulerRegistry::SchedulerRegistry(std::vector<SchedulerEntry> entries) {
  for (SchedulerEntry& entry : entries) add(std::move(entry));
}

void SchedulerRegistry::add(SchedulerEntry entry) {
  TRACEBED_CHECK(!entry.name.empty() && entry.make, "an entry has a name and can be made");
  TRACEBED_CHECK(find(entry.name) == nullptr, "each scheduler of a registry has its own name");
  const auto place = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const SchedulerEntry& one) { return one.name > entry.name; });
  entries_.insert(place, std::move(entry));
}

const SchedulerEntry* SchedulerRegistry::find(std::string_view name) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const SchedulerEntry& entry) { return entry.name == name; });
  return found == entries_.end() ? nullptr : &*found;
}

Result<std::unique_ptr<Scheduler>> SchedulerRegistry::make(
    std::string_view name, const SchedulerParameters& parameters) const {
  const SchedulerEntry* entry = find(name);
  if (entry != nullptr) return entry->make(*entry, parameters);
  std::string message = "there is no scheduler \"" + std::string(name) + "\"";
  const char* separator = "; there are ";
  for (const SchedulerEntry& known : entries_) {
    message += separator + std::string(known.name);
    separator = ", ";
  }
  return Error{message};
}

}  // namespace tracebed
