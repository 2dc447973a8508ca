// On which CPUs containers run that share a part of a machine's by weight.
//
// The kernel weighs processes against each other on one CPU, and against their limit together by
// who comes first: of two containers on a CPU each, neither has more than the other, whatever their
// weights. So what has n vcores in all runs on n CPUs, rounded up, as a machine of its own would.
#pragma once

#include <cstdint>
#include <optional>
#include <sched.h>

namespace tracebed::launcher {

// As many as the vcores, of those that this process may use, from the `first` of these on, the
// first again after the last. None if that is all of them.
std::optional<cpu_set_t> bound_cpus(std::int64_t milli_vcores, std::size_t first,
                                    const cpu_set_t& usable);

// Of this process. Throws EnvironmentError if the kernel does not tell.
cpu_set_t usable_cpus();

}  // namespace tracebed::launcher
