#include "growth/operations.h"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <stdexcept>

#include "growth/counting.h"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#endif

namespace tracebed::test {
namespace {

// A dump has a line "totals: N", of all that was counted since the one before.
std::uint64_t total_in(const std::filesystem::path& dump) {
  std::ifstream lines(dump);
  constexpr std::string_view mark = "totals: ";
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(mark)) return std::stoull(line.substr(mark.size()));
  }
  throw std::runtime_error("no total in " + dump.string());
}

}  // namespace

std::string obstacle_to_counting() {
#ifdef CALLGRIND_ZERO_STATS
  if (std::getenv(dumps_variable) != nullptr && RUNNING_ON_VALGRIND != 0) return "";
#endif
  return "valgrind is not installed, which counts operations";
}

std::uint64_t operations_of(const std::function<void()>& work) {
  static int dumps = 0;
  const std::filesystem::path dump = fmt::format("{}.{}", std::getenv(dumps_variable), ++dumps);
#ifdef CALLGRIND_ZERO_STATS
  CALLGRIND_ZERO_STATS;
  work();
  CALLGRIND_DUMP_STATS;
#else
  work();
#endif
  const std::uint64_t operations = total_in(dump);
  std::filesystem::remove(dump);
  return operations;
}

}  // namespace tracebed::test
