// Makes a kernel from its kind and its state, which are all that a task receives of it.
#pragma once

#include <memory>

#include "core/kernel_work.h"
#include "core/result.h"
#include "kernels/kernel.h"

namespace tracebed::kernels {

using tracebed::KernelKind;

// State: the text of grep, split points of the sorts, centres of k-means, ranks of page rank;
// nothing for word count. It is not trusted: fails with what is wrong with it.
Result<std::unique_ptr<Kernel>> make_kernel(KernelKind kind, Bytes state);

}  // namespace tracebed::kernels
