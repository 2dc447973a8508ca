// What a job computes on real data, in a run with storage (kernels/). A job names it by the path of
// its input: /tracebed/kernels/KERNEL/SEED, whose bytes are those of the kernel's generated data
// with that seed, so that datanodes make them, readers verify them, and the job's output can be
// checked. Jobs that name the same path share the file.
//
// Of a job of several iterations, a DAG, stages take turns: maps, which all read the input, those
// of later iterations also what the reduces before them made; and reduces, of which the last write.
//
// In the local world its tasks run the kernel on the bytes; how long that takes, what maps keep for
// reduces and what reduces write follow from the data. On modelled machines the trace's times and
// bytes are the model of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/result.h"
#include "core/task_work.h"
#include "core/workload.h"

namespace tracebed {

// As TaskWork has it; 0 there is none of them.
enum class KernelKind : std::uint8_t { grep = 1, word_count, sort, terasort, k_means, page_rank };

// What a file has: bytes of a kernel's generated data.
struct KernelInput {
  KernelKind kernel = KernelKind::grep;
  std::uint64_t seed = 0;  // at most task_amount_max
  bool operator==(const KernelInput&) const = default;
};

// Whether a file at the path is a kernel's input, or should be.
bool is_kernel_path(std::string_view path);
// Of such a path. Fails, naming what was expected, unless it has a kernel that runs have, and a
// seed.
Result<KernelInput> kernel_input_of(std::string_view path);
// The path, for a kernel by its name in paths.
std::string kernel_path(std::string_view kernel, std::uint64_t seed);

// Whether the number is of a kernel.
bool is_kernel(std::uint64_t number);
// Whether a job may run it several times, each on what came out before.
bool iterates(KernelKind kernel);
// An input consists of whole units (kernels/dataset.h): pages of lines, or records. That many bytes
// of a trace, which are positive, are rounded up to them.
std::int64_t kernel_unit_bytes(KernelKind kernel);
std::int64_t kernel_file_bytes(KernelKind kernel, std::int64_t bytes);
// As much as its data can have.
std::int64_t kernel_input_bytes_max(KernelKind kernel);
// Of a job: as many as a map's output has partitions at most.
inline constexpr std::int64_t kernel_reduces_max = 65'536;

// Which part of a kernel's data a block has.
struct BlockDataset {
  std::uint8_t kernel = 0;   // 0: none; its bytes follow from its id (core/block_content.h)
  std::uint64_t seed = 0;    // as of KernelInput
  std::uint64_t offset = 0;  // of the block's first byte in the data, in bytes
  bool operator==(const BlockDataset&) const = default;
};

// What the tasks of a job share of its kernel.
struct KernelJob {
  KernelInput input;
  std::int64_t reduces = 0;      // of an iteration
  std::int64_t input_bytes = 0;  // of the whole file
  bool operator==(const KernelJob&) const = default;
};

// Of a job whose first stage reads a kernel's input; none otherwise.
std::optional<KernelJob> kernel_job_of(const Job& job);
// States it in the work of one of its tasks, or that there is none.
void set_kernel(TaskWork& work, const std::optional<KernelJob>& job, TaskRef task);
std::optional<KernelJob> kernel_of(const TaskWork& work);
bool is_kernel_map(const TaskWork& work);
// Of a reduce: which of the partitions it has.
std::uint32_t kernel_partition_of(const TaskWork& work);

}  // namespace tracebed
