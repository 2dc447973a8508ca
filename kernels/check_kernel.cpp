#include "kernels/check_kernel.h"

#include "kernels/check_grep.h"
#include "kernels/check_sort.h"
#include "kernels/check_word_count.h"
#include "kernels/dataset_terasort.h"
#include "kernels/kernel_input.h"

namespace tracebed::kernels {

Result<std::unique_ptr<OutputCheck>> make_output_check(const KernelInput& input,
                                                       const Dataset& data) {
  switch (input.kernel) {
    case KernelKind::grep:
      return std::unique_ptr<OutputCheck>(
          std::make_unique<GrepCheck>(data, grep_pattern(input.seed)));
    case KernelKind::word_count:
      // Its counts are from the draws.
      return std::unique_ptr<OutputCheck>(
          std::make_unique<WordCountCheck>(TextDataset(input.seed, data.units())));
    case KernelKind::sort:
      return std::unique_ptr<OutputCheck>(std::make_unique<SortCheck>(data, line_format));
    case KernelKind::terasort:
      return std::unique_ptr<OutputCheck>(
          std::make_unique<SortCheck>(data, RecordFormat{terasort_record_bytes}));
    case KernelKind::k_means:
    case KernelKind::page_rank:
      break;
  }
  return Error{"runs have no kernel that iterates"};
}

}  // namespace tracebed::kernels
