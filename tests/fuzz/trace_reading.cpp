#include "fuzz/trace_reading.h"

#include <optional>
#include <string>

#include "core/check.h"
#include "core/input_error.h"
#include "fuzz/check_job.h"
#include "traces/open_trace.h"

namespace tracebed::fuzz {
namespace {

// Reads on until a limit, since a few bytes may stand for very many equal tasks, but never for very
// many jobs: a job takes a row.
void read_all(std::string_view format, const OpenReader& open, bool skip_bad) {
  Names names;
  TraceOptions options;
  options.format = format;
  options.skip_bad = skip_bad;
  options.rules.common.line_bytes_max = 4096;
  options.rules.common.document_bytes_max = 4096;
  options.sort_bytes_max = 1024;
  options.document_jobs_max = 1000;
  try {
    const auto reader = open(options, names);
    TraceTally tally(64);
    reader->tally_into(tally);
    Job job;
    TraceTime last{};
    for (int jobs = 0; jobs < 10'000 && reader->next(job); ++jobs) {
      check_job(job, last);
      const std::optional<RecordedSpan> recorded = reader->recorded_span();
      TRACEBED_CHECK(!recorded || (recorded->length >= Duration{} &&
                                   recorded->stages_in_waves <= recorded->stages),
                     "a recorded span is not negative");
      last = job.submit;
    }
  } catch (const InputError&) {
    // The documented refusal.
  }
}

}  // namespace

void read_as(std::string_view format, const std::uint8_t* data, std::size_t size) {
  const std::string bytes(data, data + size);
  read_with(format, [&](const TraceOptions& options, Names& names) {
    return open_trace("fuzz", bytes_in_memory(bytes), options, names);
  });
}

void read_with(std::string_view format, const OpenReader& open) {
  read_all(format, open, true);
  read_all(format, open, false);
}

}  // namespace tracebed::fuzz
