// What the kernels of a run read and are, made of a job's kernel and the seed of its input
// (core/kernel_work.h), which is all that datanodes, tasks and checks of output receive of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "core/kernel_work.h"
#include "core/result.h"
#include "kernels/dataset.h"
#include "kernels/kernel.h"

namespace tracebed::kernels {

// The maximum length of a record of an input, with its end. So a split's last record ends at most
// that many bytes behind the split.
inline constexpr std::size_t input_record_bytes_max = 128;

// Data of `bytes` bytes, rounded up to whole units. The bytes do not depend on how many they are.
// Fails for kernels that runs do not have: their data does.
Result<std::unique_ptr<Dataset>> make_input(const KernelInput& input, std::uint64_t bytes);

// With its state: the text that grep looks for is the word of the vocabulary whose rank is the
// seed, modulo the number of words; the split points of sorts are from a sample of the data. Fails
// as above.
Result<std::unique_ptr<Kernel>> make_input_kernel(const KernelInput& input,
                                                  std::uint32_t partitions);
std::string grep_pattern(std::uint64_t seed);

}  // namespace tracebed::kernels
