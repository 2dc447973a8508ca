// run.json: the record of a run. The order of keys is fixed, so that two records can be told apart
// with a text tool.
#pragma once

#include <array>
#include <filesystem>
#include <optional>

#include "report/attempt_figures.h"
#include "report/metrics.h"
#include "report/run_description.h"

namespace tracebed {

struct RunRecord {
  RunDescription description;
  bool has_task_rows = true;  // whether tasks.csv was written
  std::optional<RunEnd> end;  // absent while the run goes on, and if its program was killed
  // What cannot be computed again from jobs.csv; present with `end`.
  AttemptFigures attempts;
  std::array<double, Resources::dimensions_max> utilisation{};
};

// Replaces the file at once, so that no reader sees half of it. `metrics` are written where the run
// has ended. Throws EnvironmentError.
void write_run_json(const std::filesystem::path& path, const RunRecord& record,
                    const RunMetrics* metrics);

// Throws InputError naming the file and the line or key.
RunRecord read_run_json(const std::filesystem::path& path);

}  // namespace tracebed
