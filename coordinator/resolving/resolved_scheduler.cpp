#include "coordinator/resolving/resolved_scheduler.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>

#include "coordinator/config/xml_file.h"
#include "coordinator/resolving/given_settings.h"
#include "coordinator/resolving/scheduler_files.h"
#include "core/input_error.h"
#include "schedulers/yarn/configuration/hadoop_properties.h"
#include "schedulers/yarn/configuration/yarn_site.h"

namespace tracebed {
namespace {

const SchedulerEntry& entry_of(const SchedulerRegistry& schedulers, const SchedulerChoice& choice) {
  const SchedulerEntry* entry = schedulers.find(choice.name);
  if (entry != nullptr) return *entry;
  const auto unknown = schedulers.make(choice.name, {});
  throw InputError(fmt::format("{}: {}", choice.where, unknown.error().message));
}

// Of a file that is wrong, those before the fault: it is reported when the scheduler is made.
HadoopProperties properties_of(const NamedFile& file) {
  HadoopProperties properties;
  (void)properties.add(file.root);
  return properties;
}

void read_file(ResolvedScheduler& scheduler, const Setting& setting, NamedFiles& files) {
  if (!names_xml_file(*scheduler.entry, setting)) return;
  NamedFile file = files.read(scheduler.folder, setting);
  if (setting.key == scheduler.entry->yarn_site.overriding_file) {
    layer_under(scheduler.layer.under(properties_of(file)), setting, file);
  }
  take_in_files(*scheduler.entry, scheduler.folder, setting, files, file);
  scheduler.files[setting.key] = std::move(file);
}

// The property of yarn-site.xml that sets it; empty if there is none.
std::string_view property_of(const SchedulerEntry& entry, std::string_view setting) {
  const std::vector<YarnSiteKey>& keys = entry.yarn_site.keys;
  const auto found = std::find_if(keys.begin(), keys.end(), [&](const YarnSiteKey& key) {
    return key.match == YarnSiteKey::Match::name && key.setting == setting;
  });
  return found == keys.end() ? std::string_view() : found->property;
}

std::vector<Setting> stated_in(const ResolvedScheduler& scheduler, const std::string& key,
                               const NamedFile& file) {
  if (!scheduler.entry->settings_of_file) return {};
  const SettingValues values = to_values(scheduler.settings);
  const Setting& named = *find_setting(scheduler.settings, key);
  std::vector<Setting> stated;
  for (FileSetting& setting :
       valid(scheduler.entry->settings_of_file({key, file.root, values, ResourceDimensions()}),
             scheduler.settings, named.where)) {
    if (scheduler.layer.is_final(property_of(*scheduler.entry, setting.name))) continue;
    stated.push_back(
        {std::move(setting.name), std::move(setting.value), placed(named, setting.where)});
  }
  return stated;
}

// Takes what the file states, where nothing is given.
void follow_file(ResolvedScheduler& scheduler, const std::string& key, const NamedFile& file) {
  for (Setting& setting : stated_in(scheduler, key, file)) {
    if (find_setting(scheduler.settings, setting.key) != nullptr) continue;
    scheduler.settings.push_back(std::move(setting));
  }
}

struct NamedSite {
  YarnSite site;
  Setting setting;  // that names it
};

// What a yarn-site.xml says, if one is named.
std::optional<NamedSite> take_yarn_site(ResolvedScheduler& scheduler,
                                        const SchedulerRegistry& schedulers, NamedFiles& files) {
  if (!takes_yarn_site(*scheduler.entry)) return std::nullopt;
  const std::optional<Setting> setting = take_setting(scheduler.settings, yarn_site_setting);
  if (!setting) return std::nullopt;
  const NamedFile file = files.read(scheduler.folder, *setting);
  Result<YarnSite> site = read_yarn_site(file.root, *scheduler.entry, schedulers);
  if (!site) throw InputError(placed(*setting, site.error().message));
  return NamedSite{std::move(*site), *setting};
}

// Takes its settings, after those of the file that YARN reads later.
void follow_yarn_site(ResolvedScheduler& scheduler, NamedSite named) {
  YarnSite& site = named.site;
  HadoopProperties later;
  const auto found = scheduler.files.find(scheduler.entry->yarn_site.overriding_file);
  if (found != scheduler.files.end()) {
    later = properties_of(found->second);
    follow_file(scheduler, found->first, found->second);
  }
  for (const auto& [key, value] : site.settings) {
    const bool is_replaced = !value.property.empty() && later.find(value.property) &&
                             !site.layer.is_final(value.property);
    if (is_replaced || find_setting(scheduler.settings, key) != nullptr) continue;
    scheduler.settings.push_back({key, value.value, placed(named.setting, value.where)});
  }
  std::erase_if(site.review.unobeyed,
                [&](const UnobeyedProperty& each) { return later.find(each.name).has_value(); });
  const Setting* ignores = find_setting(scheduler.settings, ignore_unsupported_setting);
  const Status status = refuse(site.review.unobeyed);
  if (!status && (ignores == nullptr || ignores->value != "true")) {
    throw InputError(placed(named.setting, status.error().message));
  }
  scheduler.remarks = site.review.sentences();
}

void remark_on_unread(ResolvedScheduler& scheduler, const ResourceDimensions& dimensions) {
  if (!scheduler.entry->unread) return;
  const SettingValues values = to_values(scheduler.settings);
  for (const auto& [key, file] : scheduler.files) {
    for (std::string& sentence : scheduler.entry->unread({key, file.root, values, dimensions})) {
      scheduler.remarks.push_back(std::move(sentence));
    }
  }
}

SchedulerParameters parameters_of(const ResolvedScheduler& scheduler) {
  SchedulerParameters parameters;
  parameters.settings = to_values(scheduler.settings);
  for (const auto& [key, file] : scheduler.files) parameters.documents.emplace(key, file.root);
  return parameters;
}

void check_is_scalable(const ResolvedScheduler& scheduler, const ScaleChoice& scale) {
  if (!scheduler.entry->absolute_amounts) return;
  if (scale.memory == 1 && scale.cpu == 1 && scale.machines == 1) return;
  for (const auto& [key, file] : scheduler.files) {
    const std::vector<std::string> places = scheduler.entry->absolute_amounts(file.root);
    if (places.empty()) continue;
    throw InputError(
        fmt::format("{}: {} is an absolute amount, but [scale] divides this cluster; state it in "
                    "percent, or run with scale.memory, scale.cpu and scale.machines of 1",
                    scheduler.where, places.front()));
  }
}

void replace_setting(ResolvedScheduler& scheduler, const Setting& setting) {
  (void)take_setting(scheduler.settings, setting.key);
  scheduler.settings.push_back(setting);
}

}  // namespace

SchedulerSurroundings surroundings_of(const ExperimentTables& experiment, std::uint64_t seed,
                                      const Names& names) {
  const ClusterChoice& cluster = experiment.cluster;
  return {seed, names, ResourceDimensions(cluster.extra_dimensions), cluster.heartbeat};
}

ResolvedScheduler resolve_scheduler(const SchedulerRegistry& schedulers,
                                    const SchedulerChoice& choice,
                                    const ResourceDimensions& dimensions, NamedFiles& files) {
  const SchedulerEntry& entry = entry_of(schedulers, choice);
  ResolvedScheduler scheduler{choice.name,     choice.label, choice.where, &entry,
                              choice.settings, {},           choice.files, {}};
  std::optional<NamedSite> site = take_yarn_site(scheduler, schedulers, files);
  if (site) scheduler.layer = site->site.layer;
  for (const Setting& setting : choice.settings) read_file(scheduler, setting, files);
  if (site) follow_yarn_site(scheduler, std::move(*site));
  remark_on_unread(scheduler, dimensions);
  for (const auto& [key, file] : scheduler.files) follow_file(scheduler, key, file);
  // An unknown one stays: it is refused when the scheduler is made.
  std::vector<Setting> complete = with_defaults(entry.settings, scheduler.settings, choice.where);
  std::set<std::string_view> described;
  for (const SettingDescription& setting : entry.settings) described.insert(setting.name);
  for (Setting& setting : scheduler.settings) {
    if (!described.contains(setting.key)) complete.push_back(std::move(setting));
  }
  scheduler.settings = std::move(complete);
  return scheduler;
}

ResolvedScheduler resolve_scheduler(const SchedulerRegistry& schedulers,
                                    const SchedulerChoice& choice,
                                    const ResourceDimensions& dimensions) {
  NamedFiles files;
  return resolve_scheduler(schedulers, choice, dimensions, files);
}

std::vector<std::string> differences_of(const ResolvedScheduler& scheduler,
                                        const ResourceDimensions& dimensions, bool has_gangs) {
  SchedulerParameters parameters = parameters_of(scheduler);
  parameters.dimensions = dimensions;
  std::vector<std::string> names;
  for (const Difference& difference : scheduler.entry->differences) {
    const bool is_touched =
        !difference.is_touched || difference.is_touched({parameters, has_gangs});
    if (is_touched) names.emplace_back(difference.name);
  }
  return names;
}

std::unique_ptr<Scheduler> make_scheduler(const ResolvedScheduler& scheduler,
                                          const SchedulerSurroundings& surroundings) {
  SchedulerParameters parameters = parameters_of(scheduler);
  parameters.seed = surroundings.seed;
  parameters.dimensions = surroundings.dimensions;
  parameters.heartbeat = surroundings.heartbeat;
  parameters.names = &surroundings.names;
  return valid(scheduler.entry->make(*scheduler.entry, parameters), scheduler.settings,
               scheduler.where);
}

void scale_scheduler(ResolvedScheduler& scheduler, const ScaleChoice& scale) {
  check_is_scalable(scheduler, scale);
  for (std::string& sentence : scale_amounts(scheduler.settings, scale)) {
    scheduler.remarks.push_back(std::move(sentence));
  }
  if (!scheduler.entry->changed_by_scale) return;
  const std::string change = scheduler.entry->changed_by_scale(
      parameters_of(scheduler), {.memory = scale.memory, .cpu = scale.cpu});
  if (change.empty()) return;
  scheduler.remarks.push_back(fmt::format("{}: {}", scheduler.where, change));
}

ResolvedScheduler with_setting(ResolvedScheduler scheduler, const Setting& setting,
                               const ScaleChoice& scale) {
  replace_setting(scheduler, setting);
  scheduler.files.erase(setting.key);
  NamedFiles files;
  read_file(scheduler, setting, files);
  const auto file = scheduler.files.find(setting.key);
  if (file == scheduler.files.end()) return scheduler;
  check_is_scalable(scheduler, scale);
  for (const Setting& stated : stated_in(scheduler, setting.key, file->second)) {
    replace_setting(scheduler, stated);
  }
  return scheduler;
}

std::vector<std::pair<std::string, std::string>> mutable_properties(
    const ResolvedScheduler& scheduler) {
  std::vector<std::pair<std::string, std::string>> named;
  if (!scheduler.entry->mutable_file) return named;
  const auto file = scheduler.files.find(scheduler.entry->mutable_file->setting);
  if (file == scheduler.files.end()) return named;
  const HadoopProperties properties = properties_of(file->second);
  for (const auto& [name, property] : properties.all()) named.emplace_back(name, property.value);
  return named;
}

ResolvedScheduler with_update(ResolvedScheduler scheduler, const ConfigurationUpdate& update,
                              const ScaleChoice& scale, const ResourceDimensions& dimensions) {
  const SchedulerEntry& entry = *scheduler.entry;
  if (!entry.mutable_file) {
    throw InputError(fmt::format(
        "Configuration change only supported by MutableConfScheduler. The scheduler of the run is "
        "{}",
        entry.name));
  }
  const std::string key(entry.mutable_file->setting);
  const auto file = scheduler.files.find(key);
  if (file == scheduler.files.end()) {
    throw InputError(fmt::format("scheduler {} of the run has no file ({})", entry.name, key));
  }
  const SettingValues settings = to_values(scheduler.settings);
  const Result<XmlElement> updated =
      entry.mutable_file->updated({key, file->second.root, settings, dimensions}, update);
  if (!updated) throw InputError(updated.error().message);
  if (entry.contained_files) {
    // A path would be read on this machine, for somebody who may not.
    const std::vector<ContainedFile> named = entry.contained_files(*updated);
    if (!named.empty()) {
      throw InputError(fmt::format("{} names a file, which is not read", named.front().path));
    }
  }
  file->second.text = xml_text(*updated);
  // Places are those of the new text.
  file->second.root = parse_xml(file->second.text, find_setting(scheduler.settings, key)->value);
  check_is_scalable(scheduler, scale);
  for (const Setting& stated : stated_in(scheduler, key, file->second)) {
    replace_setting(scheduler, stated);
  }
  return scheduler;
}

}  // namespace tracebed
