#include "coordinator/config/controller_table.h"

#include <array>
#include <fmt/format.h>
#include <set>

#include "coordinator/config/longest_duration.h"
#include "coordinator/config/settings_table.h"
#include "core/input_error.h"

namespace tracebed {
namespace {

constexpr std::array<std::string_view, 2> starts{"first_submission", "run"};

}  // namespace

// Keys beside these are the controller's own; controllers/controller_entry.h knows them.
void read_controllers(const TomlValue& value, std::vector<ControllerChoice>& controllers) {
  for (const TomlValue& element : value.elements()) {
    ControllerChoice choice;
    choice.where = element.where();
    for (const auto& [key, node] : element.table()) {
      const TomlValue entry(node, join_key(element.key(), key.str()));
      if (key.str() == "name") {
        choice.name = entry.text();
        choice.where = entry.where();
      } else if (key.str() == "scheduler") {
        choice.scheduler = entry.text();
      } else if (key.str() == "queue") {
        choice.queue = entry.text();
      } else if (key.str() == "latency") {
        choice.latency = entry.duration({}, longest_duration);
      } else if (key.str() == "start") {
        choice.starts_with_run = entry.choice(starts) == 1;
      } else {
        read_setting(entry, std::string(key.str()), choice.settings);
      }
    }
    if (choice.name.empty()) fail_missing_key(element.table(), element.key(), "name");
    controllers.push_back(std::move(choice));
  }
}

SchedulerLabels::SchedulerLabels(const std::vector<SchedulerChoice>& schedulers) {
  for (const SchedulerChoice& choice : schedulers) labels_.insert(choice.label);
}

void SchedulerLabels::complete(std::string& label, const std::string& where) const {
  if (label.empty() && labels_.size() == 1) label = *labels_.begin();
  if (labels_.contains(label)) return;
  throw InputError(
      fmt::format("{}: expected `scheduler` to be the label of one of the "
                  "experiment's schedulers, got \"{}\"",
                  where, label));
}

void check_controllers(Experiment& experiment) {
  const SchedulerLabels schedulers(experiment.schedulers);
  std::set<std::string> controlled;
  for (ControllerChoice& controller : experiment.controllers) {
    schedulers.complete(controller.scheduler, controller.where);
    if (!controlled.insert(controller.scheduler).second) {
      throw InputError(
          fmt::format("{}: expected one controller for each scheduler, got another "
                      "for {}",
                      controller.where, controller.scheduler));
    }
    if (experiment.master.in_containers) continue;
    throw InputError(
        fmt::format("{}: expected am = \"container\", since a controller changes how much of a "
                    "queue the containers of masters may take",
                    controller.where));
  }
}

}  // namespace tracebed
