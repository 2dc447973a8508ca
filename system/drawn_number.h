// Numbers that nobody can guess.
#pragma once

#include <cstdint>

namespace tracebed {

// From the kernel's random source; never 0. Throws EnvironmentError if that cannot be read.
std::uint64_t drawn_number();

}  // namespace tracebed
