// Reads the log of a run round by round, in bounded memory, and shows its contents.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "coordinator/recorded/decision_difference.h"
#include "coordinator/recorded/log_facts.h"
#include "schedulers/registry.h"

namespace tracebed {

struct LogRequest {
  std::filesystem::path run;  // the folder
  LogFilter filter;
  // Also decide the run again, which assigns containers to jobs, and shows commands. Needs the
  // memory of the run, and of its rows.
  bool decides_again = false;
  // Also show what the scheduler made of each node when it placed units; decides again.
  bool shows_choices = false;
};

struct ShownLog {
  std::uint64_t rounds = 0;         // read
  std::optional<std::string> loss;  // what the log lacks, if it was cut off
  // Set: decisions differ from there on, and nothing more was shown.
  std::optional<DecisionDifference> difference;
  bool has_choices = false;  // some round had, if they were to be shown
};

// Throws InputError for a folder without a log, a damaged one, and a job or node that is not in the
// log.
ShownLog show_log(const LogRequest& request, const SchedulerRegistry& schedulers,
                  const LogFacts::Show& show);

}  // namespace tracebed
