#include "coordinator/config/choose_schedulers.h"

#include "core/input_error.h"

namespace tracebed {

void choose_schedulers(const std::vector<std::string>& names, Experiment& experiment) {
  if (names.empty()) return;
  std::vector<SchedulerChoice> chosen;
  for (const std::string& name : names) {
    SchedulerChoice choice{name, name, "--scheduler", {}, {}};
    for (const SchedulerChoice& known : experiment.schedulers) {
      if (known.label == name) choice = known;
    }
    for (const SchedulerChoice& other : chosen) {
      if (other.label == name) throw InputError("--scheduler: " + name + " is named twice");
    }
    chosen.push_back(std::move(choice));
  }
  experiment.schedulers = std::move(chosen);
}

}  // namespace tracebed
