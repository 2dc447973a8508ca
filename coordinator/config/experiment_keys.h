// Every key of an experiment, in the order in which people read about them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "coordinator/config/key_text.h"

namespace tracebed {

struct KeySection {
  std::string_view table;  // "[trace]", "[[drain]]"; "top level" of the file
  std::span<const KeyText> keys;
};

// The beginning of the section's keys on a command line (--set), "trace." or nothing; none of
// tables of which there may be several.
std::optional<std::string> prefix_of(const KeySection& section);

// Without the keys that are settings: of schedulers, of [masters], [node_manager] and
// [relocation]. Two sections have the table [cluster]: with the machines in the experiment, and
// with a file of machines.
std::span<const KeySection> experiment_keys();

}  // namespace tracebed
