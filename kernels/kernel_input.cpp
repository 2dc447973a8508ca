#include "kernels/kernel_input.h"

#include "kernels/dataset_terasort.h"
#include "kernels/dataset_text.h"
#include "kernels/make_kernel.h"
#include "kernels/map_output_index.h"
#include "kernels/sort.h"
#include "kernels/terasort.h"

namespace tracebed::kernels {
namespace {

static_assert(TextDataset::line_bytes_max < input_record_bytes_max);
static_assert(kernel_reduces_max <= partitions_max);
static_assert(kernel_input_bytes_max / TextDataset::bytes_per_unit < TextDataset::units_max &&
              kernel_input_bytes_max / TerasortDataset::bytes_per_unit <
                  TerasortDataset::units_max);
static_assert(terasort_record_bytes <= input_record_bytes_max);

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
    case KernelKind::page_rank:
      break;
  }
  return Error{"runs have no kernel that iterates"};
}

Result<std::unique_ptr<Kernel>> make_input_kernel(const KernelInput& input,
                                                  std::uint32_t partitions) {
  Buffer state;
  switch (input.kernel) {
    case KernelKind::grep:
      append(state, bytes_of(grep_pattern(input.seed)));
      break;
    case KernelKind::word_count:
      break;
    case KernelKind::sort:
    case KernelKind::terasort: {
      const auto sample = sampled(input);
      if (!sample) return sample.error();
      state = (input.kernel == KernelKind::sort ? Sort::sample(*sample, partitions)
                                                : Terasort::sample(*sample, partitions))
                  .encode();
      break;
    }
    case KernelKind::k_means:
    case KernelKind::page_rank:
      return Error{"runs have no kernel that iterates"};
  }
  return make_kernel(input.kernel, state);
}

}  // namespace tracebed::kernels
