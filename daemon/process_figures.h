// The figures that every daemon reports about itself: its version, and those of its process under
// the names that Prometheus' own libraries use.
#pragma once

#include <string_view>

#include "daemon/metrics_text.h"

namespace tracebed {

void add_process_figures(MetricsText& metrics, std::string_view daemon, std::string_view version);

}  // namespace tracebed
