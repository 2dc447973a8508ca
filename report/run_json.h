// run.json: the record of a run. The order of keys is fixed, so that two records can be compared
// with a text tool. It lists the files of the run's folder with their checksums, and ends with its
// own (report/file_list.h): the checksum of a run.json shows whether anything of the run was
// changed.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <vector>

#include "core/task_rows.h"
#include "report/attempt_figures.h"
#include "report/file_list.h"
#include "report/metrics.h"
#include "report/run_description.h"

namespace tracebed {

struct RunRecord {
  RunDescription description;
  TaskRows task_rows = TaskRows::csv;
  std::optional<RunEnd> end;  // absent during the run, and if its program was killed
  // What cannot be computed again from jobs.csv; present with `end`.
  AttemptFigures attempts;
  std::array<double, Resources::dimensions_max> utilisation{};
  std::vector<ListedFile> files;  // of the folder, except run.json
};

inline constexpr const char* run_json_file = "run.json";
// The log of rounds in the same folder, in every world.
inline constexpr const char* round_log_file = "rounds.log";

// Replaces the file at once, so that no reader sees half of it. `metrics` are written if the run
// has ended. Returns the checksum of the whole file. Throws EnvironmentError.
FileChecksum write_run_json(const std::filesystem::path& path, const RunRecord& record,
                            const RunMetrics* metrics);

// Throws InputError naming the file and the line or key, also for one of another format version and
// for one that was changed.
RunRecord read_run_json(const std::filesystem::path& path);

}  // namespace tracebed
