// How many descriptors this process may open (RLIMIT_NOFILE).
#pragma once

#include <cstdint>
#include <string_view>

namespace tracebed {

// Raises the soft limit to the hard one; no program that this one starts should rely on the lower
// one. Throws EnvironmentError, naming both figures and what needs the descriptors, if that is less
// than `needed`.
void raise_descriptor_limit(std::uint64_t needed, std::string_view for_what);

// The soft limit; 1024 if it cannot be read.
std::uint64_t descriptor_limit();

}  // namespace tracebed
