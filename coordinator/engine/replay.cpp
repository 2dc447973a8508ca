#include "coordinator/engine/replay.h"

#include <algorithm>
#include <utility>

#include "coordinator/engine/control_loop.h"
#include "coordinator/engine/stall_analysis.h"
#include "coordinator/engine/stall_detector.h"
#include "core/check.h"
#include "core/input_error.h"

namespace tracebed {
namespace {

// The refreshes that are still to come.
class Refreshes {
 public:
  explicit Refreshes(const std::vector<ScheduledRefresh>& scheduled) : scheduled_(scheduled) {}

  TraceTime next_due() const { return next_ < scheduled_.size() ? scheduled_[next_].at : never; }
  void add_due(Round& round) {
    for (SchedulerConfiguration& wanted : asked_) add(round, std::move(wanted));
    asked_.clear();
    while (next_due() <= round.now) add(round, scheduled_[next_++].configuration);
  }
  void ask(SchedulerConfiguration configuration) { asked_.push_back(std::move(configuration)); }
  // True if one is to be taken without waiting for anything.
  bool is_asked() const { return !asked_.empty(); }
  void stop() { next_ = scheduled_.size(); }

 private:
  static void add(Round& round, SchedulerConfiguration configuration) {
    round.arrivals.push_back(
        SchedulerRefreshed{static_cast<std::uint32_t>(round.configurations.size())});
    round.configurations.push_back(std::move(configuration));
  }

  const std::vector<ScheduledRefresh>& scheduled_;
  std::size_t next_ = 0;
  std::vector<SchedulerConfiguration> asked_;
};

// Administrators' commands that are still to come.
class AdministratorRequests {
 public:
  AdministratorRequests(const std::vector<AdministratorRequest>& scheduled, const Engine& engine)
      : scheduled_(scheduled), engine_(engine) {}

  TraceTime next_due() const { return next_ < scheduled_.size() ? scheduled_[next_].at : never; }
  bool is_asked() const { return !asked_.empty(); }
  void ask(std::vector<AdministratorRequest> requests) {
    asked_.insert(asked_.end(), requests.begin(), requests.end());
  }
  void stop() { next_ = scheduled_.size(); }
  void add_due(Round& round) {
    for (const AdministratorRequest& wanted : asked_) add(round, wanted);
    asked_.clear();
    while (next_due() <= round.now) {
      const AdministratorRequest& request = scheduled_[next_++];
      if (!add(round, request)) {
        throw InputError("a command for the node \"" + request.node +
                         "\": expected the name of a machine that has joined the run, got one "
                         "that has not");
      }
    }
  }

 private:
  // False if there is no such node.
  bool add(Round& round, const AdministratorRequest& wanted) const {
    AdministratorCommand command{
        .kind = wanted.kind, .container = wanted.container, .grace = wanted.grace};
    if (!wanted.node.empty()) {
      command.node = find_node(round, wanted.node);
      if (!command.node.is_valid()) return false;
    }
    round.arrivals.emplace_back(command);
    return true;
  }
  // Of a machine that is known or joins with the round; invalid if there is none.
  NodeId find_node(const Round& round, const std::string& name) const {
    for (const Node& node : engine_.cluster().nodes) {
      if (node.name == name) return node.id;
    }
    for (const Arrival& arrival : round.arrivals) {
      const auto* joined = std::get_if<NodeJoined>(&arrival);
      if (joined != nullptr && round.machines[joined->machine].name == name) return joined->node;
    }
    return {};
  }

  const std::vector<AdministratorRequest>& scheduled_;
  const Engine& engine_;
  std::size_t next_ = 0;
  std::vector<AdministratorRequest> asked_;
};

// Whether the run's datanodes have come, and its files are to be stored now.
class Preloads {
 public:
  Preloads(const std::vector<PreloadedFile>& files, std::size_t datanodes, const Engine& engine)
      : files_(files), datanodes_(datanodes), engine_(engine) {}

  // A run without storage waits for nothing.
  bool are_none() const { return files_.empty() && datanodes_ == 0; }
  bool are_due() const {
    const Namenode* namenode = engine_.namenode();
    if (namenode == nullptr) return false;
    const std::vector<Datanode>& all = namenode->state().datanodes.all();
    const auto registered = static_cast<std::size_t>(std::count_if(
        all.begin(), all.end(), [](const Datanode& datanode) { return datanode.node.is_valid(); }));
    return registered >= datanodes_;
  }
  void add(Round& round) const {
    for (const PreloadedFile& file : files_) round.add_storage(file);
  }
  void check_stored() const {
    if (engine_.refused_files().empty()) return;
    throw InputError("a file of the run's storage cannot be stored: " +
                     engine_.refused_files().front());
  }

 private:
  const std::vector<PreloadedFile>& files_;
  std::size_t datanodes_;
  const Engine& engine_;
};

class Replay {
 public:
  // `jobs` is null where the fleet brings the submissions itself.
  Replay(Engine& engine, Fleet& fleet, Submissions* jobs, RoundLog* log,
         const ReplayOptions& options)
      : engine_(engine),
        fleet_(fleet),
        log_(log),
        options_(options),
        jobs_(jobs),
        refreshes_(options_.refreshes),
        requests_(options_.commands, engine),
        preloads_(options_.preloads, options_.preloads_after, engine),
        stall_(engine, options_.give_up_after),
        is_recorded_(jobs == nullptr) {
    if (is_recorded_) may_jobs_begin_ = true;
  }

  ReplayResult run(const ReplayObserver& observer) {
    std::optional<CancelReason> wanted_end;
    if (!may_jobs_begin_ && preloads_.are_none()) begin_jobs();
    for (;;) {
      round_.clear();
      const bool are_files_due = !may_jobs_begin_ && preloads_.are_due();
      const bool hurries =
          wanted_end || refreshes_.is_asked() || requests_.is_asked() || are_files_due;
      fleet_.wait_until(hurries ? now_ : std::max(now_, next_deadline()), round_);
      if (round_.now == never) {
        if (is_recorded_ || (may_jobs_begin_ && engine_.is_idle())) return result();
        TRACEBED_CHECK(may_jobs_begin_, "a fleet's datanodes register before nothing else is left");
        TRACEBED_CHECK(!engine_.cancellation(),
                       "a fleet reports the end of what it was ordered to kill");
        wanted_end = give_up(CancelReason::stalled);
        round_.now = now_;
      }
      now_ = round_.now;
      if (wanted_end) {
        round_.arrivals.push_back(RunCancelled{*wanted_end});
        jobs_have_stopped_ = true;
        may_jobs_begin_ = true;
        refreshes_.stop();
        requests_.stop();
        if (options_.control != nullptr) options_.control->stop();
        wanted_end.reset();
      }
      if (options_.control != nullptr) options_.control->add_due(round_);
      refreshes_.add_due(round_);
      requests_.add_due(round_);
      if (!may_jobs_begin_ && are_files_due) preloads_.add(round_);
      add_due_jobs();
      take_step();
      if (!may_jobs_begin_ && are_files_due) begin_jobs();
      if (options_.control != nullptr) options_.control->after_round(now_);
      if (is_over()) return result();
      if (options_.asked_refresh) {
        if (auto wanted = options_.asked_refresh()) refreshes_.ask(std::move(*wanted));
      }
      if (options_.due_commands) requests_.ask(options_.due_commands());
      // Unless it is changed meanwhile.
      if (!engine_.cancellation() && !refreshes_.is_asked() && !requests_.is_asked()) {
        if (stall_.is_stalled()) wanted_end = give_up(CancelReason::stalled);
        if (is_livelocked()) wanted_end = give_up(CancelReason::livelocked);
      }
      if (!observer(progress()) && !engine_.cancellation()) wanted_end = CancelReason::user;
    }
  }

 private:
  void begin_jobs() {
    preloads_.check_stored();
    may_jobs_begin_ = true;
    fleet_.begin_jobs();
  }
  TraceTime next_job_due() const {
    const bool are_to_come = jobs_ != nullptr && !jobs_have_stopped_ && may_jobs_begin_;
    return are_to_come ? jobs_->next_due() : never;
  }
  bool is_over() const {
    const bool stays_open = options_.keep_open && !engine_.cancellation();
    return !is_recorded_ && may_jobs_begin_ && !stays_open && next_job_due() == never &&
           engine_.is_idle();
  }
  TraceTime next_deadline() const {
    const TraceTime control_due =
        options_.control == nullptr ? never : options_.control->next_due();
    return std::min({engine_.next_deadline(), next_job_due(), refreshes_.next_due(),
                     requests_.next_due(), stall_.deadline(), control_due});
  }
  void add_due_jobs() {
    while (next_job_due() <= round_.now) {
      const auto index = static_cast<std::uint32_t>(round_.jobs().size());
      jobs_->take(round_.add_job());
      round_.submit(index);
    }
  }

  // What jobs wait for is seen only before they are killed.
  CancelReason give_up(CancelReason reason) {
    why_stalled_ = explain_stall(engine_);
    return reason;
  }

  bool is_more_to_come() const {
    return options_.keep_open || !may_jobs_begin_ || next_job_due() != never ||
           refreshes_.next_due() != never || requests_.next_due() != never ||
           fleet_.expects_changes();
  }

  bool is_livelocked() const {
    return !is_recorded_ && engine_.is_livelocked() && !is_more_to_come();
  }

  void take_step() {
    if (log_ != nullptr) log_->append(round_);
    for (RoundObserver* observer : options_.observers) observer->arrived(round_);
    commands_.clear();
    engine_.step(round_, commands_);
    if (log_ != nullptr) log_->commit();
    fleet_.execute(commands_, engine_.heartbeat_interest());
    for (RoundObserver* observer : options_.observers) observer->commanded(commands_);
    if (!is_recorded_) stall_.after_round(now_, is_more_to_come());
  }

  ReplayProgress progress() const {
    const EngineCounters& counters = engine_.counters();
    return {now_, counters.jobs_submitted, counters.jobs_ended,
            static_cast<std::uint32_t>(engine_.cluster().containers.size())};
  }

  ReplayResult result() const {
    engine_.verify();
    if (engine_.cancellation()) {
      const bool is_asked = engine_.cancellation() == CancelReason::user;
      if (is_asked) return {RunOutcome::cancelled, now_, std::nullopt};
      return {RunOutcome::stalled, now_, why_stalled_};
    }
    return {engine_.is_idle() ? RunOutcome::complete : RunOutcome::log_ended, now_, std::nullopt};
  }

  Engine& engine_;
  Fleet& fleet_;
  RoundLog* log_;
  ReplayOptions options_;
  Submissions* jobs_;
  bool jobs_have_stopped_ = false;
  bool may_jobs_begin_ = false;
  Refreshes refreshes_;
  AdministratorRequests requests_;
  Preloads preloads_;
  StallDetector stall_;
  bool is_recorded_;
  Round round_;
  std::vector<Command> commands_;
  TraceTime now_{};  // of the last round
  std::optional<Stall> why_stalled_;
};

}  // namespace

ReplayResult replay(Engine& engine, Fleet& fleet, WorkloadSource* jobs, RoundLog* log,
                    const ReplayObserver& observer, const ReplayOptions& options) {
  if (jobs == nullptr) return Replay(engine, fleet, nullptr, log, options).run(observer);
  TimedSubmissions timed(*jobs);
  return replay(engine, fleet, timed, log, observer, options);
}

ReplayResult replay(Engine& engine, Fleet& fleet, Submissions& jobs, RoundLog* log,
                    const ReplayObserver& observer, const ReplayOptions& options) {
  return Replay(engine, fleet, &jobs, log, options).run(observer);
}

}  // namespace tracebed
