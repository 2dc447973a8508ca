// Checks of invariants. They stay on in every build type: after a broken invariant no result of the
// run can be trusted, so the run stops at once.
#pragma once

#include <string_view>

namespace tracebed {

// Exit code of a program whose invariant failed; see core/exit_codes.h for the others.
// Prints the condition, place and message to stderr and exits without unwinding.
[[noreturn]] void invariant_failed(const char* condition, const char* file, int line,
                                   std::string_view message);

}  // namespace tracebed

// `message` states the invariant in the reader's terms; it is evaluated only on failure.
#define TRACEBED_CHECK(condition, message)                                   \
  do {                                                                       \
    if (!(condition)) [[unlikely]]                                           \
      ::tracebed::invariant_failed(#condition, __FILE__, __LINE__, message); \
  } while (false)
