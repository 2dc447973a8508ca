// What the processors of this machine were used for over a time, and by whom: whether a measurement
// had the machine to itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tracebed {

// Sums since the machine started, over all its processors, in seconds of processor time.
struct ProcessorTimes {
  double busy = 0;    // for any process, and in the kernel
  double stolen = 0;  // a virtual machine's processors were ready, but others' ran
  double idle = 0;    // waiting for disks included
  double own = 0;     // of this process and those of its descendants that were waited for
};

// From the first line of a text like /proc/stat, "cpu user nice system idle iowait irq softirq
// steal …" in ticks; nothing if it is malformed. `own` stays 0.
std::optional<ProcessorTimes> parse_processor_times(std::string_view text, double ticks_per_second);

// Now; nothing if /proc does not report them.
std::optional<ProcessorTimes> read_processor_times();

// Fractions of all the processor time that there was, from 0 to 1.
struct ProcessorLoad {
  double busy = 0;
  double others = 0;  // used by processes outside the measurement
  double stolen = 0;
};

// Between two readings; 0 if no time has passed. The time of descendants counts as others' until
// they are waited for, so `after` is read when all have ended.
ProcessorLoad load_between(const ProcessorTimes& before, const ProcessorTimes& after);

}  // namespace tracebed
