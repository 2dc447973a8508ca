// `tracebed cluster status`, `logs`, `make-keys` and `make-token`
#pragma once

#include <CLI/CLI.hpp>

namespace tracebed {

void add_cluster_status(CLI::App& cluster);
void add_cluster_logs(CLI::App& cluster);
void add_make_keys(CLI::App& cluster);
void add_make_token(CLI::App& cluster);

}  // namespace tracebed
