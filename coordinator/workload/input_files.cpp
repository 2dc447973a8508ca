#include "coordinator/workload/input_files.h"

#include <algorithm>
#include <fmt/format.h>

#include "coordinator/workload/kernel_jobs.h"
#include "core/input_error.h"
#include "core/input_paths.h"
#include "core/kernel_work.h"
#include "system/quantities.h"

namespace tracebed {
namespace {

std::size_t blocks_of(const PreloadedFile& file) {
  return static_cast<std::size_t>((file.size - 1) / file.block_size + 1);
}

// A kernel's input consists of whole units: the trace's bytes are rounded up.
std::int64_t size_of_file(const std::string& path, std::int64_t bytes) {
  const auto input = is_kernel_path(path) ? kernel_input_of(path) : Error{};
  if (!input) return bytes;
  return kernel_file_bytes(input->kernel, bytes);
}

}  // namespace

InputFiles::InputFiles(const InputFileOptions& options, const std::vector<Machine>& machines)
    : options_(options) {
  for (std::size_t i = 0; i < machines.size(); ++i) nodes_.emplace(machines[i].name, NodeId(i));
}

void InputFiles::add(const Job& job) {
  for (std::size_t i = 0; i < job.stages.size(); ++i) {
    const Stage& stage = job.stages[i];
    if (!reads_file(job, stage)) continue;
    const std::string path = input_path_of(job, i);
    if (is_kernel_path(path)) check_kernel(job, i, path);
    add_file(job, path, size_of_file(path, input_bytes_of(stage)), stage);
  }
}

void InputFiles::check_kernel(const Job& job, std::size_t stage, const std::string& path) const {
  const auto input = kernel_input_of(path);
  if (!input) throw InputError(fmt::format("job {}: {}", job.name, input.error().message));
  if (input_path_of(job, 0) != path || (stage > 0 && job.kind != JobKind::dag)) {
    throw InputError(
        fmt::format("job {}: expected {} as the input of its first stage, too", job.name, path));
  }
  if (!options_.are_outputs_written || !options_.is_shuffling) {
    throw InputError(
        fmt::format("job {}: its input {} is that of a kernel: expected storage.shuffle = true and "
                    "storage.output_replication of at least 1",
                    job.name, path));
  }
  check_kernel_job(job, *input);
  const auto known = positions_.find(path);
  const std::int64_t bytes = size_of_file(path, input_bytes_of(job.stages[stage]));
  if (const std::int64_t most = kernel_input_bytes_max(input->kernel); bytes > most) {
    throw InputError(
        fmt::format("job {}: expected at most {} B of {}, got {} B", job.name, most, path, bytes));
  }
  if (known == positions_.end() || files_[known->second].size == bytes) return;
  throw InputError(
      fmt::format("job {}: a kernel reads all of its input: expected {} B of {}, as of the jobs "
                  "before, got {} B",
                  job.name, files_[known->second].size, path, bytes));
}

std::vector<NodeId> InputFiles::nodes_of(const InputPlaces& places, std::uint32_t task) const {
  std::vector<NodeId> nodes;
  for (const std::uint32_t entry : places.of(task)) {
    const auto node = nodes_.find(places.hosts[entry]);
    if (node != nodes_.end()) nodes.push_back(node->second);
  }
  return nodes;
}

void InputFiles::place_as_recorded(const Stage& stage, PreloadedFile& file) const {
  constexpr std::int64_t chunk_bytes = 512;  // of a checksum: a block size is a multiple of it
  const std::uint32_t tasks = task_count(stage);
  const std::int64_t share = (file.size - 1) / tasks + 1;
  file.block_size = ((share - 1) / chunk_bytes + 1) * chunk_bytes;
  const std::size_t blocks = std::min<std::size_t>(tasks, blocks_of(file));
  std::size_t replicas = 0;
  for (std::uint32_t task = 0; task < blocks; ++task) {
    file.nodes.push_back(nodes_of(stage.places, task));
    replicas = std::max(replicas, file.nodes.back().size());
  }
  if (replicas > 0) file.replication = static_cast<std::uint32_t>(replicas);
}

void InputFiles::check_limits(const Job& job, const PreloadedFile& file) const {
  if (blocks_of(file) > options_.blocks_per_file_max) {
    throw InputError(fmt::format(
        "job {}: expected input of at most {} blocks of {} (storage.block_size, "
        "storage.namenode.max_blocks_per_file), got {}",
        job.name, options_.blocks_per_file_max, size_text(file.block_size), blocks_of(file)));
  }
  if (options_.objects_max > 0 && objects_ > options_.objects_max) {
    throw InputError(
        fmt::format("job {}: the input of the jobs up to this one is {} files and blocks; expected "
                    "at most {} (storage.namenode.max_objects); larger blocks, or fewer jobs, "
                    "need fewer",
                    job.name, objects_, options_.objects_max));
  }
}

void InputFiles::add_file(const Job& job, const std::string& path, std::int64_t bytes,
                          const Stage& stage) {
  const auto [known, is_new] = positions_.try_emplace(path, files_.size());
  if (is_new) {
    PreloadedFile& file = files_.emplace_back();
    file.path = path;
    file.size = bytes;
    file.replication = options_.replication;
    file.block_size = options_.block_size;
    file.user = options_.user;
    if (!options_.writer.empty()) file.writer = nodes_.at(options_.writer);
    if (options_.uses_recorded_places && !stage.places.is_empty()) place_as_recorded(stage, file);
    objects_ += 1 + blocks_of(file);
    return check_limits(job, file);
  }
  PreloadedFile& file = files_[known->second];
  if (bytes <= file.size) return;
  objects_ -= blocks_of(file);
  file.size = bytes;
  objects_ += blocks_of(file);
  check_limits(job, file);
}

bool InputPaths::next(Job& job) {
  if (!source_->next(job)) return false;
  for (std::size_t i = 0; i < job.stages.size(); ++i) {
    Stage& stage = job.stages[i];
    stage.input_path = reads_file(job, stage) ? input_path_of(job, i) : std::string();
  }
  return true;
}

std::vector<PreloadedFile> InputFiles::take() {
  std::vector<std::string_view> paths;
  paths.reserve(files_.size());
  for (const PreloadedFile& file : files_) paths.push_back(file.path);
  std::sort(paths.begin(), paths.end());
  // What is below a path follows it, but for names that sort before '/'.
  for (const std::string_view path : paths) {
    const std::string directory = std::string(path) + '/';
    const auto below = std::lower_bound(paths.begin(), paths.end(), directory);
    if (below == paths.end() || !below->starts_with(directory)) continue;
    throw InputError(fmt::format(
        "expected paths of input of which none is below another, got {} and {}", path, *below));
  }
  positions_.clear();
  return std::move(files_);
}

}  // namespace tracebed
