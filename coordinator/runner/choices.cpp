#include "coordinator/runner/choices.h"

#include <fmt/format.h>

#include "applications/masters.h"
#include "core/input_error.h"
#include "schedulers/registry.h"

namespace tracebed {
namespace {

SettingValues to_values(const std::vector<Setting>& settings) {
  SettingValues values;
  for (const Setting& setting : settings) values[setting.key] = setting.value;
  return values;
}

// `make` takes SettingValues and returns a Result. Settings are tried one by one first, so that a
// message can name the place of the one that is wrong.
template <class Make>
auto make_with(const std::vector<Setting>& settings, const std::string& where, Make make) {
  for (const Setting& setting : settings) {
    const auto alone = make(SettingValues{{setting.key, setting.value}});
    if (alone) continue;
    throw InputError(fmt::format("{}: {}", setting.where, alone.error().message));
  }
  auto made = make(to_values(settings));
  if (!made) throw InputError(fmt::format("{}: {}", where, made.error().message));
  return std::move(*made);
}

NamedTexts with_defaults(std::span<const SettingDescription> described,
                         const std::vector<Setting>& given) {
  const SettingValues values = to_values(given);
  NamedTexts settings;
  for (const SettingDescription& setting : described) {
    const auto found = values.find(setting.name);
    settings.emplace_back(
        setting.name, found == values.end() ? std::string(setting.default_value) : found->second);
  }
  return settings;
}

}  // namespace

std::unique_ptr<Scheduler> make_chosen_scheduler(const SchedulerChoice& choice,
                                                 std::uint64_t seed) {
  const Result<std::unique_ptr<Scheduler>> bare = make_scheduler(choice.name, {seed, {}});
  if (!bare) throw InputError(fmt::format("{}: {}", choice.where, bare.error().message));
  return make_with(choice.settings, choice.where, [&](SettingValues values) {
    return make_scheduler(choice.name, {seed, std::move(values)});
  });
}

MasterFactory make_chosen_masters(const std::vector<Setting>& settings, std::uint64_t seed) {
  const MasterOptions options = make_with(
      settings, "masters", [](const SettingValues& values) { return read_master_options(values); });
  return MasterBuilder(options, seed);
}

NamedTexts effective_settings(const SchedulerChoice& choice) {
  const SchedulerEntry* entry = find_scheduler(choice.name);
  TRACEBED_CHECK(entry != nullptr, "a scheduler that runs is in the registry");
  return with_defaults(entry->settings, choice.settings);
}

NamedTexts effective_master_settings(const std::vector<Setting>& settings) {
  return with_defaults(master_settings(), settings);
}

std::vector<Setting> settings_of_record(const NamedTexts& recorded, const std::string& place) {
  std::vector<Setting> settings;
  for (const auto& [key, value] : recorded) {
    settings.push_back({key, value, fmt::format("{}: {}", place, key)});
  }
  return settings;
}

}  // namespace tracebed
