#include "coordinator/workload/input_files.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/input_error.h"
#include "core/input_paths.h"
#include "system/quantities.h"

namespace tracebed {
namespace {

std::size_t blocks_of(const PreloadedFile& file) {
  return static_cast<std::size_t>((file.size - 1) / file.block_size + 1);
}

}  // namespace

InputFiles::InputFiles(const InputFileOptions& options, const std::vector<Machine>& machines)
    : options_(options) {
  for (std::size_t i = 0; i < machines.size(); ++i) nodes_.emplace(machines[i].name, NodeId(i));
}

void InputFiles::add(const Job& job) {
  for (std::size_t i = 0; i < job.stages.size(); ++i) {
    const Stage& stage = job.stages[i];
    if (reads_file(job, stage)) add_file(job, input_path_of(job, i), input_bytes_of(stage), stage);
  }
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
