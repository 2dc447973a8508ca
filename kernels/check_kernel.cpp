#include "kernels/check_kernel.h"

#include "kernels/check_grep.h"
#include "kernels/check_k_means.h"
#include "kernels/check_page_rank.h"
#include "kernels/check_sort.h"
#include "kernels/check_word_count.h"
#include "kernels/dataset_terasort.h"
#include "kernels/kernel_input.h"

namespace tracebed::kernels {

Result<std::unique_ptr<OutputCheck>> make_output_check(const KernelInput& input,
                                                       const Dataset& data,
                                                       std::int64_t iterations) {
  const std::int64_t iterations_max = iterates(input.kernel) ? 1'000 : 1;
  if (iterations < 1 || iterations > iterations_max) {
    return Error{"expected from 1 to " + std::to_string(iterations_max) + " iterations, got " +
                 std::to_string(iterations)};
  }
  if (data.units() == 0) return Error{"the input has no records"};
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
    case KernelKind::k_means: {
      const PointDataset points(input.seed, data.units());
      KMeansState before = first_centres(input.seed);
      for (std::int64_t i = 1; i < iterations; ++i) before = KMeansCheck(points, before).after();
      return std::unique_ptr<OutputCheck>(std::make_unique<KMeansCheck>(points, before));
    }
    case KernelKind::page_rank: {
      const GraphDataset graph(input.seed, data.units());
      return std::unique_ptr<OutputCheck>(
          std::make_unique<PageRankCheck>(graph, ranks_after(graph, iterations - 1)));
    }
  }
  return Error{"there is no such kernel"};
}

}  // namespace tracebed::kernels
