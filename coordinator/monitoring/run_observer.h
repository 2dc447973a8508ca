// The observer of an experiment: the progress line of `tracebed run`, the coordinator's queue.
#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "coordinator/engine/replay.h"
#include "coordinator/monitoring/run_snapshot.h"
#include "core/configuration_update.h"
#include "core/ids.h"
#include "core/time.h"
#include "report/waiting_jobs.h"

namespace tracebed {

// Progress of the replay that is running, the first of them if there are several. An experiment
// makes one per scheduler and repetition.
struct RunProgress {
  std::string scheduler;     // its label
  std::uint32_t replay = 1;  // from 1
  std::uint32_t replays = 1;
  std::uint32_t repetition = 1;
  std::uint32_t repetitions = 1;
  bool is_noise = false;   // the baseline once more, under another seed
  double done = 0;         // of all replays, the completed part: from 0 to 1
  std::uint64_t jobs = 0;  // of the workload
  std::uint64_t jobs_submitted = 0;
  std::uint64_t jobs_ended = 0;
  std::uint64_t containers = 0;  // allocated now
  TraceTime now{};
  TraceTime last_submit{};  // of the workload
  // Jobs that wait for their first container, the longest first; about ten of them.
  std::vector<WaitingJob> waiting;
};

// A requested change of the running scheduler's setting; of one that names an XML file, `value` is
// the XML itself.
struct RequestedRefresh {
  std::string setting;
  std::string value;
  std::string file = {};  // its name in messages; empty: they name the setting
};

// A requested value of one parameter: a setting of the running scheduler that names no file, or of
// its file the share of application masters, "QUEUE.maximum-am-resource-percent" or
// "QUEUE.maxAMShare".
struct RequestedTuning {
  std::string parameter;
  std::string value;
};

// Requested values of properties of the running scheduler's file, and queues to add and to remove:
// taken as a whole or refused.
struct RequestedUpdate {
  ConfigurationUpdate update;
};

using RequestedChange =
    std::variant<RequestedRefresh, RequestedTuning, RequestedUpdate, AdministratorRequest>;

struct NumberedChange {
  std::int64_t number = 0;  // of the requests to the run, from 1
  RequestedChange change;
};

struct ChangeOutcome {
  std::int64_t request = 0;  // its number; 0 for a refresh that the experiment itself schedules
  bool was_taken = false;
  TraceTime at{};
  std::string text;  // a sentence
};

// What the running scheduler's file has at this moment.
struct EffectiveConfiguration {
  std::string scheduler;
  bool is_mutable = false;  // takes a RequestedUpdate
  std::vector<std::pair<std::string, std::string>> properties;
};

// Thrown by an observer to stop at once: nothing is completed, everything that was started is
// ended.
struct RunInterrupted : std::exception {
  const char* what() const noexcept override { return "interrupted"; }
};

// What the clients of a coordinator request of a run while it is in progress, and where the run
// answers.
class RunRequests {
 public:
  virtual ~RunRequests() = default;
  // Whether a snapshot is requested now, which costs a look at every queue, node, application and
  // container; called with each progressed(). If so it is passed on, once.
  virtual bool wants_snapshot() = 0;
  virtual void shown(RunSnapshot snapshot) = 0;
  // A machine is the run's from now on. Called once for each name in a replay.
  virtual void joined(const std::string& node) = 0;
  // A change that is requested now; called after every round. Its outcome is reported by changed(),
  // as is that of refreshes that the experiment itself schedules.
  virtual std::optional<NumberedChange> requested_change() = 0;
  virtual void changed(const ChangeOutcome& outcome) = 0;
  // When a replay begins, and when its scheduler has loaded another configuration.
  virtual void configured(const EffectiveConfiguration& configuration) = 0;
};

class RunObserver {
 public:
  virtual ~RunObserver() = default;
  // Called after every round, and while a world starts. False cancels the experiment: the replay
  // ends as cancelled and no other begins. May throw RunInterrupted.
  virtual bool should_continue() = 0;
  // Called a few times a second during a replay, and once at its end.
  virtual void progressed(const RunProgress& progress) = 0;
  // A warning for the user about a run that continues nevertheless.
  virtual void warned(const std::string& message) = 0;
  // What is done, and why; not a warning.
  virtual void noted(const std::string& /*message*/) {}
  // The same for all of an experiment. Null: nothing is requested of its runs, so that they need
  // not keep what has ended.
  virtual RunRequests* requests() { return nullptr; }
};

}  // namespace tracebed
