#include "traces/similar/generate_like.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/input_error.h"
#include "traces/parts/trace_writer.h"
#include "traces/similar/job_rows.h"

namespace tracebed {
namespace {

bool has_paths(const WorkloadPattern& pattern) {
  for (std::size_t i = 0; i < pattern.jobs(); ++i) {
    if (!pattern.job(i).stages.front().input_path.empty()) return true;
  }
  return false;
}

std::string choose_format(const std::string& input, const WorkloadPattern& pattern,
                          const std::string& asked) {
  const bool is_map_reduce = pattern.has_only(JobKind::map_reduce);
  const bool is_rigid = pattern.has_only(JobKind::rigid);
  if (asked == "auto" && (is_map_reduce || is_rigid)) return is_map_reduce ? "swim" : "swf";
  if ((asked == "swim" && is_map_reduce) || (asked == "swf" && is_rigid)) return asked;
  const char* const expected = asked == "swim"  ? "MapReduce jobs alone, as swim holds them"
                               : asked == "swf" ? "rigid jobs alone, as swf holds them"
                                                : "MapReduce jobs alone or rigid jobs alone";
  throw InputError(fmt::format("{}: expected {}, got jobs of another kind", input, expected));
}

std::optional<std::int64_t> processors_of(const TraceReader& reader, const TraceOptions& options) {
  const auto vcores = reader.recorded_vcores();
  if (!vcores) return std::nullopt;
  const double each = static_cast<double>(options.rules.rigid.processor_millicores) / 1000;
  return std::llround(*vcores / each);
}

WorkloadSample sample_of(const WorkloadPattern& pattern) {
  WorkloadSample sample;
  for (std::size_t i = 0; i < pattern.jobs(); ++i) sample.add(pattern.job(i));
  return sample;
}

WorkloadSample sample_of(const std::string& path, TraceOptions options, const std::string& format) {
  options.format = format;
  Names names;
  const auto reader = open_trace(path, options, names);
  WorkloadSample sample;
  for (Job job; reader->next(job);) sample.add(job);
  return sample;
}

}  // namespace

LikeResult generate_like(const std::string& input, const std::string& output,
                         const TraceOptions& trace_options, const LikeOptions& options) {
  Names names;
  const auto reader = open_trace(input, trace_options, names);
  const WorkloadPattern pattern(*reader, input);
  LikeResult result;
  result.format = choose_format(input, pattern, options.format);
  result.period = pattern.period();
  result.original = sample_of(pattern);
  SimilarWorkload similar(pattern, options.similar);
  std::uint64_t jobs = options.similar.jobs.value_or(pattern.jobs());
  if (options.similar.span) {
    // The header says how many jobs follow it, so they are counted first.
    SimilarWorkload counted(pattern, options.similar);
    jobs = 0;
    for (Job job; counted.next(job);) ++jobs;
  }
  const auto rows = result.format == "swim"
                        ? swim_job_rows(has_paths(pattern))
                        : swf_job_rows(names, jobs, processors_of(*reader, trace_options));
  if (reader->format() != result.format) result.not_carried = rows->not_carried();
  TraceWriter writer(output);
  writer.write(rows->head(
      fmt::format("resembles {}, made by tracebed, seed {}", input, options.similar.seed)));
  for (Job job; similar.next(job);) writer.write(rows->row(job));
  writer.finish();
  result.generated = sample_of(output, trace_options, result.format);
  return result;
}

}  // namespace tracebed
