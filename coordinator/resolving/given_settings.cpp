#include "coordinator/resolving/given_settings.h"

#include <algorithm>
#include <fmt/format.h>

#include "coordinator/resolving/named_files.h"
#include "traces/scale_model.h"
#include "traces/scale_rounding.h"

namespace tracebed {
namespace {

double factor_of(const std::string& key, const ScaleChoice& scale) {
  if (key.ends_with("_milli_vcores")) return scale.cpu;
  if (key == "executor_cache_mib") return scale.data;  // what it is for is input
  if (key.ends_with("_heap_mib")) return 1;            // scale_heaps()
  if (key.ends_with("_mib")) return scale.memory;
  return 1;
}

}  // namespace

const Setting* find_setting(const std::vector<Setting>& settings, std::string_view key) {
  const auto found = std::find_if(settings.begin(), settings.end(),
                                  [&](const Setting& setting) { return setting.key == key; });
  return found == settings.end() ? nullptr : &*found;
}

std::optional<Setting> take_setting(std::vector<Setting>& settings, std::string_view key) {
  const Setting* found = find_setting(settings, key);
  if (found == nullptr) return std::nullopt;
  Setting taken = *found;
  settings.erase(settings.begin() + (found - settings.data()));
  return taken;
}

SettingValues to_values(const std::vector<Setting>& settings) {
  SettingValues values;
  for (const Setting& setting : settings) values[setting.key] = setting.value;
  return values;
}

std::vector<Setting> with_defaults(std::span<const SettingDescription> described,
                                   const std::vector<Setting>& given, const std::string& where) {
  std::vector<Setting> settings;
  for (const SettingDescription& setting : described) {
    const Setting* found = find_setting(given, setting.name);
    settings.push_back(found != nullptr ? *found
                                        : Setting{std::string(setting.name),
                                                  std::string(setting.default_value), where});
  }
  return settings;
}

std::vector<std::string> scale_amounts(std::vector<Setting>& settings, const ScaleChoice& scale) {
  ScaleRounding rounding;
  for (Setting& setting : settings) {
    const double factor = factor_of(setting.key, scale);
    if (factor == 1) continue;
    const std::int64_t given = std::stoll(setting.value);
    if (given < 0) continue;  // none
    const std::int64_t scaled = scale_down(given, factor);
    const bool names_key = setting.where.ends_with(setting.key);
    rounding.add("amounts of settings",
                 names_key ? setting.where : setting.where + ": " + setting.key,
                 static_cast<double>(given) / factor, scaled);
    setting.value = fmt::format("{}", scaled);
  }
  return rounding.sentences();
}

NamedTexts to_record(const std::vector<Setting>& settings) {
  NamedTexts recorded;
  for (const Setting& setting : settings) recorded.emplace_back(setting.key, setting.value);
  return recorded;
}

std::vector<Setting> settings_of_record(const NamedTexts& recorded, const std::string& place) {
  std::vector<Setting> settings;
  for (const auto& [key, value] : recorded) {
    settings.push_back({key, value, fmt::format("{}: {}", place, key)});
  }
  return settings;
}

std::string placed(const Error& error, const std::vector<Setting>& settings,
                   const std::string& where) {
  const Setting* setting = find_setting(settings, error.setting);
  if (setting != nullptr) return placed(*setting, error.message);
  return fmt::format("{}: {}", where, error.message);
}

}  // namespace tracebed
