#include "system/processor_load.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

namespace tracebed {
namespace {

double seconds_of(const timeval& time) {
  constexpr double microsecond = 1e-6;
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * microsecond;
}

double processor_time_of(int who) {
  rusage usage{};
  if (::getrusage(who, &usage) != 0) return 0;
  return seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}

}  // namespace

std::optional<ProcessorTimes> parse_processor_times(std::string_view text,
                                                    double ticks_per_second) {
  constexpr std::string_view begin = "cpu ";
  if (!text.starts_with(begin)) return std::nullopt;
  text.remove_prefix(begin.size());
  enum { user, nice, system, idle, waiting, hard_interrupts, soft_interrupts, stolen, columns };
  std::array<std::uint64_t, columns> ticks{};
  for (std::uint64_t& column : ticks) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), column);
    if (error != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
  const auto sum = [&](std::initializer_list<int> which) {
    double total = 0;
    for (const int column : which) {
      total += static_cast<double>(ticks[static_cast<std::size_t>(column)]);
    }
    return total / ticks_per_second;
  };
  ProcessorTimes times;
  // What guests took (later columns) is in user and nice already.
  times.busy = sum({user, nice, system, hard_interrupts, soft_interrupts});
  times.stolen = sum({stolen});
  times.idle = sum({idle, waiting});
  return times;
}

std::optional<ProcessorTimes> read_processor_times() {
  std::ifstream stream("/proc/stat");
  std::string line;
  std::getline(stream, line);
  auto times = parse_processor_times(line, static_cast<double>(::sysconf(_SC_CLK_TCK)));
  if (times) times->own = processor_time_of(RUSAGE_SELF) + processor_time_of(RUSAGE_CHILDREN);
  return times;
}

ProcessorLoad load_between(const ProcessorTimes& before, const ProcessorTimes& after) {
  const double busy = std::max(0.0, after.busy - before.busy);
  const double stolen = std::max(0.0, after.stolen - before.stolen);
  const double whole = busy + stolen + std::max(0.0, after.idle - before.idle);
  if (whole <= 0) return {};
  // The kernel rounds either reading to ticks, so a little less than nothing is nothing.
  const double others = std::max(0.0, busy - (after.own - before.own));
  return {busy / whole, others / whole, stolen / whole};
}

}  // namespace tracebed
