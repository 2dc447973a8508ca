// Reads the log of a run round by round, in bounded memory, and shows what stands in it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "coordinator/runner/decision_difference.h"
#include "coordinator/runner/log_facts.h"
#include "schedulers/registry.h"

namespace tracebed {

struct LogRequest {
  std::filesystem::path run;  // the folder
  LogFilter filter;
  // Also decide the run again, which says whose containers are, and shows commands. Needs the
  // memory of the run, and of its rows.
  bool decides_again = false;
};

struct ShownLog {
  std::uint64_t rounds = 0;         // read
  std::optional<std::string> loss;  // what the log lacks, where it was cut off
  // Set: the run was decided differently from there on, and nothing more was shown.
  std::optional<DecisionDifference> difference;
};

// Throws InputError for a folder without a log, a damaged one, and a job or node that the log does
// not know.
ShownLog show_log(const LogRequest& request, const SchedulerRegistry& schedulers,
                  const LogFacts::Show& show);

}  // namespace tracebed
