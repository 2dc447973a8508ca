#include "coordinator/runner/hadoop_sites.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>

#include "coordinator/runner/choices.h"
#include "coordinator/runner/mapred_site.h"
#include "coordinator/runner/named_files.h"
#include "coordinator/runner/node_manager.h"
#include "coordinator/runner/setting_faults.h"
#include "core/check.h"
#include "core/input_error.h"

namespace tracebed {
namespace {

constexpr std::string_view semantics_setting = "mapred_semantics";
constexpr std::array site_descriptions{
    SettingDescription{mapred_site_setting, "",
                       "a mapred-site.xml, relative to the experiment: its values apply to "
                       "settings of MapReduce jobs that are not given here",
                       true},
    SettingDescription{semantics_setting, "hadoop-3",
                       "release whose defaults apply to the mapred-site.xml: `hadoop-3`, which "
                       "derives heap and memory from each other, or `hadoop-2.0`, with -Xmx200m"},
};

std::optional<Setting> take(std::vector<Setting>& settings, std::string_view key) {
  const auto found = std::find_if(settings.begin(), settings.end(),
                                  [&](const Setting& setting) { return setting.key == key; });
  if (found == settings.end()) return std::nullopt;
  Setting taken = std::move(*found);
  settings.erase(found);
  return taken;
}

bool has(const std::vector<Setting>& settings, std::string_view key) {
  return std::any_of(settings.begin(), settings.end(),
                     [&](const Setting& setting) { return setting.key == key; });
}

void fill(std::vector<Setting>& settings, const std::vector<Setting>& from, const Setting& file) {
  for (const Setting& value : from) {
    if (has(settings, value.key)) continue;
    settings.push_back({value.key, value.value, file.where + ": " + value.where});
  }
}

template <class Site>
Site sound(Result<Site> site, const Setting& file) {
  if (!site) throw InputError(fmt::format("{}: {}", file.where, site.error().message));
  return std::move(*site);
}

MapredGeneration generation_of(const std::optional<Setting>& setting) {
  if (!setting || setting->value == "hadoop-3") return MapredGeneration::hadoop_3;
  if (setting->value == "hadoop-2.0") return MapredGeneration::hadoop_2;
  throw InputError(fmt::format("{}: expected hadoop-3 or hadoop-2.0, got \"{}\"", setting->where,
                               setting->value));
}

void follow_container(const MapredSite& site, SitedExperiment& sited) {
  MasterChoice& master = sited.experiment.master;
  for (const Setting& value : site.container) {
    if (!master.in_containers) {
      sited.remarks.push_back(value.where +
                              ": is ignored: masters use no resources unless am is \"container\"");
      continue;
    }
    if (master.given.contains(value.key)) continue;
    const std::int64_t number = std::stoll(value.value);
    if (value.key == "memory") {
      master.container.demand[Resources::memory_dimension] = number;
    } else if (value.key == "vcores") {
      master.container.demand[Resources::vcores_dimension] = number;
    } else if (value.key == "attempts") {
      master.container.attempts_max = static_cast<std::uint32_t>(number);
    } else {
      TRACEBED_CHECK(value.key == "heartbeat", "a key of [master_container]");
      master.container.heartbeat_interval = milliseconds(number);
    }
  }
}

// A heap that follows from the file's memory says nothing where the experiment gives another.
void forget_derived_heaps(std::vector<Setting>& site, const std::vector<Setting>& given) {
  for (const std::string kind : {"map", "reduce"}) {
    const std::optional<Setting> heap = take(site, kind + "_heap_mib");
    if (!heap) continue;
    const bool is_derived = std::any_of(site.begin(), site.end(), [&](const Setting& setting) {
      return setting.key == kind + "_memory_mib" && setting.where == heap->where;
    });
    if (!is_derived || !has(given, kind + "_memory_mib")) site.push_back(*heap);
  }
}

void follow_mapred_site(SitedExperiment& sited) {
  Experiment& experiment = sited.experiment;
  const std::optional<Setting> file = take(experiment.masters, mapred_site_setting);
  const std::optional<Setting> semantics = take(experiment.masters, semantics_setting);
  const MapredGeneration generation = generation_of(semantics);
  if (!file || file->value.empty()) {
    if (!semantics) return;
    throw InputError(fmt::format("{}: expected mapred_site to be set, too", semantics->where));
  }
  MapredSite site = sound(read_mapred_site(read_xml(experiment.files, *file), generation), *file);
  forget_derived_heaps(site.masters, experiment.masters);
  fill(experiment.masters, site.masters, *file);
  fill(experiment.trace.rules, site.rules, *file);
  follow_container(site, sited);
  sited.remarks.insert(sited.remarks.end(), site.remarks.begin(), site.remarks.end());
}

void follow_yarn_site(SitedExperiment& sited) {
  Experiment& experiment = sited.experiment;
  const std::optional<Setting> file = take(experiment.node_manager, node_manager_site_setting);
  if (!file || file->value.empty()) return;
  const NodeManagerSite site =
      sound(read_node_manager_site(read_xml(experiment.files, *file)), *file);
  fill(experiment.node_manager, site.settings, *file);
  sited.remarks.insert(sited.remarks.end(), site.remarks.begin(), site.remarks.end());
}

}  // namespace

std::span<const SettingDescription> mapred_site_settings() {
  return site_descriptions;
}

SitedExperiment with_hadoop_sites(const Experiment& experiment) {
  SitedExperiment sited{experiment, {}};
  follow_mapred_site(sited);
  follow_yarn_site(sited);
  sited.experiment.masters = scaled_master_settings(sited.experiment.masters, experiment.scale);
  return sited;
}

VirtualMemoryCheck chosen_memory_check(const Experiment& experiment) {
  return make_with(experiment.node_manager, "node_manager", [](const std::vector<Setting>& given) {
    return read_node_manager(to_values(given));
  });
}

}  // namespace tracebed
