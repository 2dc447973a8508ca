// Turns a submission into an experiment: on arrival, to report errors at once, and again when its
// run begins, which may be under another coordinator.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "Control.h"
#include "coordinator/config/experiment.h"
#include "schedulers/registry.h"

namespace tracebed {

struct SubmissionRules {
  // The only folder whose traces an experiment may name; none: nothing can be submitted.
  std::optional<std::filesystem::path> traces;
  // Whether world = "local" may use the coordinator's own host.
  bool allow_local_runs = false;
  // Throws InputError or EnvironmentError for an experiment that could not be run. Several threads
  // may call it at once.
  std::function<void(const Experiment&)> check;
};

class SubmissionReader {
 public:
  // `schedulers` outlives it.
  SubmissionReader(SubmissionRules rules, const SchedulerRegistry& schedulers)
      : rules_(std::move(rules)), schedulers_(schedulers) {}

  // Throws InputError or EnvironmentError if it is no experiment that may be run here.
  Experiment read(const control::Submission& submission) const;
  // The same for the result of kept_text().
  Experiment read_kept(const std::string& text) const;

 private:
  SubmissionRules rules_;
  const SchedulerRegistry& schedulers_;
};

// Resolves the experiment, as its run will, in at most about this much CPU time: other submissions
// wait for it. Throws InputError, with the scheduler before which the time was over. The time is
// looked at between two schedulers; what one of them and what is read before may take is bounded,
// whatever the submission holds (tests/growth).
void check_submission(const SchedulerRegistry& schedulers, const Experiment& experiment,
                      std::chrono::nanoseconds cpu_time_max);

// The submission as bytes (Thrift's binary protocol), to be kept in a file. JSON would lose some.
std::string kept_text(const control::Submission& submission);

}  // namespace tracebed
