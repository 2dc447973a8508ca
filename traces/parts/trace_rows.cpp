#include "traces/parts/trace_rows.h"

#include <fmt/format.h>

namespace tracebed {

bool TraceRows::in_order(std::int64_t submit) {
  if (submit < last_submit_) {
    return bad(BadRow::order, "submit time",
               fmt::format("{} s or later, as in the row above (rows must be sorted by it)",
                           static_cast<double>(last_submit_) / 1e6),
               fmt::format("{} s", static_cast<double>(submit) / 1e6));
  }
  if (!first_submit_) first_submit_ = submit;
  last_submit_ = submit;
  return true;
}

}  // namespace tracebed
