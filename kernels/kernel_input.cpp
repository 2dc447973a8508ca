#include "kernels/kernel_input.h"

#include "kernels/dataset_graph.h"
#include "kernels/dataset_points.h"
#include "kernels/dataset_terasort.h"
#include "kernels/dataset_text.h"
#include "kernels/k_means.h"
#include "kernels/make_kernel.h"
#include "kernels/map_output_index.h"
#include "kernels/page_rank.h"
#include "kernels/sort.h"
#include "kernels/terasort.h"

namespace tracebed::kernels {
namespace {

static_assert(TextDataset::line_bytes_max < input_record_bytes_max);
static_assert(kernel_reduces_max <= partitions_max);
static_assert(terasort_record_bytes <= input_record_bytes_max &&
              point_bytes <= input_record_bytes_max && adjacency_bytes <= input_record_bytes_max);

constexpr std::size_t centres = 16;

// Enough for split points of many partitions of about equal sizes.
constexpr std::uint64_t sample_bytes = std::uint64_t{1} << 20;

Result<Buffer> sampled(const KernelInput& input) {
  const auto data = make_input(input, sample_bytes);
  if (!data) return data.error();
  Buffer sample((*data)->bytes());
  (*data)->fill(0, sample);
  return sample;
}

}  // namespace

std::string grep_pattern(std::uint64_t seed) {
  return std::string(Vocabulary().word(seed % Vocabulary::words).view());
}

Result<std::unique_ptr<Dataset>> make_input(const KernelInput& input, std::uint64_t bytes) {
  switch (input.kernel) {
    case KernelKind::grep:
    case KernelKind::word_count:
    case KernelKind::sort:
      return make_dataset(DatasetKind::text, input.seed, bytes);
    case KernelKind::terasort:
      return make_dataset(DatasetKind::terasort, input.seed, bytes);
    case KernelKind::k_means:
      return make_dataset(DatasetKind::points, input.seed, bytes);
    case KernelKind::page_rank:
      return make_dataset(DatasetKind::graph, input.seed, bytes);
  }
  return Error{"there is no such kernel"};
}

KMeansState first_centres(std::uint64_t seed) {
  Buffer sample(sample_bytes);
  PointDataset(seed, sample_bytes / point_bytes).fill(0, sample);
  return KMeansState::from_sample(sample, centres);
}

Result<std::unique_ptr<Kernel>> make_input_kernel(const KernelJob& job) {
  const KernelInput& input = job.input;
  Buffer state;
  switch (input.kernel) {
    case KernelKind::grep:
      append(state, bytes_of(grep_pattern(input.seed)));
      break;
    case KernelKind::word_count:
      break;
    case KernelKind::sort:
    case KernelKind::terasort: {
      const auto partitions = static_cast<std::uint32_t>(job.reduces);
      const auto sample = sampled(input);
      if (!sample) return sample.error();
      state = (input.kernel == KernelKind::sort ? Sort::sample(*sample, partitions)
                                                : Terasort::sample(*sample, partitions))
                  .encode();
      break;
    }
    case KernelKind::k_means:
      return std::unique_ptr<Kernel>(std::make_unique<KMeans>(first_centres(input.seed)));
    case KernelKind::page_rank: {
      const std::int64_t vertices = job.input_bytes / kernel_unit_bytes(input.kernel);
      if (vertices < 1 || vertices > vertices_max) {
        return Error{"page rank: expected a graph of 1 to " + std::to_string(vertices_max) +
                     " vertices, got " + std::to_string(vertices)};
      }
      return std::unique_ptr<Kernel>(
          std::make_unique<PageRank>(PageRankState::uniform(static_cast<std::uint32_t>(vertices))));
    }
  }
  return make_kernel(input.kernel, state);
}

Result<std::unique_ptr<Kernel>> make_next_kernel(const KernelJob& job,
                                                 std::span<const Bytes> parts) {
  auto kernel = make_input_kernel(job);
  if (!kernel) return kernel;
  const Result<Buffer> state = (*kernel)->next_state(parts);
  if (!state) return state.error();
  kernel->reset();
  return make_kernel(job.input.kernel, *state);
}

std::int64_t kernel_state_bytes(const KernelJob& job) {
  if (job.input.kernel != KernelKind::page_rank) return 0;
  return job.input_bytes / kernel_unit_bytes(job.input.kernel) *
         std::int64_t{sizeof(std::uint64_t)};
}

// Ranks before and after, the latter as bytes, too, from which they are read once more.
std::int64_t next_state_bytes(const KernelJob& job) {
  return 4 * kernel_state_bytes(job);
}

}  // namespace tracebed::kernels
