// Makes a kernel from its kind and its state, which are all that a task receives of it.
#pragma once

#include <cstdint>
#include <memory>

#include "core/result.h"
#include "kernels/kernel.h"

namespace tracebed::kernels {

enum class KernelKind : std::uint8_t { grep, word_count, sort, terasort, k_means, page_rank };

// State: the text of grep, split points of the sorts, centres of k-means, ranks of page rank;
// nothing for word count. It is not trusted: fails with what is wrong with it.
Result<std::unique_ptr<Kernel>> make_kernel(KernelKind kind, Bytes state);

}  // namespace tracebed::kernels
