// The outputs of map tasks, each a file of one container in the folder of its job, and the runs
// that tasks have spilled, each a file in a folder of its container's there
// (org.apache.hadoop.mapred.MapOutputFile and IFile). An output appears when it is committed, whole
// or not at all, and stays until its job is removed, also for a later process of the same folder.
// Spills are outputs that their own task reads and drops; those of a task that was killed stay.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>

#include "agents/shuffle/output_files.h"
#include "core/result.h"
#include "protocol/shuffle/shuffle_frames.h"
#include "system/file_descriptor.h"
#include "system/folder_lock.h"

namespace tracebed {

struct OutputName {
  std::uint32_t job = 0;
  std::uint32_t container = 0;
  std::uint32_t spill = shuffle::no_spill;
};

// Any thread may call its functions.
class MapOutputStore {
 public:
  // Of one process at a time. The folder is made if it is missing; what was not committed in it is
  // deleted. Throws EnvironmentError.
  explicit MapOutputStore(std::filesystem::path folder);

  OutputResult<OutputDraft> create(OutputName name);
  OutputResult<StoredOutput> open(OutputName name) const;
  // Of a container. There may be none.
  void drop_spills(std::uint32_t job, std::uint32_t container);
  // Deletes its outputs and spills, and accepts no more of them.
  void remove_job(std::uint32_t job);

 private:
  // A draft in the folder of drafts.
  class PlaceInFolder;

  OutputDone publish(const std::filesystem::path& draft, OutputName name);
  std::filesystem::path folder_of(std::uint32_t job) const;
  std::filesystem::path spills_of(std::uint32_t job, std::uint32_t container) const;
  std::filesystem::path path_of(OutputName name) const;
  bool is_removed(std::uint32_t job) const;

  const std::filesystem::path folder_;
  const std::filesystem::path drafts_;
  const FolderLock lock_;
  std::atomic<std::uint64_t> next_draft_ = 0;
  mutable std::mutex mutex_;  // guards what follows, and that nothing is published in what it names
  std::set<std::uint32_t> removed_;
};

}  // namespace tracebed
