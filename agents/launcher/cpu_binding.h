// On which CPUs containers run that share a part of a machine's by weight.
//
// The kernel divides a CPU among its processes by weight, but the quota of a group among the CPUs
// in the order in which they ask: two containers on two CPUs get the same, whatever their weights.
// So containers that share n vcores are bound to n CPUs, rounded up.
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
