#include "kernels/make_kernel.h"

#include "kernels/grep.h"
#include "kernels/k_means.h"
#include "kernels/page_rank.h"
#include "kernels/sort.h"
#include "kernels/terasort.h"
#include "kernels/word_count.h"

namespace tracebed::kernels {

Result<std::unique_ptr<Kernel>> make_kernel(KernelKind kind, Bytes state) {
  switch (kind) {
    case KernelKind::grep:
      return Grep::parse(state);
    case KernelKind::word_count:
      if (!state.empty()) return Error{"word count has no state"};
      return std::unique_ptr<Kernel>(std::make_unique<WordCount>());
    case KernelKind::sort:
      return Sort::parse(state);
    case KernelKind::terasort:
      return Terasort::parse(state);
    case KernelKind::k_means:
      return KMeans::parse(state);
    case KernelKind::page_rank:
      return PageRank::parse(state);
  }
  return Error{"there is no such kernel"};
}

}  // namespace tracebed::kernels
