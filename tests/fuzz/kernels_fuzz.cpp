// What tasks of kernels get over the network: runs of map outputs and their indices, states of
// kernels, and parts of output that become the next state. The first byte says which.
#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/check.h"
#include "fuzz/fuzz_target.h"
#include "kernels/k_means.h"
#include "kernels/make_kernel.h"
#include "kernels/map_output_index.h"
#include "kernels/memory_streams.h"
#include "kernels/page_rank.h"
#include "kernels/reduce_task.h"
#include "kernels/run_format.h"
#include "kernels/written_run.h"

namespace tracebed::fuzz {
namespace {

using namespace kernels;
using kernels::test::MemorySink;
using kernels::test::MemorySource;
using kernels::test::MemorySpills;

enum Input : std::uint8_t { index, state, next_state, run, inputs };

constexpr std::uint8_t kinds = 6;  // from 1 on
constexpr std::uint32_t index_partitions = 3;
constexpr std::uint64_t index_output_bytes = 100;

Buffer state_of(KernelKind kind) {
  switch (kind) {
    case KernelKind::grep:
      return {std::byte{'x'}};
    case KernelKind::k_means:
      return KMeansState{{Point{}, Point{1}}}.encode();
    case KernelKind::page_rank:
      return PageRankState::uniform(3).encode();
    case KernelKind::word_count:
    case KernelKind::sort:
    case KernelKind::terasort:
      return {};
  }
  return {};
}

std::unique_ptr<Kernel> kernel_of(KernelKind kind) {
  return std::move(make_kernel(kind, state_of(kind))).value();
}

// What was accepted is written again as the same bytes.
void check_run(Bytes bytes) {
  RunReader reader(std::make_unique<MemorySource>("a run", bytes, 7), run_buffer_bytes_min);
  MemorySink sink;
  RunWriter writer(sink);
  while (true) {
    if (!reader.advance()) return;
    if (!reader.has_pair()) break;
    TRACEBED_CHECK(writer.add(reader.key(), reader.value()).has_value(), "a sink takes all");
  }
  writer.end_run();
  TRACEBED_CHECK(writer.flush().has_value(), "a sink takes all");
  TRACEBED_CHECK(std::equal(bytes.begin(), bytes.end(), sink.written.begin(), sink.written.end()),
                 "a task could have written what was accepted");
}

void check_reduce(KernelKind kind, Bytes bytes) {
  const auto kernel = kernel_of(kind);
  Merge::Sources sources;
  for (int copy = 0; copy < 2; ++copy) {
    sources.push_back(std::make_unique<MemorySource>("a map output", bytes));
  }
  MemorySpills spills;
  MemorySink part;
  const auto counters =
      run_reduce_task(*kernel, std::move(sources), {budget_bytes_min}, spills, part);
  if (!counters) return;
  const std::vector<Bytes> parts = {part.written};
  (void)kernel->next_state(parts);
}

void check_state(KernelKind kind, Bytes bytes) {
  const auto kernel = make_kernel(kind, bytes);
  if (!kernel || (*kernel)->ranges() == nullptr) return;
  const Buffer again = (*kernel)->ranges()->encode();
  TRACEBED_CHECK(std::equal(bytes.begin(), bytes.end(), again.begin(), again.end()),
                 "split points are encoded as they were accepted");
}

void check_next_state(KernelKind kind, Bytes bytes) {
  const std::vector<Bytes> parts = {bytes.first(bytes.size() / 2), bytes};
  const auto next = kernel_of(kind)->next_state(std::span(parts).subspan(1));
  if (next) TRACEBED_CHECK(make_kernel(kind, *next).has_value(), "a next state is a state");
  (void)kernel_of(kind)->next_state(parts);
}

void check_index(Bytes bytes) {
  const auto parsed = MapOutputIndex::parse(bytes, index_partitions, index_output_bytes);
  if (!parsed) return;
  const Buffer again = parsed->encode();
  TRACEBED_CHECK(std::equal(bytes.begin(), bytes.end(), again.begin(), again.end()),
                 "an index is encoded as it was accepted");
}

std::string seed(Input input, KernelKind kind, Bytes bytes) {
  return static_cast<char>(input + inputs * (static_cast<std::uint8_t>(kind) - 1)) +
         std::string(text_of(bytes));
}

std::string run_seed(KernelKind kind, const kernels::test::Pairs& pairs) {
  return seed(run, kind, kernels::test::written_run(pairs));
}

Buffer zeros_and(std::size_t bytes, std::uint8_t last) {
  Buffer buffer(bytes);
  buffer.back() = std::byte{last};
  return buffer;
}

std::string text(std::size_t zeros, char last) {
  return std::string(zeros, '\0') + last;
}

}  // namespace

std::vector<std::string> seeds() {
  std::vector<std::string> all;
  for (std::uint8_t kind = 1; kind <= kinds; ++kind) {
    all.push_back(seed(state, KernelKind{kind}, state_of(KernelKind{kind})));
  }
  const std::string one = '\1' + text(6, 0);
  all.push_back(run_seed(KernelKind::word_count, {{text(0, 7), one}, {text(0, 8), one}}));
  all.push_back(run_seed(KernelKind::grep, {{text(7, 1), text(4, 'x')}}));
  all.push_back(run_seed(KernelKind::sort, {{text(8, 1), ""}, {text(8, 2), ""}}));
  all.push_back(run_seed(KernelKind::terasort, {{text(9, 1), text(89, 2)}}));
  all.push_back(
      run_seed(KernelKind::k_means, {{text(3, 0), '\1' + text(8 * (2 + 2 * dimensions) - 2, 0)}}));
  all.push_back(
      run_seed(KernelKind::page_rank,
               {{text(3, 0), one}, {text(3, 1), one}, {text(3, 2), one}, {text(3, 3), one}}));
  Buffer part;
  for (std::uint32_t number = 0; number < 2; ++number) {
    KMeansCluster{number, 1, 1, {}}.append_to(part);
  }
  all.push_back(seed(next_state, KernelKind::k_means, part));
  part.clear();
  for (std::uint32_t vertex = 0; vertex < 3; ++vertex) VertexRank{vertex, 5}.append_to(part);
  all.push_back(seed(next_state, KernelKind::page_rank, part));
  const MapOutputIndex runs{{{0, 12}, {12, 13}, {25, 75}}};
  all.push_back(seed(index, KernelKind::grep, runs.encode()));
  const auto ranges = RangePartitioner::from_sample({zeros_and(2, 1), zeros_and(2, 2)}, 2);
  all.push_back(seed(state, KernelKind::sort, ranges.encode()));
  return all;
}

}  // namespace tracebed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tracebed;
  if (size == 0) return 0;
  const kernels::Bytes bytes = std::as_bytes(std::span(data, size)).subspan(1);
  const auto kind =
      kernels::KernelKind{static_cast<std::uint8_t>(data[0] / fuzz::inputs % fuzz::kinds + 1)};
  switch (data[0] % fuzz::inputs) {
    case fuzz::index:
      fuzz::check_index(bytes);
      break;
    case fuzz::state:
      fuzz::check_state(kind, bytes);
      break;
    case fuzz::next_state:
      fuzz::check_next_state(kind, bytes);
      break;
    default:
      fuzz::check_run(bytes);
      fuzz::check_reduce(kind, bytes);
  }
  return 0;
}
