// A run that is decided again from its folder: the log of its rounds, and an engine as the run
// record describes it.
#pragma once

#include <filesystem>
#include <optional>

#include "coordinator/engine/engine.h"
#include "core/names.h"
#include "protocol/log_file.h"
#include "report/run_json.h"
#include "schedulers/registry.h"

namespace tracebed {

class RecordedRun {
 public:
  // `run` is a run folder with its log. Nothing is written to it. Throws InputError for a folder
  // that holds no run, no log or a damaged one, and for settings that are unknown to this program.
  // `schedulers` and `records` outlive this.
  RecordedRun(const std::filesystem::path& run, const SchedulerRegistry& schedulers,
              RecordSink& records);

  const RunRecord& record() const { return record_; }
  LogFileReader& log() { return log_; }
  Engine& engine() { return *engine_; }
  // The names in the log so far.
  const Names& names() const { return names_; }

 private:
  std::filesystem::path folder_;
  RunRecord record_;
  Names names_;
  LogFileReader log_;
  ImmediateDecisions decisions_;  // the log has the arrivals of those that took time
  std::optional<Engine> engine_;
};

// The log of a run folder. Throws InputError if there is none.
std::filesystem::path log_of_run(const std::filesystem::path& run);

}  // namespace tracebed
