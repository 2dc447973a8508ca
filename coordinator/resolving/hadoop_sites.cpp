#include "coordinator/resolving/hadoop_sites.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>

#include "coordinator/resolving/given_settings.h"
#include "coordinator/resolving/mapred_site.h"
#include "coordinator/resolving/named_files.h"
#include "coordinator/resolving/node_manager.h"
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

void fill(std::vector<Setting>& settings, const std::vector<Setting>& from, const Setting& file) {
  for (const Setting& value : from) {
    if (find_setting(settings, value.key) != nullptr) continue;
    settings.push_back({value.key, value.value, file.where + ": " + value.where});
  }
}

MapredGeneration generation_of(const std::optional<Setting>& setting) {
  if (!setting || setting->value == "hadoop-3") return MapredGeneration::hadoop_3;
  if (setting->value == "hadoop-2.0") return MapredGeneration::hadoop_2;
  throw InputError(fmt::format("{}: expected hadoop-3 or hadoop-2.0, got \"{}\"", setting->where,
                               setting->value));
}

void follow_container(const MapredSite& site, MasterChoice& master,
                      std::vector<std::string>& remarks) {
  for (const Setting& value : site.container) {
    if (!master.in_containers) {
      remarks.push_back(value.where +
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

// A heap that is derived from the file's memory has no effect where the experiment states another
// memory.
void forget_derived_heaps(std::vector<Setting>& site, const std::vector<Setting>& given) {
  for (const std::string kind : {"map", "reduce"}) {
    const std::optional<Setting> heap = take_setting(site, kind + "_heap_mib");
    if (!heap) continue;
    const bool is_derived = std::any_of(site.begin(), site.end(), [&](const Setting& setting) {
      return setting.key == kind + "_memory_mib" && setting.where == heap->where;
    });
    if (!is_derived || find_setting(given, kind + "_memory_mib") == nullptr) site.push_back(*heap);
  }
}

void follow_mapred_site(Experiment& experiment, NamedFiles& files,
                        std::vector<std::string>& remarks) {
  const std::optional<Setting> file = take_setting(experiment.masters, mapred_site_setting);
  const std::optional<Setting> semantics = take_setting(experiment.masters, semantics_setting);
  const MapredGeneration generation = generation_of(semantics);
  if (!file || file->value.empty()) {
    if (!semantics) return;
    throw InputError(fmt::format("{}: expected mapred_site to be set, too", semantics->where));
  }
  MapredSite site = valid(read_mapred_site(files.read(experiment.files, *file).root, generation),
                          {}, file->where);
  forget_derived_heaps(site.masters, experiment.masters);
  fill(experiment.masters, site.masters, *file);
  fill(experiment.trace_rules, site.rules, *file);
  follow_container(site, experiment.master, remarks);
  remarks.insert(remarks.end(), site.remarks.begin(), site.remarks.end());
}

void follow_yarn_site(Experiment& experiment, NamedFiles& files,
                      std::vector<std::string>& remarks) {
  const std::optional<Setting> file =
      take_setting(experiment.node_manager, node_manager_site_setting);
  if (!file || file->value.empty()) return;
  const NodeManagerSite site =
      valid(read_node_manager_site(files.read(experiment.files, *file).root), {}, file->where);
  fill(experiment.node_manager, site.settings, *file);
  remarks.insert(remarks.end(), site.remarks.begin(), site.remarks.end());
}

}  // namespace

std::span<const SettingDescription> mapred_site_settings() {
  return site_descriptions;
}

std::vector<std::string> follow_hadoop_sites(Experiment& experiment, NamedFiles& files) {
  std::vector<std::string> remarks;
  follow_mapred_site(experiment, files, remarks);
  follow_yarn_site(experiment, files, remarks);
  return remarks;
}

}  // namespace tracebed
