#include "coordinator/cli/sweep_flags.h"

#include <algorithm>
#include <cstdlib>
#include <thread>

namespace tracebed {

std::uint32_t SweepFlags::points_at_a_time() const {
  return parallel > 0 ? parallel : std::max(1U, std::thread::hardware_concurrency());
}

SweepRequest SweepFlags::request() const {
  SweepRequest request;
  request.file = file;
  if (const char* folder = std::getenv("TRACEBED_TRACES")) request.traces = folder;
  request.points_max = limit;
  return request;
}

void add_sweep_flags(CLI::App& command, SweepFlags& flags) {
  constexpr std::uint32_t parallel_max = 1024;
  constexpr std::uint64_t points_max = 1'000'000;
  command.add_option("experiment", flags.file, "TOML file of an experiment with a [sweep] table")
      ->required();
  command
      .add_option("--parallel", flags.parallel,
                  "Number of points at a time (default: one per processor)")
      ->check(CLI::Range(1U, parallel_max));
  command.add_option("--limit", flags.limit, "Number of points above which the sweep is refused")
      ->check(CLI::Range(std::uint64_t{1}, points_max))
      ->capture_default_str();
}

}  // namespace tracebed
