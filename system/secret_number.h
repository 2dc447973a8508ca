// A number that nobody can guess, for what a process is to prove that it was told. It decides
// nothing, so a run that is decided again needs none.
#pragma once

#include <cstdint>

namespace tracebed {

// From the kernel, and never 0. Throws EnvironmentError if it gives none.
std::uint64_t secret_number();

}  // namespace tracebed
