// A sweep as numbered points, each an experiment of its own that was read and checked as `tracebed
// run` does. Nothing is written.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "coordinator/config/sweep_table.h"
#include "schedulers/registry.h"
#include "traces/parts/trace_options.h"

namespace tracebed {

// A trace as some points read it. Where it is converted, points read the binary form.
struct SweptTrace {
  std::string id;  // of contents, format and rules: equal ids give equal jobs
  std::filesystem::path file;
  TraceOptions options;
};

struct SweepPoint {
  std::uint32_t number = 1;
  // By key of the plan, which of its values; none where the key is a setting of a scheduler that
  // this point does not run.
  std::vector<std::optional<std::size_t>> values;
  std::string document;              // TOML, with absolute paths
  std::optional<std::size_t> trace;  // of the plan's, to be read in binary form
  // SHA-256 of everything that decides its results: the document, the contents of the files that it
  // names, this program.
  std::string digest;
};

struct SweepPlan {
  std::string name;  // of the experiment
  std::filesystem::path file;
  std::string text;                // of the file
  std::vector<SweptKey> keys;      // in the order of the file
  std::vector<SweepPoint> points;  // the last key varies fastest
  std::vector<SweptTrace> traces;
  std::string figure;  // compare.primary, or empty
  std::string digest;  // of all points
};

struct SweepRequest {
  std::filesystem::path file;
  std::optional<std::filesystem::path> traces;  // as TraceFolders has it
  std::uint64_t points_max = 1000;
};

// Throws InputError, which begins with file, line and key and names the point, if one is no
// experiment of the virtual world, and for more points than allowed.
SweepPlan plan_sweep(const SweepRequest& request, const SchedulerRegistry& schedulers);

// The value as people read it, and "cluster.nodes=10, seed=2" of a point's.
std::string shown_value(const std::string& toml);
std::string values_text(const std::vector<SweptKey>& keys,
                        const std::vector<std::optional<std::size_t>>& values);

}  // namespace tracebed
