// The coordinator's state folder: STATE/N holds run N. No matter when a coordinator is killed, the
// next one finds every run that was acknowledged, and can make new ones.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "coordinator/api/folder_remover.h"
#include "coordinator/api/run_entry.h"
#include "system/folder_lock.h"

namespace tracebed {

class RunStore {
 public:
  // Makes the folder if it is missing, and locks it while this lives. `folders_deleted` is called
  // by another thread (FolderRemover). Throws EnvironmentError.
  explicit RunStore(std::filesystem::path folder, std::function<bool()> folders_deleted = {});

  // The existing runs, by number; to be called once, first. A folder with a run's name that holds
  // no readable run is set aside (N.incomplete) and logged; its number is not used again.
  std::vector<RunEntry> adopt();

  // Makes the folder of a new waiting run, with its experiment and what was submitted, and gives it
  // the next number; it is on disk when this returns. Throws EnvironmentError; then there is no
  // such run.
  RunEntry create(const std::string& name, const std::string& experiment,
                  const std::string& submission);
  // The submission that create() stored for a run that has not begun; none if it cannot be read, or
  // if the folder contains anything more: then the run has begun, and must not begin again.
  static std::optional<std::string> submission_of(const RunEntry& run);
  // A run that begins no longer needs it. Failures are ignored: the file is harmless.
  static void drop_submission(const RunEntry& run);
  // Its folder is deleted later; it stops being a run's as soon as this returns. Failures are
  // logged.
  void remove(const RunEntry& run);

 private:
  std::optional<RunEntry> adopt_one(const std::filesystem::path& child);
  void set_aside(const std::filesystem::path& child, const std::string& reason);

  std::filesystem::path folder_;
  std::optional<FolderLock> lock_;
  FolderRemover remover_;
  std::int64_t next_id_ = 1;
};

}  // namespace tracebed
