// The control loop of a replay: its executor, which rewrites the run's own copy of the scheduler's
// file, and the rows of control.csv.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "coordinator/disturbances/requested_changes.h"
#include "coordinator/engine/control_loop.h"
#include "coordinator/resolving/resolved_controller.h"
#include "core/resources.h"
#include "report/file_list.h"
#include "report/run_folder.h"

namespace tracebed {

class ReplayControl {
 public:
  // All outlive this.
  struct Surroundings {
    const ResolvedController& controller;
    const Engine& engine;
    RequestedChanges& changes;
    RunFolderWriter& writer;
    const std::filesystem::path& folder;  // of the run
    const ResourceDimensions& dimensions;
  };

  explicit ReplayControl(const Surroundings& surroundings);
  ReplayControl(const ReplayControl&) = delete;
  ReplayControl& operator=(const ReplayControl&) = delete;

  ControlLoop& loop() { return *loop_; }
  // Once, after the replay: what is not delivered never is, and the run's record gets the rewritten
  // file.
  void finish();
  std::vector<NamedCount> counters() const;

 private:
  Result<SchedulerConfiguration> configuration_of(std::int64_t share);
  void note(const ControlChange& change);

  Surroundings surroundings_;
  std::optional<ListedFile> rewritten_;
  std::array<std::uint64_t, 3> outcomes_{};  // by ControlOutcome
  std::optional<ControlLoop> loop_;
};

}  // namespace tracebed
