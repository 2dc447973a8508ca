// Trace files of any format from anywhere, compressed ones too.
#include <string>
#include <string_view>

#include "core/check.h"
#include "core/input_error.h"
#include "core/workload.h"
#include "fuzz/fuzz_target.h"
#include "traces/open_trace.h"

namespace tracebed::fuzz {
namespace {

// What every reader promises about every job (core/workload.h).
void check_job(const Job& job, TraceTime submitted_before) {
  TRACEBED_CHECK(job.submit >= submitted_before, "jobs come in the order of their submit times");
  TRACEBED_CHECK(!job.stages.empty(), "a job has a stage");
  for (const Stage& stage : job.stages) {
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
void read_all(std::string_view bytes, bool skip_bad) {
  Names names;
  TraceOptions options;
  options.skip_bad = skip_bad;
  options.line_bytes_max = 4096;
  try {
    const auto reader = open_trace("fuzz", bytes_in_memory(bytes), options, names);
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

std::vector<std::string> seeds() {
  return {
      "job0\t0\t0\t10000\t2000\t300\njob1\t7\t7\t50000000\t0\t1\njob2\t7\t0\t0\t9\t0\n",
      "; Version: 2.2\n; MaxProcs: 100\n; MaxNodes: 50\n"
      "1 0 10 300 4 -1 -1 4 600 -1 1 3 2 -1 1 -1 -1 -1\n"
      "2 30 -1 100 1 90.5 2048 1 100 4096 1 4 2 7 2 1 1 5\n",
      // "job0\t0\t0\t9\t8\t7\n" as gzip and as zstd write it.
      std::string("\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xcb\xca\x4f\x32\xe0\x04\x41\x4b\x4e\x0b"
                  "\x4e\x73\x2e\x00\x6b\xd3\x9c\x99\x0f\x00\x00\x00",
                  32),
      std::string("\x28\xb5\x2f\xfd\x24\x0f\x79\x00\x00\x6a\x6f\x62\x30\x09\x30\x09\x30\x09\x39\x09"
                  "\x38\x09\x37\x0a\xf1\x44\xfe\xb9",
                  28),
  };
}

}  // namespace tracebed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(data, data + size);
  tracebed::fuzz::read_all(bytes, true);
  tracebed::fuzz::read_all(bytes, false);
  return 0;
}
