#include "traces/parts/trace_rows.h"

#include <algorithm>
#include <fmt/format.h>

namespace tracebed {

bool TraceRows::in_order(std::int64_t submit) {
  if (takes_any_order_) {
    first_submit_ = std::min(first_submit_.value_or(submit), submit);
    last_submit_ = std::max(last_submit_, submit);
    return true;
  }
  if (submit < last_submit_) {
    return bad(BadRow::order, "submit time",
               fmt::format("{} s or later, as in the row above (rule trace.order = any sorts)",
                           static_cast<double>(last_submit_) / 1e6),
               fmt::format("{} s", static_cast<double>(submit) / 1e6));
  }
  if (!first_submit_) first_submit_ = submit;
  last_submit_ = submit;
  return true;
}

}  // namespace tracebed
