#include "coordinator/workload/kernel_jobs.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/input_error.h"
#include "core/input_paths.h"

namespace tracebed {
namespace {

bool has_needs_in_turn(const Job& job) {
  for (std::size_t i = 0; i < job.stages.size(); ++i) {
    const std::vector<std::uint16_t>& needs = job.stages[i].needs;
    const bool is_right = i == 0 ? needs.empty() : needs.size() == 1 && needs[0] == i - 1;
    if (!is_right) return false;
  }
  return true;
}

// Of a job that iterates. Reduces read no file, as stages of other tasks do.
bool has_stages_in_turn(const Job& job) {
  if (job.stages.size() % 2 != 0 || !has_needs_in_turn(job)) return false;
  const std::string path = input_path_of(job, 0);
  const std::int64_t bytes = input_bytes_of(job.stages[0]);
  for (std::size_t i = 0; i < job.stages.size(); ++i) {
    const bool is_map = i % 2 == 0;
    if (reads_file(job, job.stages[i]) != is_map) return false;
    if (is_map && (input_path_of(job, i) != path || input_bytes_of(job.stages[i]) != bytes)) {
      return false;
    }
    if (!is_map && task_count(job.stages[i]) != task_count(job.stages[1])) return false;
  }
  return true;
}

bool writes(const Stage& stage, bool some) {
  return std::all_of(stage.runs.begin(), stage.runs.end(),
                     [&](const TaskRun& run) { return (run.work.output_bytes > 0) == some; });
}

// Whether each task of the stage fetches something, and all of them a byte of each source, so that
// none of these is left out.
bool fetches_from(const Stage& stage, std::int64_t sources) {
  constexpr std::int64_t most = std::int64_t{1} << 30;  // of a run, so that sums fit
  std::int64_t fetched = 0;
  for (const TaskRun& run : stage.runs) {
    if (run.work.shuffle_bytes == 0) return false;
    if (fetched < sources) fetched += std::min(run.work.shuffle_bytes, most) * run.count;
  }
  return fetched >= sources;
}

bool has_tasks(const Job& job) {
  for (std::size_t i = 0; i + 1 < job.stages.size(); i += 2) {
    const Stage& maps = job.stages[i];
    const Stage& reduces = job.stages[i + 1];
    const bool is_last = i + 2 == job.stages.size();
    if (!writes(maps, false) || !writes(reduces, is_last) ||
        !fetches_from(reduces, task_count(maps)) ||
        (i > 0 && !fetches_from(maps, task_count(reduces)))) {
      return false;
    }
  }
  return job.stages.size() >= 2 && task_count(job.stages[1]) <= kernel_reduces_max;
}

}  // namespace

void check_kernel_job(const Job& job, const KernelInput& input) {
  const bool has_iterations = job.kind == JobKind::dag && iterates(input.kernel);
  if (job.kind != JobKind::map_reduce && !has_iterations) {
    throw InputError(fmt::format(
        "job {}: expected {} as the input of the maps of a MapReduce job, which run the kernel",
        job.name, input_path_of(job, 0)));
  }
  if (has_iterations && !has_stages_in_turn(job)) {
    throw InputError(
        fmt::format("job {}: to run a kernel several times, expected as many stages of maps as of "
                    "reduces, in turn, each of which needs the one before; maps that all read the "
                    "same bytes of {}; and equal numbers of reduces",
                    job.name, input_path_of(job, 0)));
  }
  if (has_tasks(job)) return;
  throw InputError(
      fmt::format("job {}: to run a kernel, expected 1 to {} reduces, each of which fetches and "
                  "writes some bytes, and together a byte of each of the {} maps, which write "
                  "none{}",
                  job.name, kernel_reduces_max, task_count(job.stages[0]),
                  has_iterations ? "; of several iterations the reduces of the last write, and "
                                   "maps of later ones fetch a byte of each reduce before them"
                                 : ""));
}

}  // namespace tracebed
