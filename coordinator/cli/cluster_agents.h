// `tracebed cluster status` and `tracebed cluster make-keys`
#pragma once

#include <CLI/CLI.hpp>

namespace tracebed {

void add_cluster_status(CLI::App& cluster);
void add_make_keys(CLI::App& cluster);

}  // namespace tracebed
