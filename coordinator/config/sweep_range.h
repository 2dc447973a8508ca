// The values of a range of [sweep]: { from = 10, to = 100, step = 10 }.
#pragma once

#include <string>
#include <vector>

#include "system/toml_value.h"

namespace tracebed {

// Whether a table of [sweep] is a range; else it has keys.
bool is_sweep_range(const toml::table& table);

// From the first bound to the second, both included, by `step` (which may be negative) or by
// `factor`, as TOML. Numbers are computed in decimals, so 0.1 three times is 0.3; texts are numbers
// with a unit: "10s", "2 GiB". Throws InputError, also unless the second bound is met exactly, and
// for more than `count_max` values.
std::vector<std::string> sweep_range(const TomlValue& range, std::size_t count_max);

}  // namespace tracebed
