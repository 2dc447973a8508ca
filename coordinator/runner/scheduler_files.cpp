#include "coordinator/runner/scheduler_files.h"

#include <algorithm>
#include <fmt/format.h>

#include "coordinator/config/xml_file.h"
#include "coordinator/runner/named_files.h"
#include "core/input_error.h"
#include "schedulers/passed_over.h"
#include "schedulers/registry.h"
#include "schedulers/yarn/capacity/capacity_configuration.h"
#include "schedulers/yarn/configuration/absolute_amounts.h"
#include "schedulers/yarn/configuration/yarn_site.h"
#include "schedulers/yarn/fair/fair_allocations.h"
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

// Null for a scheduler that is not known, which is told where it is made.
const SchedulerEntry* entry_of(const SchedulerChoice& choice) {
  return find_scheduler(choice.name);
}

const Setting* yarn_site_of(const SchedulerChoice& choice) {
  const SchedulerEntry* entry = entry_of(choice);
  if (entry == nullptr || !takes_yarn_site(entry->settings)) return nullptr;
  for (const Setting& setting : choice.settings) {
    if (setting.key == yarn_site_setting) return &setting;
  }
  return nullptr;
}

YarnSite read_site(const SchedulerChoice& choice, const Setting& setting) {
  Result<YarnSite> site =
      read_yarn_site(read_xml(choice.files, setting), choice.name, entry_of(choice)->settings);
  if (!site) throw InputError(fmt::format("{}: {}", setting.where, site.error().message));
  return std::move(*site);
}

// Of a file that the scheduler was made from, so it can be read.
std::vector<std::string> passed_over_in(const XmlElement& root,
                                        const ResourceDimensions& dimensions) {
  if (root.name == "allocations") {
    const Result<FairAllocations> allocations = read_fair_allocations(root, dimensions);
    return allocations ? allocations->unread : std::vector<std::string>();
  }
  HadoopProperties properties;
  if (!properties.add(root)) return {};
  const auto loaded = read_capacity_configuration(properties, dimensions);
  if (!loaded) return {};
  std::vector<std::string> places = properties.remarks();
  for (const std::string& name : loaded->unread) places.push_back(properties.place(name));
  return places;
}

}  // namespace

bool is_xml_setting(std::string_view scheduler, std::string_view key) {
  const SchedulerEntry* entry = find_scheduler(scheduler);
  if (entry == nullptr) return false;
  const bool is_site = key == yarn_site_setting && takes_yarn_site(entry->settings);
  return is_site || is_xml_file(*entry, key);
}

Documents read_documents(const SchedulerChoice& choice) {
  Documents documents;
  const SchedulerEntry* entry = entry_of(choice);
  if (entry == nullptr) return documents;
  for (const Setting& setting : choice.settings) {
    if (names_xml_file(*entry, setting)) documents[setting.key] = read_xml(choice.files, setting);
  }
  return documents;
}

namespace {

// The properties of the file with the queues, which YARN reads after yarn-site.xml.
HadoopProperties queue_properties(const SchedulerChoice& choice) {
  HadoopProperties properties;
  const Documents documents = read_documents(choice);
  const auto found = documents.find("config");
  // One that is wrong is told where the scheduler is made.
  if (found != documents.end()) (void)properties.add(found->second);
  return properties;
}

}  // namespace

SchedulerChoice with_yarn_site(const SchedulerChoice& choice) {
  const Setting* setting = yarn_site_of(choice);
  if (setting == nullptr) return choice;
  const YarnSite site = read_site(choice, *setting);
  SchedulerChoice filled = choice;
  std::erase_if(filled.settings, [](const Setting& s) { return s.key == yarn_site_setting; });
  const HadoopProperties later = queue_properties(filled);
  for (const auto& [key, value] : site.settings) {
    if (!value.property.empty() && later.find(value.property)) continue;
    const bool is_given = std::any_of(filled.settings.begin(), filled.settings.end(),
                                      [&](const Setting& given) { return given.key == key; });
    if (is_given) continue;
    filled.settings.push_back({key, value.value, setting->where + ": " + value.where});
  }
  return filled;
}

SchedulerConfiguration configuration_of(const SchedulerChoice& choice) {
  SchedulerConfiguration configuration;
  const SchedulerEntry* entry = entry_of(choice);
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

std::vector<std::string> passed_over(const SchedulerChoice& choice,
                                     const ResourceDimensions& dimensions) {
  std::vector<std::string> remarks;
  if (const Setting* setting = yarn_site_of(choice)) {
    remarks = read_site(choice, *setting).remarks;
  }
  SettingValues settings;
  for (const Setting& setting : choice.settings) settings[setting.key] = setting.value;
  for (const auto& [key, root] : read_documents(choice)) {
    const std::vector<std::string> places =
        is_slot_scheduler(choice.name) ? passed_over_by_slots(choice.name, key, root, settings)
                                       : passed_over_in(root, dimensions);
    for (const std::string& place : places) {
      remarks.push_back(place + ": means nothing here and is passed over");
    }
  }
  return remarks;
}

void check_is_scalable(const SchedulerChoice& choice, const ScaleChoice& scale) {
  if (scale.memory == 1 && scale.cpu == 1 && scale.machines == 1) return;
  for (const auto& [key, root] : read_documents(choice)) {
    const std::vector<std::string> places = absolute_amounts(root);
    if (places.empty()) continue;
    throw InputError(fmt::format(
        "{}: {} is an absolute amount, which fits only the cluster it was written for, and [scale] "
        "divides this one; state it in percent, or run with scale.memory, scale.cpu and "
        "scale.machines of 1",
        choice.where, places.front()));
  }
}

std::vector<std::string> changed_by_scale(const SchedulerChoice& complete,
                                          const ScaleChoice& scale) {
  if (scale.cpu == 1 || complete.name != "capacity") return {};
  const bool takes_back =
      std::any_of(complete.settings.begin(), complete.settings.end(), [](const Setting& setting) {
        return setting.key == "preemption.enabled" && setting.value == "true";
      });
  const auto calculator =
      queue_properties(complete).find("yarn.scheduler.capacity.resource-calculator");
  const bool is_dominant =
      calculator && calculator->find("DominantResourceCalculator") != std::string::npos;
  if (!takes_back || !is_dominant) return {};
  return {fmt::format(
      "{}: PREEMPTION TAKES BACK LESS THAN IT SHOULD, or nothing: with the dominant resource "
      "calculator it counts whole vcores, as Hadoop does, and scale.cpu = {} divides the machines' "
      "vcores; scale time and memory instead, or use the default calculator",
      complete.where, scale.cpu)};
}

SchedulerChoice keep_files(const SchedulerChoice& choice, const std::filesystem::path& run,
                           std::vector<ListedFile>& kept) {
  SchedulerChoice placed = choice;
  placed.files = {run, {}};
  const SchedulerEntry* entry = entry_of(choice);
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
