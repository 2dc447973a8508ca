// The command line of `tracebed sweep plan` and `run`.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "coordinator/sweeps/sweep_plan.h"

namespace tracebed {

struct SweepFlags {
  std::string file;
  std::string output;
  std::uint32_t parallel = 0;  // 0: one per processor
  std::uint64_t limit = 1000;

  std::uint32_t points_at_a_time() const;
  // With the traces' folder of the environment.
  SweepRequest request() const;
};

void add_sweep_flags(CLI::App& command, SweepFlags& flags);

}  // namespace tracebed
