// What the processors of this machine did over a time, and for whom: whether a measurement had the
// machine to itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tracebed {

// Sums since the machine started, over all its processors, in seconds of processor time.
struct ProcessorTimes {
  double busy = 0;    // for any process, and in the kernel
  double stolen = 0;  // a virtual machine's processors wanted to run, and others' did
  double idle = 0;    // waiting for disks included
  double own = 0;     // of this process and those of its descendants that were waited for
};

// Of the first line of a text like /proc/stat, "cpu user nice system idle iowait irq softirq steal
// …" in ticks; nothing if that is not what it is. `own` stays 0.
std::optional<ProcessorTimes> parse_processor_times(std::string_view text, double ticks_per_second);

// Now; nothing where /proc tells none.
std::optional<ProcessorTimes> read_processor_times();

// Parts of all the processor time that there was, from 0 to 1.
struct ProcessorLoad {
  double busy = 0;
  double others = 0;  // what processes outside the measurement took of it
  double stolen = 0;
};

// Between two readings; 0 where no time has gone by. What descendants did counts as others' until
// they are waited for, so `after` is read when all have ended.
ProcessorLoad load_between(const ProcessorTimes& before, const ProcessorTimes& after);

}  // namespace tracebed
