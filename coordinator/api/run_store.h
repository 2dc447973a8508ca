// The coordinator's state folder: STATE/N holds run N. Whatever moment a coordinator is killed at,
// the next one finds every run that was acknowledged, and can make new ones.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "coordinator/api/folder_remover.h"
#include "coordinator/api/run_entry.h"
#include "system/folder_lock.h"

namespace tracebed {

class RunStore {
 public:
  // Makes the folder if it is missing, and locks it while this lives. Throws EnvironmentError.
  explicit RunStore(std::filesystem::path folder);

  // The runs that are there, by number; to be called once, first. A folder with a run's name that
  // holds no readable run is set aside (N.incomplete) and logged; its number is not used again.
  std::vector<RunEntry> adopt();

  // Makes the folder of a new run that waits, with its experiment and what was submitted, and gives
  // it the next number; it is on disk when this returns. Throws EnvironmentError; then there is no
  // such run.
  RunEntry create(const std::string& name, const std::string& experiment,
                  const std::string& submission);
  // What create() was given, of a run that has not begun; none if it cannot be read, or if more
  // than that is in the folder: the run has begun, and must not begin again.
  static std::optional<std::string> submission_of(const RunEntry& run);
  // A run that begins needs it no longer. Failures are ignored: it is as good there.
  static void drop_submission(const RunEntry& run);
  // Its folder is deleted in a while; it is no run's as soon as this returns. Failures are logged.
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
