#include "traces/similar/generate_like.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>

#include "core/input_error.h"
#include "system/input_witness.h"
#include "system/output_file.h"
#include "system/temporary_folder.h"
#include "traces/convert/binary_job_writer.h"
#include "traces/convert/swf_writer.h"
#include "traces/convert/swim_writer.h"
#include "traces/convert/trace_convert.h"

namespace tracebed {
namespace {

bool has_paths(const WorkloadPattern& pattern) {
  for (std::size_t i = 0; i < pattern.jobs(); ++i) {
    if (!pattern.job(i).stages.front().input_path.empty()) return true;
  }
  return false;
}

std::string choose_format(std::string_view original, const std::string& asked) {
  if (asked != "auto") return asked;
  return original == "swim" || original == "swf" ? std::string(original) : "binary";
}

void check_kind(const std::string& input, const WorkloadPattern& pattern,
                const std::string& format) {
  const bool fits = format == "swim"  ? pattern.has_only(JobKind::map_reduce)
                    : format == "swf" ? pattern.has_only(JobKind::rigid)
                                      : true;
  if (fits) return;
  throw InputError(fmt::format("{}: expected {} jobs alone, as {} holds them, got others", input,
                               format == "swim" ? "MapReduce" : "rigid", format));
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

// Where the trace is written and read again: the output itself, or a temporary file for one that
// cannot be read.
class Draft {
 public:
  explicit Draft(const std::string& output) : output_(output), file_(output) {
    if (!is_output_stream(output)) return;
    folder_ = (temporary_folder() / "tracebed-XXXXXX").string();
    if (mkdtemp(folder_.data()) == nullptr) {
      throw EnvironmentError(fmt::format("{} cannot be created: {}", folder_, error_text(errno)));
    }
    file_ = folder_ + (output.ends_with(".gz") ? "/trace.gz" : "/trace");
  }
  ~Draft() {
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  const std::string& file() const { return file_; }
  void hand_over() const {
    if (folder_.empty()) return;
    OutputFile output(output_);
    const auto draft = open_file(file_);
    std::vector<char> room(1 << 16);
    while (const std::size_t count = draft->read(room)) output.write({room.data(), count});
    if (!draft->defect().empty()) throw EnvironmentError(file_ + ": " + draft->defect());
    output.finish();
  }

 private:
  std::string output_;
  std::string file_;
  std::string folder_;
};

}  // namespace

LikeResult generate_like(const std::string& input, const std::string& output,
                         const TraceOptions& trace_options, const LikeOptions& options) {
  expect_other_file(output, files_of_trace(input));
  InputWitness witness;
  const TraceOptions full = with_own_dimensions(input, trace_options.witnessed_by(witness));
  Names names;
  const auto reader = open_trace(input, full, names);
  const WorkloadPattern pattern(*reader, input);
  LikeResult result;
  result.format = choose_format(reader->format(), options.format);
  check_kind(input, pattern, result.format);
  result.period = pattern.period();
  result.original = sample_of(pattern);
  SimilarWorkload similar(pattern, options.similar);
  const std::string remark =
      fmt::format("resembles {}, made by tracebed, seed {}", input, options.similar.seed);
  const Draft draft(output);
  std::unique_ptr<JobWriter> writer;
  if (result.format == "swim") {
    writer = std::make_unique<SwimWriter>(draft.file(), names, has_paths(pattern));
  } else if (result.format == "swf") {
    writer = std::make_unique<SwfWriter>(draft.file(), remark, processors_of(*reader, full), names);
  } else {
    TraceOrigin origin = conversion_origin(input, *reader, full);
    origin.source = remark;
    writer = std::make_unique<BinaryJobWriter>(draft.file(), origin, names);
  }
  for (Job job; similar.next(job);) {
    if (result.format == "swf") job.name = std::to_string(job.id.index() + 1);  // they are numbers
    writer->add(job);
  }
  writer->finish();
  // What the original's format does not hold either was not lost here.
  if (reader->format() != result.format) result.lost = writer->losses().counts();
  result.generated = sample_of(draft.file(), full, result.format);
  draft.hand_over();
  return result;
}

}  // namespace tracebed
