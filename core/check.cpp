#include "core/check.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "core/exit_codes.h"
#include "core/invariant_handler.h"

namespace tracebed {
namespace {

std::atomic<InvariantHandler> invariant_handler = nullptr;

}  // namespace

void set_invariant_handler(InvariantHandler handler) {
  invariant_handler = handler;
}

void invariant_failed(const char* condition, const char* file, int line, std::string_view message) {
  std::fprintf(stderr, "invariant failed: %.*s\n  %s\n  %s:%d\n", static_cast<int>(message.size()),
               message.data(), condition, file, line);
  if (const InvariantHandler handler = invariant_handler) {
    handler("invariant failed: " + std::string(message) + " (" + condition + ", " + file + ":" +
            std::to_string(line) + ")");
  }
  std::fflush(nullptr);
  std::_Exit(to_int(ExitCode::failed_invariant));
}

}  // namespace tracebed
