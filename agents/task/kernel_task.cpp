#include "agents/task/kernel_task.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/exit_codes.h"
#include "core/mebibyte.h"
#include "core/shuffle_work.h"
#include "kernels/kernel_input.h"
#include "kernels/map_task.h"
#include "kernels/reduce_task.h"

namespace tracebed {
namespace {

constexpr std::int64_t program_bytes = 8 * mebibyte;
constexpr std::int64_t sorting_bytes_max = 100 * mebibyte;

std::size_t sorting_bytes(const TaskWork& work) {
  const std::int64_t quarter = std::min(work.memory_mib * mebibyte / 4, sorting_bytes_max);
  return std::max(static_cast<std::size_t>(quarter), kernels::budget_bytes_min);
}

// Bytes that a task keeps in its memory beside those that it sorts.
class KeptBytes {
 public:
  explicit KeptBytes(const TaskWork& work)
      : memory_mib_(work.memory_mib),
        room_(std::max<std::int64_t>(work.memory_mib * mebibyte - program_bytes -
                                         static_cast<std::int64_t>(sorting_bytes(work)),
                                     0)) {}

  Status append(kernels::Buffer& to, kernels::Bytes bytes) {
    room_ -= static_cast<std::int64_t>(bytes.size());
    if (room_ < 0) {
      return Error{"the task's memory of " + std::to_string(memory_mib_) +
                   " MiB does not hold what it sorts"};
    }
    kernels::append(to, bytes);
    return success();
  }

 private:
  std::int64_t memory_mib_;
  std::int64_t room_;
};

class KeptSpills final : public kernels::SpillStore {
 public:
  explicit KeptSpills(KeptBytes& kept) : kept_(kept) {}

  Status append(std::size_t run, kernels::Bytes bytes) override {
    runs_.resize(std::max(runs_.size(), run + 1));
    return kept_.append(runs_[run], bytes);
  }
  Status read(std::size_t run, std::uint64_t offset, std::span<std::byte> to) override {
    const kernels::Bytes bytes = kernels::Bytes(runs_.at(run)).subspan(offset, to.size());
    std::copy(bytes.begin(), bytes.end(), to.begin());
    return success();
  }

 private:
  KeptBytes& kept_;
  std::vector<kernels::Buffer> runs_;
};

class KeptOutput final : public kernels::ByteSink {
 public:
  KeptOutput(KeptBytes& kept, std::size_t index_bytes) : kept_(kept), bytes_(index_bytes) {}

  Status write(kernels::Bytes bytes) override { return kept_.append(bytes_, bytes); }
  kernels::Bytes with(const kernels::MapOutputIndex& index) {
    const kernels::Buffer encoded = index.encode();
    std::copy(encoded.begin(), encoded.end(), bytes_.begin());
    return bytes_;
  }

 private:
  KeptBytes& kept_;
  kernels::Buffer bytes_;
};

class WrittenOutput final : public kernels::ByteSink {
 public:
  explicit WrittenOutput(TaskOutput& output) : output_(output) {}

  Status write(kernels::Bytes bytes) override {
    if (!output_.write(bytes)) return *output_.failure();
    return success();
  }

 private:
  TaskOutput& output_;
};

}  // namespace

KernelTask::KernelTask(const WorkSpec& spec, const shuffle::JobToken& token, StopOrder& stop)
    : spec_(spec),
      token_(token),
      stop_(stop),
      job_(*kernel_of(spec.work)),
      split_(TaskInput::split_of(spec.work)) {}

int KernelTask::exit_code() const {
  if (input_ && input_->failure()) return input_failed_exit;
  if (output_ && output_->failure()) return output_failed_exit;
  if ((runs_ && runs_->failure()) || (map_output_ && map_output_->failure())) {
    return shuffle_failed_exit;
  }
  return to_int(ExitCode::environment);
}

Status KernelTask::run() {
  const auto kernel =
      kernels::make_input_kernel(job_.input, static_cast<std::uint32_t>(job_.reduces));
  if (!kernel) return kernel.error();
  Status status = success();
  if (kept_for_others(spec_.work) > 0) {
    status = run_map(**kernel);
  } else if (fetches(spec_.work) && writes_output(spec_.work)) {
    status = run_reduce(**kernel);
  } else {
    return Error{"a kernel's task is a map that keeps its output or a reduce that writes"};
  }
  return stop_.has_come() ? success() : status;
}

Status KernelTask::read_split(kernels::MapTask& task) {
  constexpr std::size_t behind = kernels::input_record_bytes_max;
  auto data = kernels::make_input(job_.input, split_.end() + behind);
  if (!data) return data.error();
  data_ = *std::move(data);
  input_.emplace(spec_.input, spec_.work, stop_, data_.get(), behind);
  for (;;) {
    const auto bytes = input_->next();
    if (!bytes) return bytes.error();
    if (bytes->empty()) return success();
    if (!task.needs_input()) continue;
    if (const Status consumed = task.consume(*bytes); !consumed) return consumed;
  }
}

Status KernelTask::run_map(const kernels::Kernel& kernel) {
  map_output_.emplace(spec_, token_, stop_);
  KeptBytes kept(spec_.work);
  KeptSpills spills(kept);
  const auto partitions = static_cast<std::uint32_t>(job_.reduces);
  const auto task =
      kernels::MapTask::create(kernel, split_, {partitions, sorting_bytes(spec_.work)}, spills);
  if (!task) return task.error();
  if (TaskInput::is_part_of(spec_.work)) {
    if (const Status read = read_split(**task); !read) return read;
  }
  if (stop_.has_come()) return success();
  KeptOutput output(kept, std::size_t{partitions} * sizeof(std::uint64_t));
  const auto index = (*task)->finish(output);
  if (!index) return index.error();
  if (!map_output_->put(output.with(*index))) return *map_output_->failure();
  is_done_ = map_output_->is_closed();
  return success();
}

Status KernelTask::run_reduce(const kernels::Kernel& kernel) {
  runs_.emplace(spec_, token_, stop_);
  output_.emplace(spec_.input, spec_.work, static_cast<std::uint32_t>(spec_.container), stop_);
  auto inputs = runs_->open();
  if (!inputs) return inputs.error();
  KeptBytes kept(spec_.work);
  KeptSpills spills(kept);
  WrittenOutput written(*output_);
  const auto counters = kernels::run_reduce_task(kernel, *std::move(inputs),
                                                 {sorting_bytes(spec_.work)}, spills, written);
  if (!counters) return counters.error();
  if (!output_->write({}) || !output_->close()) return *output_->failure();
  is_done_ = !stop_.has_come();
  return success();
}

}  // namespace tracebed
