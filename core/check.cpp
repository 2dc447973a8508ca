#include "core/check.h"

#include <cstdio>
#include <cstdlib>

#include "core/exit_codes.h"

namespace tracebed {

void invariant_failed(const char* condition, const char* file, int line, std::string_view message) {
  std::fprintf(stderr, "invariant failed: %.*s\n  %s\n  %s:%d\n", static_cast<int>(message.size()),
               message.data(), condition, file, line);
  std::fflush(nullptr);
  std::_Exit(to_int(ExitCode::failed_invariant));
}

}  // namespace tracebed
