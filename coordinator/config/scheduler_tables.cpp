#include "coordinator/config/scheduler_tables.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <set>
#include <utility>

#include "coordinator/config/controller_table.h"
#include "coordinator/config/longest_duration.h"
#include "coordinator/config/settings_table.h"

namespace tracebed {
namespace {

// Adds schedulers with different labels.
class SchedulerList {
 public:
  explicit SchedulerList(std::vector<SchedulerChoice>& schedulers) : schedulers_(schedulers) {
    for (const SchedulerChoice& choice : schedulers) labels_.insert(choice.label);
  }

  void add(const TomlValue& value, SchedulerChoice choice) {
    if (schedulers_.size() == schedulers_max) {
      value.fail(fmt::format("expected at most {} schedulers", schedulers_max));
    }
    if (choice.label == "noise") {
      value.fail(
          "\"noise\" is reserved for the baseline's runs against itself; give the scheduler "
          "another `label`");
    }
    if (!labels_.insert(choice.label).second) {
      value.fail(
          fmt::format("there are two schedulers with the label \"{}\"; give one of them "
                      "another `label`",
                      choice.label));
    }
    schedulers_.push_back(std::move(choice));
  }

 private:
  std::vector<SchedulerChoice>& schedulers_;
  std::set<std::string> labels_;
};

}  // namespace

std::string plain_name(const TomlValue& value) {
  constexpr std::size_t name_max = 80;
  std::string name = value.text();
  const bool is_plain = std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
  });
  if (!is_plain || name.starts_with('.') || name.size() > name_max) {
    value.fail_expected("a name of letters, digits and - _ . (it becomes a folder's name)");
  }
  return name;
}

void read_scheduler_names(const TomlValue& value, std::vector<SchedulerChoice>& schedulers) {
  SchedulerList list(schedulers);
  for (const TomlValue& element : value.elements()) {
    const std::string name = plain_name(element);
    list.add(element, {name, name, element.where(), {}, {}});
  }
}

// Keys beside name and label are the scheduler's own; schedulers/registry.h knows them.
void read_scheduler_tables(const TomlValue& value, std::vector<SchedulerChoice>& schedulers) {
  SchedulerList list(schedulers);
  for (const TomlValue& element : value.elements()) {
    SchedulerChoice choice;
    for (const auto& [key, node] : element.table()) {
      const TomlValue entry(node, join_key(element.key(), key.str()));
      if (key.str() == "name") {
        choice.name = plain_name(entry);
        choice.where = entry.where();
      } else if (key.str() == "label") {
        choice.label = plain_name(entry);
      } else {
        read_setting(entry, std::string(key.str()), choice.settings);
      }
    }
    if (choice.name.empty()) fail_missing_key(element.table(), element.key(), "name");
    if (choice.label.empty()) choice.label = choice.name;
    list.add(element, std::move(choice));
  }
}

// Keys beside at and scheduler are the scheduler's own.
void read_refreshes(const TomlValue& value, std::vector<RefreshChoice>& refreshes) {
  for (const TomlValue& element : value.elements()) {
    RefreshChoice refresh;
    refresh.where = element.where();
    for (const auto& [key, node] : element.table()) {
      const TomlValue entry(node, join_key(element.key(), key.str()));
      if (key.str() == "at") {
        refresh.at = TraceTime(entry.duration({}, longest_duration));
      } else if (key.str() == "scheduler") {
        refresh.scheduler = entry.text();
      } else {
        read_setting(entry, std::string(key.str()), refresh.settings);
      }
    }
    if (!element.table().contains("at")) fail_missing_key(element.table(), element.key(), "at");
    if (refresh.settings.empty()) element.fail("expected a setting of the scheduler, got none");
    refreshes.push_back(std::move(refresh));
  }
  std::stable_sort(refreshes.begin(), refreshes.end(),
                   [](const RefreshChoice& a, const RefreshChoice& b) { return a.at < b.at; });
}

void check_refreshes(Experiment& experiment) {
  const SchedulerLabels labels(experiment.schedulers);
  for (RefreshChoice& refresh : experiment.refreshes) {
    labels.complete(refresh.scheduler, refresh.where);
  }
}

}  // namespace tracebed
