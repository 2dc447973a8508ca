#include "agents/task/kernel_run.h"

#include <string_view>
#include <utility>
#include <vector>

#include "core/exit_codes.h"
#include "core/shuffle_work.h"
#include "kernels/kernel_input.h"
#include "kernels/map_task.h"
#include "kernels/reduce_task.h"

namespace tracebed {
namespace {

constexpr std::string_view state_text = "the kernel's state";

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

KernelRun::KernelRun(const WorkSpec& spec, const shuffle::JobToken& token, StopOrder& stop)
    : spec_(spec),
      token_(token),
      stop_(stop),
      job_(*kernel_of(spec.work)),
      split_(TaskInput::split_of(spec.work)) {}

int KernelRun::exit_code() const {
  if (input_ && input_->failure()) return input_failed_exit;
  if (output_ && output_->failure()) return output_failed_exit;
  if ((runs_ && runs_->failure()) || (map_output_ && map_output_->failure()) ||
      (spills_ && spills_->failure())) {
    return shuffle_failed_exit;
  }
  return to_int(ExitCode::environment);
}

Status KernelRun::run() {
  const bool has_output =
      kept_for_others(spec_.work) > 0 || (!is_kernel_map(spec_.work) && writes_output(spec_.work));
  if (!has_output || !(is_kernel_map(spec_.work) || fetches(spec_.work))) {
    return Error{
        "a kernel's task is a map that keeps its output, or a reduce that fetches, and "
        "keeps or writes its own"};
  }
  KeptMemory memory(spec_.work);
  const auto kernel = make_kernel(memory);
  if (!kernel) return stop_.has_come() ? success() : Status(kernel.error());
  const Status status =
      is_kernel_map(spec_.work) ? run_map(**kernel, memory) : run_reduce(**kernel, memory);
  return stop_.has_come() ? success() : status;
}

Result<std::unique_ptr<kernels::Kernel>> KernelRun::make_kernel(KeptMemory& memory) {
  const Status taken = memory.take(kernels::kernel_state_bytes(job_), state_text);
  if (!taken) return taken.error();
  if (is_kernel_map(spec_.work) && fetches(spec_.work)) return fetch_kernel(memory);
  return kernels::make_input_kernel(job_);
}

Result<std::unique_ptr<kernels::Kernel>> KernelRun::fetch_kernel(KeptMemory& memory) {
  std::int64_t room = kernels::next_state_bytes(job_);
  if (const Status taken = memory.take(room, state_text); !taken) return taken.error();
  runs_.emplace(spec_, token_, stop_);
  auto sources = runs_->open(0, 1);
  if (!sources) return sources.error();
  std::vector<kernels::Buffer> parts;
  kernels::Buffer chunk(std::size_t{64} << 10);
  for (const auto& source : *sources) {
    kernels::Buffer& part = parts.emplace_back();
    for (;;) {
      const auto count = source->read(chunk);
      if (!count) return count.error();
      if (*count == 0) break;
      const Status taken = memory.take(static_cast<std::int64_t>(*count), state_text);
      if (!taken) return taken.error();
      room += static_cast<std::int64_t>(*count);
      kernels::append(part, kernels::Bytes(chunk).first(*count));
    }
  }
  const std::vector<kernels::Bytes> bytes(parts.begin(), parts.end());
  auto kernel = kernels::make_next_kernel(job_, bytes);
  memory.give_back(room);
  return kernel;
}

Status KernelRun::read_split(kernels::MapTask& task) {
  constexpr std::size_t behind = kernels::input_record_bytes_max;
  auto data = kernels::make_input(job_.input, split_.end() + behind);
  if (!data) return data.error();
  data_ = *std::move(data);
  input_.emplace(spec_, &token_, stop_, data_.get(), behind);
  for (;;) {
    const auto bytes = input_->next();
    if (!bytes) return bytes.error();
    if (bytes->empty()) return success();
    if (!task.needs_input()) continue;
    if (const Status consumed = task.consume(*bytes); !consumed) return consumed;
  }
}

Status KernelRun::run_map(const kernels::Kernel& kernel, KeptMemory& memory) {
  spills_.emplace(spec_, token_, stop_);
  const auto task = kernels::MapTask::create(
      kernel, split_, {static_cast<std::uint32_t>(job_.reduces), memory.sorting_bytes()}, *spills_);
  if (!task) return task.error();
  if (TaskInput::is_part_of(spec_.work)) {
    if (const Status read = read_split(**task); !read) return read;
  }
  if (stop_.has_come()) return success();
  KeptOutput output(memory, job_.reduces);
  const auto index = (*task)->finish(output);
  if (!index) return index.error();
  return put(output.with(*index));
}

Status KernelRun::run_reduce(const kernels::Kernel& kernel, KeptMemory& memory) {
  runs_.emplace(spec_, token_, stop_);
  if (writes_output(spec_.work)) {
    output_.emplace(spec_.input, spec_.work, static_cast<std::uint32_t>(spec_.container), stop_);
    WrittenOutput written(*output_);
    const auto bytes = reduce_to(kernel, memory, written);
    if (!bytes) return bytes.error();
    if (!output_->write({}) || !output_->close()) return *output_->failure();
    is_done_ = !stop_.has_come();
    return success();
  }
  constexpr std::int64_t partitions = 1;  // all maps fetch all of it
  KeptOutput output(memory, partitions);
  const auto bytes = reduce_to(kernel, memory, output);
  if (!bytes) return bytes.error();
  return put(output.with({{{0, *bytes}}}));
}

Result<std::uint64_t> KernelRun::reduce_to(const kernels::Kernel& kernel, KeptMemory& memory,
                                           kernels::ByteSink& output) {
  auto inputs = runs_->open(kernel_partition_of(spec_.work), job_.reduces);
  if (!inputs) return inputs.error();
  spills_.emplace(spec_, token_, stop_);
  const auto counters = kernels::run_reduce_task(kernel, *std::move(inputs),
                                                 {memory.sorting_bytes()}, *spills_, output);
  if (!counters) return counters.error();
  return counters->output_bytes;
}

Status KernelRun::put(kernels::Bytes bytes) {
  map_output_.emplace(spec_, token_, stop_);
  if (!map_output_->put(bytes)) return *map_output_->failure();
  is_done_ = map_output_->is_closed();
  return success();
}

}  // namespace tracebed
