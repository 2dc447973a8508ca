#include "coordinator/runner/choices.h"

#include <algorithm>
#include <fmt/format.h>

#include "applications/masters.h"
#include "core/input_error.h"
#include "schedulers/registry.h"
#include "traces/scale_model.h"

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

std::vector<Setting> with_defaults(std::span<const SettingDescription> described,
                                   const std::vector<Setting>& given) {
  std::vector<Setting> settings;
  for (const SettingDescription& setting : described) {
    const auto found = std::find_if(given.begin(), given.end(), [&](const Setting& candidate) {
      return candidate.key == setting.name;
    });
    settings.push_back(
        found != given.end()
            ? *found
            : Setting{std::string(setting.name), std::string(setting.default_value), "default"});
  }
  return settings;
}

double factor_of(const std::string& key, const ScaleChoice& scale) {
  if (key.ends_with("_milli_vcores")) return scale.cpu;
  if (key.ends_with("_mib")) return scale.memory;
  return 1;
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

SchedulerChoice complete_choice(const SchedulerChoice& choice, const ScaleChoice& scale) {
  const SchedulerEntry* entry = find_scheduler(choice.name);
  TRACEBED_CHECK(entry != nullptr, "a scheduler that can be made is in the registry");
  SchedulerChoice complete = choice;
  complete.settings = with_defaults(entry->settings, choice.settings);
  for (Setting& setting : complete.settings) {
    const double factor = factor_of(setting.key, scale);
    if (factor == 1) continue;
    setting.value = fmt::format("{}", scale_down(std::stoll(setting.value), factor));
  }
  return complete;
}

std::vector<Setting> complete_master_settings(const std::vector<Setting>& settings) {
  return with_defaults(master_settings(), settings);
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

}  // namespace tracebed
