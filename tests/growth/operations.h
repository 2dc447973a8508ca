// Exact costs of pieces of work: how many instructions they execute, those of libraries included,
// which neither the machine's speed nor what else it does changes. Valgrind's callgrind counts
// them: counting_main.cpp starts a test program under it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace tracebed::test {

// A sentence why nothing is counted in this process; empty: it is.
std::string obstacle_to_counting();

// Requires that there is none. `work` itself may not count.
std::uint64_t operations_of(const std::function<void()>& work);

}  // namespace tracebed::test
