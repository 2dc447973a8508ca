#include "fuzz/trace_reading.h"

#include <string>

#include "core/check.h"
#include "core/input_error.h"
#include "core/workload.h"
#include "traces/open_trace.h"

namespace tracebed::fuzz {
namespace {

// What every reader promises about every job (core/workload.h).
void check_job(const Job& job, TraceTime submitted_before) {
  TRACEBED_CHECK(job.submit >= submitted_before, "jobs come in the order of their submit times");
  TRACEBED_CHECK(!job.stages.empty(), "a job has a stage");
  TRACEBED_CHECK(job.stages.size() <= stages_max, "a task names its stage in 16 bits");
  for (std::size_t i = 0; i < job.stages.size(); ++i) {
    const Stage& stage = job.stages[i];
    for (const std::uint16_t needed : stage.needs) {
      TRACEBED_CHECK(needed < i && job.kind == JobKind::dag,
                     "a stage of a DAG stands behind those it needs");
    }
    TRACEBED_CHECK(stage.delay >= Duration{}, "a delay is not negative");
    TRACEBED_CHECK(stage.places.is_empty() || stage.places.ends.size() == task_count(stage),
                   "every task has its places, where there are any");
    TRACEBED_CHECK(!stage.demand.has_negative(), "a demand is not negative");
    for (const TaskRun& run : stage.runs) {
      TRACEBED_CHECK(run.count > 0, "a run of tasks is not empty");
      TRACEBED_CHECK(run.work.duration >= Duration{} && run.work.cpu_time >= Duration{} &&
                         run.work.input_bytes >= 0 && run.work.output_bytes >= 0,
                     "work is not negative");
    }
  }
}

// Reads on until a limit, since a few bytes may stand for very many equal tasks, but never for very
// many jobs: a job takes a row.
void read_all(std::string_view format, std::string_view bytes, bool skip_bad) {
  Names names;
  TraceOptions options;
  options.format = format;
  options.skip_bad = skip_bad;
  options.line_bytes_max = 4096;
  options.document_bytes_max = 4096;
  options.sort_bytes_max = 1024;
  options.document_jobs_max = 1000;
  try {
    const auto reader = open_trace("fuzz", bytes_in_memory(bytes), options, names);
    TraceTally tally(64);
    reader->tally_into(tally);
    Job job;
    TraceTime last{};
    for (int jobs = 0; jobs < 10'000 && reader->next(job); ++jobs) {
      check_job(job, last);
      last = job.submit;
    }
  } catch (const InputError&) {
    // The documented refusal.
  }
}

}  // namespace

void read_as(std::string_view format, const std::uint8_t* data, std::size_t size) {
  const std::string bytes(data, data + size);
  read_all(format, bytes, true);
  read_all(format, bytes, false);
}

}  // namespace tracebed::fuzz
