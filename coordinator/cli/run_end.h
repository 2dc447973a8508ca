// What `tracebed run` prints when a run has ended, whether it ran here or on a cluster.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "coordinator/runner/experiment_report.h"
#include "core/exit_codes.h"
#include "core/scale_effects.h"

namespace tracebed {

struct EndedReplay {
  std::filesystem::path folder;
  std::string outcome;  // name(RunOutcome)
  double wall_seconds = 0;
  std::uint64_t jobs_ended = 0;
  std::string digest;
  std::string reason = {};              // why it is not complete; may be empty
  std::vector<std::string> chain = {};  // of one that stalled: who waits for whom
};

struct EndedRun {
  std::vector<EndedReplay> replays;  // those of noise last
  ScaleEffects scale;
  std::filesystem::path output;  // the folder of the report
};

// The answer first. Without details only the replays that are not complete are listed, five of them
// at most, with the chain of the first.
std::string run_end_text(const EndedRun& run, const ReportTexts& report, bool with_details);

// What a run ends with of which these are the outcomes of its replays, by name(RunOutcome): one
// that failed counts more than one that stalled, and this more than one without success. Whether it
// was cancelled is not looked at.
ExitCode exit_code_of_outcomes(const std::vector<std::string>& outcomes);

}  // namespace tracebed
