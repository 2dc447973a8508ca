// The files that a trace's jobs read (core/input_paths.h), collected while its jobs are read once
// before the first replay. In memory are the paths and sizes of all files, and what the trace
// recorded of their places: about 200 bytes for a file. No more files and blocks are taken than the
// namenode's limits allow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/machines.h"
#include "core/storage_inputs.h"
#include "core/workload.h"

namespace tracebed {

struct InputFileOptions {
  std::uint32_t replication = 3;
  // Of files without recorded places. A file whose places the trace recorded, task by task, has a
  // block for each task instead, and as many replicas as the trace has of any of its blocks.
  std::int64_t block_size = 0;
  std::size_t blocks_per_file_max = 0;
  std::size_t objects_max = 0;  // files and blocks together; 0: no limit
  std::string user;             // who owns them
  bool uses_recorded_places = true;
  std::string writer;  // the machine that wrote them; empty: none
  // Whether jobs write output, and tasks fetch from each other: a kernel needs both.
  bool are_outputs_written = false;
  bool is_shuffling = false;
};

class InputFiles {
 public:
  // Recorded places count where they are names of these machines, whose positions are nodes. The
  // writer, if there is one, is among them.
  InputFiles(const InputFileOptions& options, const std::vector<Machine>& machines);

  // Throws InputError, naming the job, for input beyond the limits, and for a job whose input is
  // that of a kernel (core/kernel_work.h) which it cannot run.
  void add(const Job& job);
  // In the order in which jobs read them first. Throws InputError if one path is below another,
  // which cannot be a file and a directory.
  std::vector<PreloadedFile> take();

 private:
  void add_file(const Job& job, const std::string& path, std::int64_t bytes, const Stage& stage);
  void check_kernel(const Job& job, std::size_t stage, const std::string& path) const;
  std::vector<NodeId> nodes_of(const InputPlaces& places, std::uint32_t task) const;
  void place_as_recorded(const Stage& stage, PreloadedFile& file) const;
  void check_limits(const Job& job, const PreloadedFile& file) const;

  InputFileOptions options_;
  std::unordered_map<std::string, NodeId> nodes_;  // by name of the machine; looked up alone
  std::unordered_map<std::string, std::size_t> positions_;  // in files_, by path; looked up alone
  std::vector<PreloadedFile> files_;
  std::size_t objects_ = 0;
};

// The jobs of `source` with the paths of these files as their stages' input.
class InputPaths final : public WorkloadSource {
 public:
  explicit InputPaths(std::unique_ptr<WorkloadSource> source) : source_(std::move(source)) {}
  bool next(Job& job) override;

 private:
  std::unique_ptr<WorkloadSource> source_;
};

}  // namespace tracebed
