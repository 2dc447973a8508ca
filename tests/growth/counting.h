// What a program that counts operations and the one that starts it agree on.
#pragma once

namespace tracebed::test {

// Where callgrind writes what it has counted: with ".1", ".2" … behind, on request.
inline constexpr const char* dumps_variable = "TRACEBED_OPERATIONS";

}  // namespace tracebed::test
