#include "traces/model_options.h"

#include <fmt/format.h>

#include "core/input_error.h"
#include "traces/parts/trace_rows.h"

namespace tracebed {

void require_option(bool condition, std::string_view expected) {
  if (!condition) throw InputError(fmt::format("trace model: expected {}", expected));
}

void require_jobs(std::uint64_t jobs) {
  require_option(jobs >= 1 && jobs <= 10'000'000'000, "1 to 10000000000 jobs");
}

void require_submit(double seconds) {
  require_option(seconds * 1e6 <= static_cast<double>(trace_microseconds_max),
                 "gaps by which the last job is submitted within 10^12 s");
}

}  // namespace tracebed
