#include "coordinator/runner/scheduler_files.h"

#include <algorithm>
#include <fmt/format.h>

#include "coordinator/config/xml_file.h"
#include "coordinator/runner/named_files.h"
#include "core/input_error.h"
#include "schedulers/yarn/configuration/hadoop_properties.h"
#include "schedulers/yarn/configuration/yarn_site.h"
#include "system/replace_file.h"

namespace tracebed {
namespace {

constexpr const char* copies_folder = "scheduler-files";

bool is_xml_file(const SchedulerEntry& entry, std::string_view key) {
  return std::any_of(entry.settings.begin(), entry.settings.end(),
                     [&](const SettingDescription& described) {
                       return described.name == key && described.is_xml_file;
                     });
}

bool names_xml_file(const SchedulerEntry& entry, const Setting& setting) {
  return !setting.value.empty() && is_xml_file(entry, setting.key);
}

const Setting* yarn_site_of(const SchedulerEntry* entry, const SchedulerChoice& choice) {
  if (entry == nullptr || !takes_yarn_site(*entry)) return nullptr;
  for (const Setting& setting : choice.settings) {
    if (setting.key == yarn_site_setting) return &setting;
  }
  return nullptr;
}

YarnSite read_site(const SchedulerRegistry& schedulers, const SchedulerEntry& entry,
                   const SchedulerChoice& choice, const Setting& setting) {
  Result<YarnSite> site = read_yarn_site(read_xml(choice.files, setting), entry, schedulers);
  if (!site) throw InputError(fmt::format("{}: {}", setting.where, site.error().message));
  return std::move(*site);
}

SettingValues given_values(const SchedulerChoice& choice) {
  SettingValues values;
  for (const Setting& setting : choice.settings) values[setting.key] = setting.value;
  return values;
}

}  // namespace

bool is_xml_setting(const SchedulerRegistry& schedulers, std::string_view scheduler,
                    std::string_view key) {
  const SchedulerEntry* entry = schedulers.find(scheduler);
  if (entry == nullptr) return false;
  const bool is_site = key == yarn_site_setting && takes_yarn_site(*entry);
  return is_site || is_xml_file(*entry, key);
}

Documents read_documents(const SchedulerRegistry& schedulers, const SchedulerChoice& choice) {
  Documents documents;
  const SchedulerEntry* entry = schedulers.find(choice.name);
  if (entry == nullptr) return documents;
  for (const Setting& setting : choice.settings) {
    if (names_xml_file(*entry, setting)) documents[setting.key] = read_xml(choice.files, setting);
  }
  return documents;
}

namespace {

// What YARN reads after yarn-site.xml.
HadoopProperties overriding_properties(const SchedulerRegistry& schedulers,
                                       const SchedulerChoice& choice,
                                       std::string_view overriding_file) {
  HadoopProperties properties;
  const Documents documents = read_documents(schedulers, choice);
  const auto found = documents.find(overriding_file);
  // One that is wrong is told where the scheduler is made.
  if (found != documents.end()) (void)properties.add(found->second);
  return properties;
}

}  // namespace

SchedulerChoice with_yarn_site(const SchedulerRegistry& schedulers, const SchedulerChoice& choice) {
  const SchedulerEntry* entry = schedulers.find(choice.name);
  const Setting* setting = yarn_site_of(entry, choice);
  if (setting == nullptr) return choice;
  const YarnSite site = read_site(schedulers, *entry, choice, *setting);
  SchedulerChoice filled = choice;
  std::erase_if(filled.settings, [](const Setting& s) { return s.key == yarn_site_setting; });
  const HadoopProperties later =
      overriding_properties(schedulers, filled, entry->yarn_site.overriding_file);
  for (const auto& [key, value] : site.settings) {
    if (!value.property.empty() && later.find(value.property)) continue;
    const bool is_given = std::any_of(filled.settings.begin(), filled.settings.end(),
                                      [&](const Setting& given) { return given.key == key; });
    if (is_given) continue;
    filled.settings.push_back({key, value.value, setting->where + ": " + value.where});
  }
  return filled;
}

SchedulerConfiguration configuration_of(const SchedulerRegistry& schedulers,
                                        const SchedulerChoice& choice) {
  SchedulerConfiguration configuration;
  const SchedulerEntry* entry = schedulers.find(choice.name);
  for (const Setting& setting : choice.settings) {
    const bool is_file = entry != nullptr && names_xml_file(*entry, setting);
    if (is_file) configuration.documents[setting.key] = text_of(choice.files, setting);
    configuration.settings[setting.key] =
        is_file && is_inline(setting) ? setting.where : setting.value;
  }
  return configuration;
}

Result<SchedulerParameters> read_configuration(const SchedulerConfiguration& configuration,
                                               const SchedulerSurroundings& surroundings) {
  SchedulerParameters parameters{
      surroundings.seed, configuration.settings, {}, surroundings.dimensions, &surroundings.names};
  for (const auto& [key, text] : configuration.documents) {
    const auto path = configuration.settings.find(key);
    if (path == configuration.settings.end()) return Error{"the setting " + key + " is missing"};
    try {
      parameters.documents.emplace(key, parse_xml(text, path->second));
    } catch (const InputError& error) {
      return Error{error.what()};
    }
  }
  return parameters;
}

std::vector<std::string> passed_over(const SchedulerRegistry& schedulers,
                                     const SchedulerChoice& choice,
                                     const ResourceDimensions& dimensions) {
  std::vector<std::string> remarks;
  const SchedulerEntry* entry = schedulers.find(choice.name);
  if (const Setting* setting = yarn_site_of(entry, choice)) {
    remarks = read_site(schedulers, *entry, choice, *setting).remarks;
  }
  if (entry == nullptr || !entry->unread) return remarks;
  const SettingValues values = given_values(choice);
  for (const auto& [key, root] : read_documents(schedulers, choice)) {
    for (const std::string& place : entry->unread({key, root, values, dimensions})) {
      remarks.push_back(place + ": is unknown here and is ignored");
    }
  }
  return remarks;
}

void check_is_scalable(const SchedulerRegistry& schedulers, const SchedulerChoice& choice,
                       const ScaleChoice& scale) {
  const SchedulerEntry* entry = schedulers.find(choice.name);
  if (entry == nullptr || !entry->absolute_amounts) return;
  if (scale.memory == 1 && scale.cpu == 1 && scale.machines == 1) return;
  for (const auto& [key, root] : read_documents(schedulers, choice)) {
    const std::vector<std::string> places = entry->absolute_amounts(root);
    if (places.empty()) continue;
    throw InputError(
        fmt::format("{}: {} is an absolute amount, but [scale] divides this cluster; state it in "
                    "percent, or run with scale.memory, scale.cpu and scale.machines of 1",
                    choice.where, places.front()));
  }
}

std::vector<std::string> changed_by_scale(const SchedulerRegistry& schedulers,
                                          const SchedulerChoice& complete,
                                          const ScaleChoice& scale) {
  const SchedulerEntry* entry = schedulers.find(complete.name);
  if (entry == nullptr || !entry->changed_by_scale) return {};
  SchedulerParameters parameters;
  parameters.settings = given_values(complete);
  parameters.documents = read_documents(schedulers, complete);
  const std::string change =
      entry->changed_by_scale(parameters, {.memory = scale.memory, .cpu = scale.cpu});
  if (change.empty()) return {};
  return {fmt::format("{}: {}", complete.where, change)};
}

SchedulerChoice keep_files(const SchedulerRegistry& schedulers, const SchedulerChoice& choice,
                           const std::filesystem::path& run, std::vector<ListedFile>& kept) {
  SchedulerChoice placed = choice;
  placed.files = {run, {}};
  const SchedulerEntry* entry = schedulers.find(choice.name);
  for (Setting& setting : placed.settings) {
    if (entry == nullptr || !names_xml_file(*entry, setting)) continue;
    const std::string text = text_of(choice.files, setting);
    const FileChecksum checksum = checksum_of(text);
    std::error_code error;
    std::filesystem::create_directories(run / copies_folder, error);
    constexpr std::size_t digits = 8;
    setting.value =
        fmt::format("{}/{}.{}.xml", copies_folder, setting.key, checksum.sha256.substr(0, digits));
    replace_file(run / setting.value, text);
    kept.push_back({setting.value, checksum});
  }
  return placed;
}

}  // namespace tracebed
