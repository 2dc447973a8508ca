#include "core/kernel_work.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace tracebed {
namespace {

constexpr std::string_view kernel_root = "/tracebed/kernels/";

struct NamedKernel {
  std::string_view name;
  KernelKind kind;
  std::int64_t unit_bytes;
};
// Those that runs have, in the order of their names. The kinds are those of mixes where there is
// one of that name.
constexpr std::array<NamedKernel, 4> run_kernels = {{{"grep", KernelKind::grep, 4'096},
                                                     {"sort", KernelKind::sort, 4'096},
                                                     {"terasort", KernelKind::terasort, 100},
                                                     {"wordcount", KernelKind::word_count, 4'096}}};

const NamedKernel* find_kernel(KernelKind kind) {
  const auto found = std::find_if(run_kernels.begin(), run_kernels.end(),
                                  [&](const NamedKernel& one) { return one.kind == kind; });
  return found == run_kernels.end() ? nullptr : &*found;
}

}  // namespace

bool is_kernel_path(std::string_view path) {
  return path.starts_with(kernel_root);
}

Result<KernelInput> kernel_input_of(std::string_view path) {
  const Error wrong{
      "expected /tracebed/kernels/KERNEL/SEED, where KERNEL is grep, sort, terasort or wordcount "
      "and SEED is a number from 0 to " +
      std::to_string(task_amount_max) + ", got " + std::string(path)};
  if (!is_kernel_path(path)) return wrong;
  const std::string_view rest = path.substr(kernel_root.size());
  const std::size_t slash = rest.find('/');
  if (slash == std::string_view::npos) return wrong;
  const auto found =
      std::find_if(run_kernels.begin(), run_kernels.end(),
                   [&](const NamedKernel& one) { return one.name == rest.substr(0, slash); });
  if (found == run_kernels.end()) return wrong;
  KernelInput input{found->kind, 0};
  const char* const end = rest.data() + rest.size();
  const auto parsed = std::from_chars(rest.data() + slash + 1, end, input.seed);
  const bool is_number = parsed.ec == std::errc{} && parsed.ptr == end;
  // One file has one path.
  if (!is_number || path != kernel_path(found->name, input.seed)) return wrong;
  if (input.seed > static_cast<std::uint64_t>(task_amount_max)) return wrong;
  return input;
}

std::string kernel_path(std::string_view kernel, std::uint64_t seed) {
  return std::string(kernel_root) + std::string(kernel) + '/' + std::to_string(seed);
}

bool is_run_kernel(std::uint64_t number) {
  return number <= static_cast<std::uint64_t>(kernel_kind_max) &&
         find_kernel(static_cast<KernelKind>(number)) != nullptr;
}

std::int64_t kernel_unit_bytes(KernelKind kernel) {
  const NamedKernel* const found = find_kernel(kernel);
  return found == nullptr ? 1 : found->unit_bytes;
}

std::optional<KernelJob> kernel_job_of(const Job& job) {
  if (job.kind != JobKind::map_reduce || job.stages.empty()) return std::nullopt;
  if (!is_kernel_path(job.stages.front().input_path)) return std::nullopt;
  const auto input = kernel_input_of(job.stages.front().input_path);
  if (!input) return std::nullopt;
  KernelJob kernel{*input, 0};
  for (const Stage& stage : job.stages) {
    if (stage.kind != StageKind::reduce) continue;
    for (const TaskRun& run : stage.runs) kernel.reduces += run.count;
  }
  return kernel;
}

void set_kernel(TaskWork& work, const std::optional<KernelJob>& job) {
  work.kernel_kind = job ? static_cast<std::int64_t>(job->input.kernel) : 0;
  work.dataset_seed = job ? static_cast<std::int64_t>(job->input.seed) : 0;
  work.kernel_reduces = job ? job->reduces : 0;
}

std::optional<KernelJob> kernel_of(const TaskWork& work) {
  if (work.kernel_kind == 0) return std::nullopt;
  return KernelJob{
      {static_cast<KernelKind>(work.kernel_kind), static_cast<std::uint64_t>(work.dataset_seed)},
      work.kernel_reduces};
}

std::uint32_t kernel_partition_of(const TaskWork& work) {
  return static_cast<std::uint32_t>(work.output_part);
}

}  // namespace tracebed
