// Lists of settings as an experiment has them: looked up, filled with defaults, divided by [scale],
// and recorded; and where an error about one of them is to be looked for.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "coordinator/config/experiment.h"
#include "core/input_error.h"
#include "core/result.h"
#include "core/settings.h"

namespace tracebed {

// Null if there is none with this key.
const Setting* find_setting(const std::vector<Setting>& settings, std::string_view key);
// Removes it.
std::optional<Setting> take_setting(std::vector<Setting>& settings, std::string_view key);

SettingValues to_values(const std::vector<Setting>& settings);

// All that are described, in that order: as given, or with their default, which is at `where`.
std::vector<Setting> with_defaults(std::span<const SettingDescription> described,
                                   const std::vector<Setting>& given, const std::string& where);

// Amounts are stated at the size of the trace, as everything in an experiment is: settings whose
// names end in _milli_vcores or _mib are divided as the workload is. The values are valid. Returns
// what rounding made of them, a sentence for each kind of amount that it changes much.
std::vector<std::string> scale_amounts(std::vector<Setting>& settings, const ScaleChoice& scale);

// Keys and values, as run records have them.
using NamedTexts = std::vector<std::pair<std::string, std::string>>;
NamedTexts to_record(const std::vector<Setting>& settings);
// `place` begins the settings' places.
std::vector<Setting> settings_of_record(const NamedTexts& recorded, const std::string& place);

// The error with the place of the setting that it is about; with `where` if it is about none of
// them.
std::string placed(const Error& error, const std::vector<Setting>& settings,
                   const std::string& where);

// What was made of the settings. Throws InputError, which begins with the place of the setting to
// blame, if it could not be made.
template <class T>
T valid(Result<T> made, const std::vector<Setting>& settings, const std::string& where) {
  if (made) return std::move(*made);
  throw InputError(placed(made.error(), settings, where));
}

}  // namespace tracebed
