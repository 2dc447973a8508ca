// Whether runs are comparable, and which of them are repetitions of each other.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "report/run_folder.h"

namespace tracebed {

// The runs of one scheduler in one world.
struct RunGroup {
  // That of the scheduler, with " (2)" and so on for further groups of it.
  std::string label;
  // Why these runs are not repetitions of those of the group with the plain label, in words; empty
  // for that group itself.
  std::string apart;
  std::string world;
  std::vector<std::size_t> runs;  // indices, by (repetition, position in the list)
};

// Groups in the order of first appearance. Runs with one label are separated if they are of
// different schedulers or settings, and in the virtual world if they decided differently with the
// same seed. Throws InputError naming two runs and all that differs between them, if they are not
// of the same trace, scale, rules and machines; or, in one world, not of the same conditions.
std::vector<RunGroup> group_comparable(std::span<const RunFolder> runs);

// A scheduler that ran on modelled machines and on real ones.
struct WorldPair {
  const RunGroup* model = nullptr;
  const RunGroup* real = nullptr;
};

// Those of equal labels, in the order of the modelled ones; they point into `groups`.
std::vector<WorldPair> world_pairs(std::span<const RunGroup> groups);

// Removes the runs that only measure noise (RunDescription::is_noise) from their groups, and groups
// without others from the list. Returns those removed, by remaining group. Throws InputError if
// none remains.
std::vector<std::vector<std::size_t>> take_noise(std::span<const RunFolder> runs,
                                                 std::vector<RunGroup>& groups);

}  // namespace tracebed
