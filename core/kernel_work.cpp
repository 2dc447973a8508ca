#include "core/kernel_work.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/check.h"
#include "core/input_paths.h"

namespace tracebed {
namespace {

constexpr std::string_view kernel_root = "/tracebed/kernels/";

struct NamedKernel {
  std::string_view name;
  KernelKind kind;
  std::int64_t unit_bytes;
  std::int64_t bytes_max;
  bool iterates = false;
};
constexpr std::int64_t any_bytes = std::int64_t{1} << 50;
constexpr std::int64_t points_max = std::int64_t{1} << 32;
constexpr std::int64_t vertices_max = std::int64_t{1} << 28;
// In the order of their names, which are those of the kinds of mixes.
constexpr std::array<NamedKernel, 6> named_kernels = {
    {{"grep", KernelKind::grep, 4'096, any_bytes},
     {"kmeans", KernelKind::k_means, 32, 32 * points_max, true},
     {"pagerank", KernelKind::page_rank, 64, 64 * vertices_max, true},
     {"sort", KernelKind::sort, 4'096, any_bytes},
     {"terasort", KernelKind::terasort, 100, any_bytes},
     {"wordcount", KernelKind::word_count, 4'096, any_bytes}}};

const NamedKernel& named(KernelKind kind) {
  const auto found = std::find_if(named_kernels.begin(), named_kernels.end(),
                                  [&](const NamedKernel& one) { return one.kind == kind; });
  TRACEBED_CHECK(found != named_kernels.end(), "a kernel has a name");
  return *found;
}

}  // namespace

bool is_kernel_path(std::string_view path) {
  return path.starts_with(kernel_root);
}

Result<KernelInput> kernel_input_of(std::string_view path) {
  const Error wrong{
      "expected /tracebed/kernels/KERNEL/SEED, where KERNEL is grep, kmeans, pagerank, sort, "
      "terasort or wordcount and SEED is a number from 0 to " +
      std::to_string(task_amount_max) + ", got " + std::string(path)};
  if (!is_kernel_path(path)) return wrong;
  const std::string_view rest = path.substr(kernel_root.size());
  const std::size_t slash = rest.find('/');
  if (slash == std::string_view::npos) return wrong;
  const auto found =
      std::find_if(named_kernels.begin(), named_kernels.end(),
                   [&](const NamedKernel& one) { return one.name == rest.substr(0, slash); });
  if (found == named_kernels.end()) return wrong;
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

bool is_kernel(std::uint64_t number) {
  return number >= 1 && number <= static_cast<std::uint64_t>(kernel_kind_max);
}

bool iterates(KernelKind kernel) {
  return named(kernel).iterates;
}

std::int64_t kernel_unit_bytes(KernelKind kernel) {
  return named(kernel).unit_bytes;
}

std::int64_t kernel_file_bytes(KernelKind kernel, std::int64_t bytes) {
  const std::int64_t unit = named(kernel).unit_bytes;
  return (bytes - 1) / unit * unit + unit;
}

std::int64_t kernel_input_bytes_max(KernelKind kernel) {
  return named(kernel).bytes_max;
}

std::optional<KernelJob> kernel_job_of(const Job& job) {
  if (job.stages.empty() || !is_kernel_path(job.stages.front().input_path)) return std::nullopt;
  const auto input = kernel_input_of(job.stages.front().input_path);
  if (!input) return std::nullopt;
  const bool has_iterations = job.kind == JobKind::dag && iterates(input->kernel);
  if (job.kind != JobKind::map_reduce && !has_iterations) return std::nullopt;
  const std::int64_t bytes = input_bytes_of(job.stages.front());
  KernelJob kernel{*input, 0, bytes > 0 ? kernel_file_bytes(input->kernel, bytes) : 0};
  if (job.stages.size() > 1) kernel.reduces = task_count(job.stages[1]);
  return kernel;
}

void set_kernel(TaskWork& work, const std::optional<KernelJob>& job, TaskRef task) {
  work.kernel_kind = job ? static_cast<std::int64_t>(job->input.kernel) : 0;
  work.dataset_seed = job ? static_cast<std::int64_t>(job->input.seed) : 0;
  work.kernel_reduces = job ? job->reduces : 0;
  work.kernel_input_bytes = job ? job->input_bytes : 0;
  work.kernel_stage = job ? task.stage : 0;
  work.kernel_task = job ? task.index : 0;
  // It spills what it must.
  if (job) work.spilled_length = 0;
}

std::optional<KernelJob> kernel_of(const TaskWork& work) {
  if (work.kernel_kind == 0) return std::nullopt;
  return KernelJob{
      {static_cast<KernelKind>(work.kernel_kind), static_cast<std::uint64_t>(work.dataset_seed)},
      work.kernel_reduces,
      work.kernel_input_bytes};
}

bool is_kernel_map(const TaskWork& work) {
  return work.kernel_stage % 2 == 0;
}

std::uint32_t kernel_partition_of(const TaskWork& work) {
  return static_cast<std::uint32_t>(work.kernel_task);
}

}  // namespace tracebed
