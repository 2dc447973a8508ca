// The table [sweep] of an experiment's file: which keys take which values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "system/toml_value.h"

namespace tracebed {

// A key of the experiment, as overrides.h names them, and what it takes in turn.
struct SweptKey {
  std::string key;
  std::uint32_t line = 1;           // of the file
  std::vector<std::string> values;  // TOML; at least one, all different
};

// What changes together: one key, or those of a [[sweep.paired]] table, which have equally many
// values.
struct SweepDimension {
  std::vector<SweptKey> keys;
  std::size_t size() const { return keys.front().values.size(); }
};

// The key whose values are labels or names of schedulers, of which a point runs one alone.
inline constexpr const char* scheduler_choice_key = "schedulers";

// In the order of the file; each combination of their values is a point. Throws InputError for what
// is no list or range, empty, of unequal length in a pair, or there twice. Which keys there are and
// what they may be is found when a point is read as an experiment.
std::vector<SweepDimension> read_sweep(const TomlValue& sweep);

}  // namespace tracebed
