// Whether runs may stand side by side, and which of them are repetitions of each other.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "report/run_folder.h"

namespace tracebed {

// The runs of one scheduler in one world.
struct RunGroup {
  std::string label;
  std::string world;
  std::vector<std::size_t> runs;  // indices, by (repetition, position in the list)
};

// Groups in the order of first appearance. Throws InputError naming two runs and all that differs
// between them, if they are not of the same trace, scale, rules and machines; or, in one world, not
// of the same conditions; or if one label stands for two settings.
std::vector<RunGroup> group_comparable(std::span<const RunFolder> runs);

}  // namespace tracebed
