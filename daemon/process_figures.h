// What every daemon tells of itself: its version, and the figures of its process under the names
// that Prometheus' own libraries use.
#pragma once

#include <string_view>

#include "daemon/metrics_text.h"

namespace tracebed {

void add_process_figures(MetricsText& metrics, std::string_view daemon, std::string_view version);

}  // namespace tracebed
