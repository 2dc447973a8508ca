#include "coordinator/config/choose_schedulers.h"

#include <fmt/format.h>
#include <map>
#include <set>
#include <string_view>

#include "coordinator/config/scheduler_tables.h"
#include "core/input_error.h"

namespace tracebed {

void choose_schedulers(const std::vector<std::string>& names, Experiment& experiment) {
  if (names.empty()) return;
  if (names.size() > schedulers_max) {
    throw InputError(fmt::format("--scheduler: expected at most {} schedulers, got {}",
                                 schedulers_max, names.size()));
  }
  std::map<std::string_view, const SchedulerChoice*> known;
  for (const SchedulerChoice& choice : experiment.schedulers) known.emplace(choice.label, &choice);
  std::set<std::string_view> labels;
  std::vector<SchedulerChoice> chosen;
  for (const std::string& name : names) {
    if (!labels.insert(name).second) throw InputError("--scheduler: " + name + " is named twice");
    const auto own = known.find(name);
    chosen.push_back(own == known.end() ? SchedulerChoice{name, name, "--scheduler", {}, {}}
                                        : *own->second);
  }
  experiment.schedulers = std::move(chosen);
}

}  // namespace tracebed
