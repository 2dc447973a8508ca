// What the kernels of a run read and are, made of a job's kernel and the seed of its input
// (core/kernel_work.h), which is all that datanodes, tasks and checks of output receive of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/kernel_work.h"
#include "core/result.h"
#include "kernels/dataset.h"
#include "kernels/k_means_state.h"
#include "kernels/kernel.h"

namespace tracebed::kernels {

// The maximum length of a record of an input, with its end. So a split's last record ends at most
// that many bytes behind the split.
inline constexpr std::size_t input_record_bytes_max = 128;

// Data of `bytes` bytes, rounded up to whole units. The bytes do not depend on how many they are.
// Fails beyond the kernel's largest input.
Result<std::unique_ptr<Dataset>> make_input(const KernelInput& input, std::uint64_t bytes);

// With its state: the text that grep looks for is the word of the vocabulary whose rank is the
// seed, modulo the number of words; the split points of sorts are from a sample of the data;
// k-means begins with 16 centres at points of the sample, and PageRank with equal ranks.
Result<std::unique_ptr<Kernel>> make_input_kernel(const KernelJob& job);
std::string grep_pattern(std::uint64_t seed);
KMeansState first_centres(std::uint64_t seed);

// The kernel of the job's next iteration, from all parts that one of its iterations has made. Fails
// if they are malformed or missing.
Result<std::unique_ptr<Kernel>> make_next_kernel(const KernelJob& job,
                                                 std::span<const Bytes> parts);
// Bytes of memory that the state of the job's kernel takes; and what it takes to make the next one,
// at most, besides that and the parts. States of a fixed size, at most a few KiB, are not counted.
std::int64_t kernel_state_bytes(const KernelJob& job);
std::int64_t next_state_bytes(const KernelJob& job);

}  // namespace tracebed::kernels
