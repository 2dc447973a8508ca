// The check of a job's output by its kernel and its input.
#pragma once

#include <cstdint>
#include <memory>

#include "core/kernel_work.h"
#include "core/result.h"
#include "kernels/check_output.h"
#include "kernels/dataset.h"

namespace tracebed::kernels {

// `data` is the kernel's input as a whole (make_input), and outlives the check. `iterations` of a
// kernel that iterates, at least one; the output is that of the last. Fails for others, and for
// data without records.
Result<std::unique_ptr<OutputCheck>> make_output_check(const KernelInput& input,
                                                       const Dataset& data,
                                                       std::int64_t iterations = 1);

}  // namespace tracebed::kernels
