// Whether a job that names a kernel's input can run the kernel (core/kernel_work.h).
#pragma once

#include "core/kernel_work.h"
#include "core/workload.h"

namespace tracebed {

// Throws InputError, naming the job, unless its tasks are those of the kernel, its stage 0 being
// maps that read `input`: of one iteration or, of kernels that iterate, of several.
void check_kernel_job(const Job& job, const KernelInput& input);

}  // namespace tracebed
