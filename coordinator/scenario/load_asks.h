// Asks as a scenario states them, and the amounts that its other tables state too.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "coordinator/scenario/scenario.h"
#include "system/toml_value.h"

namespace tracebed {

using NamedAmounts = std::vector<std::pair<std::string, std::int64_t>>;

std::int64_t read_milli_vcores(const TomlValue& value);
std::int64_t read_memory_mib(const TomlValue& value);
// From `low` to a hundred thousand.
std::uint32_t read_count(const TomlValue& value, std::int64_t low);
// A name that may be used in "APPLICATION.ASK@NODE".
std::string read_plain_name(const TomlValue& value);
// A table of extra dimensions.
void read_amounts(const TomlValue& value, NamedAmounts& amounts);

struct AskTable {
  ScenarioAsk ask;
  const ResourceDimensions* dimensions = nullptr;  // those that nodes have
  std::string application;                         // of a step's
};

AskTable read_ask(const TomlValue& value, const ResourceDimensions& dimensions);

}  // namespace tracebed
