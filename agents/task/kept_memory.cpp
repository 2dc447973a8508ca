#include "agents/task/kept_memory.h"

#include <algorithm>
#include <string>

#include "core/check.h"
#include "core/mebibyte.h"
#include "kernels/task_budget.h"

namespace tracebed {
namespace {

constexpr std::int64_t program_bytes = 8 * mebibyte;
constexpr std::int64_t sorting_bytes_max = 100 * mebibyte;

std::size_t sorting_bytes_of(const TaskWork& work) {
  const std::int64_t quarter = std::min(work.memory_mib * mebibyte / 4, sorting_bytes_max);
  return std::max(static_cast<std::size_t>(quarter), kernels::budget_bytes_min);
}

}  // namespace

KeptMemory::KeptMemory(const TaskWork& work)
    : memory_mib_(work.memory_mib),
      sorting_bytes_(sorting_bytes_of(work)),
      room_(std::max<std::int64_t>(
          work.memory_mib * mebibyte - program_bytes - static_cast<std::int64_t>(sorting_bytes_),
          0)) {}

Status KeptMemory::take(std::int64_t bytes, std::string_view what) {
  if (bytes > room_) {
    return Error{"the task's memory of " + std::to_string(memory_mib_) + " MiB does not hold " +
                 std::string(what)};
  }
  room_ -= bytes;
  return success();
}

Status KeptMemory::append(kernels::Buffer& to, kernels::Bytes bytes) {
  Status taken = take(static_cast<std::int64_t>(bytes.size()), "its output");
  if (taken) kernels::append(to, bytes);
  return taken;
}

KeptOutput::KeptOutput(KeptMemory& memory, std::int64_t partitions)
    : memory_(memory),
      index_bytes_(static_cast<std::size_t>(partitions) * sizeof(std::uint64_t)),
      bytes_(index_bytes_) {}

kernels::Bytes KeptOutput::with(const kernels::MapOutputIndex& index) {
  const kernels::Buffer encoded = index.encode();
  TRACEBED_CHECK(encoded.size() == index_bytes_, "an index has a size for each partition");
  std::copy(encoded.begin(), encoded.end(), bytes_.begin());
  return bytes_;
}

}  // namespace tracebed
