// How fast traces are read into jobs: bytes and rows a second, plain and gzip, beside the time that
// only finding the line ends takes.
#include <benchmark/benchmark.h>
#include <cstdlib>
#include <cstring>
#include <string>
#include <zlib.h>

#include "core/check.h"
#include "core/random.h"
#include "support/temporary_folder.h"
#include "traces/binary/binary_writer.h"
#include "traces/generate_map_reduce.h"
#include "traces/generate_rigid.h"
#include "traces/open_trace.h"

namespace tracebed {
namespace {

constexpr std::uint64_t jobs_made = 200'000;

// The text that `generate` writes to the path it is given.
template <class Generate>
std::string made_by(const Generate& generate, const std::string& suffix) {
  const TemporaryFolder folder;
  const std::string path = folder.file("trace" + suffix);
  generate(path);
  return contents(path);
}

// Whole seconds throughout, as in the archive's logs.
std::string lublin(const std::string& suffix) {
  LublinModel model;
  model.jobs = jobs_made;
  model.users = 200;
  return made_by([&](const std::string& path) { generate_rigid(model, path); }, suffix);
}
// Submit times with a fraction.
std::string uniform(const std::string& suffix) {
  UniformRigidModel model;
  model.jobs = jobs_made;
  return made_by([&](const std::string& path) { generate_rigid(model, path); }, suffix);
}
std::string facebook(const std::string& suffix) {
  MapReduceModel model;
  model.jobs = jobs_made;
  return made_by([&](const std::string& path) { generate_map_reduce(model, path); }, suffix);
}

void read_jobs(benchmark::State& state, std::string (*make)(const std::string&),
               const std::string& suffix) {
  const std::string plain = make("");
  const std::string bytes = suffix.empty() ? plain : make(suffix);
  std::uint64_t rows = 0;
  for (auto _ : state) {
    Names names;
    const auto reader = open_trace("bench", bytes_in_memory(bytes), {}, names);
    Job job;
    while (reader->next(job)) ++rows;
    benchmark::DoNotOptimize(job);
  }
  const auto iterations = static_cast<std::uint64_t>(state.iterations());
  TRACEBED_CHECK(rows == jobs_made * iterations, "every row became a job");
  state.SetItemsProcessed(static_cast<std::int64_t>(rows));
  state.SetBytesProcessed(static_cast<std::int64_t>(plain.size() * iterations));
}

void find_line_ends(benchmark::State& state, std::string (*make)(const std::string&)) {
  const std::string text = make("");
  for (auto _ : state) {
    std::size_t lines = 0;
    const char* at = text.data();
    const char* end = at + text.size();
    while (const void* newline = std::memchr(at, '\n', static_cast<std::size_t>(end - at))) {
      at = static_cast<const char*>(newline) + 1;
      ++lines;
    }
    benchmark::DoNotOptimize(lines);
  }
  const auto iterations = static_cast<std::uint64_t>(state.iterations());
  state.SetBytesProcessed(static_cast<std::int64_t>(text.size() * iterations));
}

// A million tasks in jobs of a hundred, each task with work of its own, from Tracebed's own file.
void load_binary(benchmark::State& state) {
  constexpr std::uint64_t jobs_written = 10'000;
  constexpr std::uint32_t tasks_each = 100;
  const TemporaryFolder folder;
  const std::string path = folder.file("trace.tbt");
  Names written;
  Job job;
  job.user = written.users.intern("user");
  job.queue = written.queues.intern("default");
  job.stages.resize(1);
  job.stages[0].demand = Resources(1000, 1024);
  job.stages[0].runs.resize(tasks_each, TaskRun{1, Work{}});
  Random random(1);
  BinaryTraceWriter writer(path, {"made", "bench", {}, {}}, written);
  for (std::uint64_t i = 0; i < jobs_written; ++i) {
    job.name = std::to_string(i);
    job.submit += milliseconds(900);
    for (TaskRun& run : job.stages[0].runs) {
      run.work.duration = microseconds(random.between(1, 3'600'000'000));
      run.work.cpu_time = run.work.duration / 2;
      run.work.memory_mib = random.between(1, 1024);
      run.work.input_bytes = random.between(0, 1 << 27);
    }
    writer.add(job);
  }
  writer.finish();
  std::uint64_t tasks = 0;
  for (auto _ : state) {
    Names names;
    const auto reader = open_trace(path, {}, names);
    while (reader->next(job)) tasks += task_count(job.stages[0]);
    benchmark::DoNotOptimize(job);
  }
  const auto iterations = static_cast<std::uint64_t>(state.iterations());
  TRACEBED_CHECK(tasks == jobs_written * tasks_each * iterations, "every task was read");
  state.SetItemsProcessed(static_cast<std::int64_t>(tasks));
  state.SetBytesProcessed(static_cast<std::int64_t>(writer.bytes() * iterations));
}

BENCHMARK(load_binary)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(find_line_ends, swf, lublin)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_jobs, swf, lublin, "")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_jobs, swf_gz, lublin, ".gz")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_jobs, swf_with_fractions, uniform, "")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(find_line_ends, swim, facebook)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_jobs, swim, facebook, "")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_jobs, swim_gz, facebook, ".gz")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tracebed

BENCHMARK_MAIN();
