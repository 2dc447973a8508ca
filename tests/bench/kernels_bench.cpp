// What kernels cost: generated input, and the map and reduce side of each kernel, in bytes of their
// input. `s_per_MB` is the time of the processor for a million of them.
#include <algorithm>
#include <benchmark/benchmark.h>
#include <memory>
#include <utility>
#include <vector>

#include "core/check.h"
#include "kernels/dataset.h"
#include "kernels/k_means_state.h"
#include "kernels/local_job.h"
#include "kernels/make_kernel.h"
#include "kernels/map_task.h"
#include "kernels/memory_streams.h"
#include "kernels/page_rank_state.h"
#include "kernels/reduce_task.h"
#include "kernels/sort.h"
#include "kernels/terasort.h"

namespace tracebed::kernels {
namespace {

constexpr std::uint64_t file_bytes = std::uint64_t{32} << 20;
constexpr std::size_t chunk_bytes = 65'536;
constexpr std::uint32_t partitions = 4;
constexpr std::uint64_t maps = 8;

void count_bytes(benchmark::State& state, std::uint64_t bytes) {
  const auto all = static_cast<std::int64_t>(bytes) * state.iterations();
  state.SetBytesProcessed(all);
  state.counters["s_per_MB"] = benchmark::Counter(
      static_cast<double>(all) / 1e6, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

std::unique_ptr<Dataset> dataset(DatasetKind kind) {
  return std::move(make_dataset(kind, 1, file_bytes)).value();
}

DatasetKind input_of(KernelKind kind) {
  switch (kind) {
    case KernelKind::grep:
    case KernelKind::word_count:
    case KernelKind::sort:
      return DatasetKind::text;
    case KernelKind::terasort:
      return DatasetKind::terasort;
    case KernelKind::k_means:
      return DatasetKind::points;
    case KernelKind::page_rank:
      return DatasetKind::graph;
  }
  return DatasetKind::text;
}

Buffer state_of(KernelKind kind, Bytes file) {
  const Bytes sample = file.first(100'000);
  switch (kind) {
    case KernelKind::grep: {
      const Bytes pattern = bytes_of("xabir");
      return {pattern.begin(), pattern.end()};
    }
    case KernelKind::word_count:
      return {};
    case KernelKind::sort:
      return Sort::sample(sample, partitions).encode();
    case KernelKind::terasort:
      return Terasort::sample(sample, partitions).encode();
    case KernelKind::k_means:
      return KMeansState::from_sample(sample, 16).encode();
    case KernelKind::page_rank:
      return PageRankState::uniform(static_cast<std::uint32_t>(file.size() / 64)).encode();
  }
  return {};
}

struct Job {
  explicit Job(KernelKind kind)
      : file(test::whole_file(*dataset(input_of(kind)))),
        kernel(std::move(make_kernel(kind, state_of(kind, file))).value()) {}

  Buffer file;
  std::unique_ptr<Kernel> kernel;
};

class CountingSink final : public ByteSink {
 public:
  Status write(Bytes bytes) override {
    written += bytes.size();
    return success();
  }
  std::uint64_t written = 0;
};

void Generate(benchmark::State& state, DatasetKind kind) {
  const auto input = dataset(kind);
  Buffer chunk(chunk_bytes);
  std::uint64_t offset = 0;
  for (auto _ : state) {
    input->fill(offset, chunk);
    benchmark::DoNotOptimize(chunk.data());
    offset = (offset + chunk_bytes) % (file_bytes - chunk_bytes);
  }
  count_bytes(state, chunk_bytes);
}
BENCHMARK_CAPTURE(Generate, text, DatasetKind::text);
BENCHMARK_CAPTURE(Generate, terasort, DatasetKind::terasort);
BENCHMARK_CAPTURE(Generate, points, DatasetKind::points);
BENCHMARK_CAPTURE(Generate, graph, DatasetKind::graph);

void Verify(benchmark::State& state, DatasetKind kind) {
  const auto input = dataset(kind);
  Buffer chunk(chunk_bytes);
  input->fill(0, chunk);
  for (auto _ : state) {
    TRACEBED_CHECK(input->count_matching(0, chunk) == chunk.size(), "the file is as generated");
  }
  count_bytes(state, chunk_bytes);
}
BENCHMARK_CAPTURE(Verify, text, DatasetKind::text);
BENCHMARK_CAPTURE(Verify, terasort, DatasetKind::terasort);
BENCHMARK_CAPTURE(Verify, points, DatasetKind::points);
BENCHMARK_CAPTURE(Verify, graph, DatasetKind::graph);

void Map(benchmark::State& state, KernelKind kind) {
  const Job job(kind);
  for (auto _ : state) {
    test::MemorySpills spills;
    const auto task =
        MapTask::create(*job.kernel, {0, job.file.size()}, {.partitions = partitions}, spills);
    for (std::size_t at = 0; at < job.file.size(); at += chunk_bytes) {
      const std::size_t count = std::min(chunk_bytes, job.file.size() - at);
      TRACEBED_CHECK((*task)->consume(Bytes(job.file).subspan(at, count)).has_value(),
                     "the input is right");
    }
    CountingSink output;
    TRACEBED_CHECK((*task)->finish(output).has_value(), "memory takes all output");
    state.counters["spills"] = static_cast<double>((*task)->counters().spilled.spills);
    state.counters["output_MB"] = static_cast<double>(output.written) / 1e6;
  }
  count_bytes(state, job.file.size());
}

void Reduce(benchmark::State& state, KernelKind kind) {
  const Job job(kind);
  Random random(1);
  std::vector<test::MapOutput> outputs;
  std::uint64_t bytes = 0;
  for (std::uint64_t map = 0; map < maps; ++map) {
    const InputSplit split{map * job.file.size() / maps, job.file.size() / maps};
    outputs.push_back(
        test::run_map(*job.kernel, job.file, split, {.partitions = partitions}, random));
    bytes += outputs.back().index.output_bytes();
  }
  for (auto _ : state) {
    for (std::uint32_t partition = 0; partition < partitions; ++partition) {
      Merge::Sources inputs;
      for (const test::MapOutput& output : outputs) {
        inputs.push_back(std::make_unique<test::MemorySource>("a map", output.run(partition)));
      }
      test::MemorySpills spills;
      CountingSink part;
      TRACEBED_CHECK(run_reduce_task(*job.kernel, std::move(inputs), {}, spills, part).has_value(),
                     "map outputs are right");
    }
  }
  state.counters["input_MB"] = static_cast<double>(bytes) / 1e6;
  count_bytes(state, bytes);
}

#define TRACEBED_KERNEL_BENCHMARKS(Side)                                                      \
  BENCHMARK_CAPTURE(Side, grep, KernelKind::grep)->Unit(benchmark::kMillisecond);             \
  BENCHMARK_CAPTURE(Side, word_count, KernelKind::word_count)->Unit(benchmark::kMillisecond); \
  BENCHMARK_CAPTURE(Side, sort, KernelKind::sort)->Unit(benchmark::kMillisecond);             \
  BENCHMARK_CAPTURE(Side, terasort, KernelKind::terasort)->Unit(benchmark::kMillisecond);     \
  BENCHMARK_CAPTURE(Side, k_means, KernelKind::k_means)->Unit(benchmark::kMillisecond);       \
  BENCHMARK_CAPTURE(Side, page_rank, KernelKind::page_rank)->Unit(benchmark::kMillisecond)

TRACEBED_KERNEL_BENCHMARKS(Map);
TRACEBED_KERNEL_BENCHMARKS(Reduce);

}  // namespace
}  // namespace tracebed::kernels

BENCHMARK_MAIN();
