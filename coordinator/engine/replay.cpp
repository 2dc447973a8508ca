#include "coordinator/engine/replay.h"

#include <algorithm>
#include <utility>

#include "core/check.h"

namespace tracebed {
namespace {

// The jobs still to be submitted, one of them read ahead.
class Submissions {
 public:
  explicit Submissions(WorkloadSource* source) : source_(source) { advance(); }

  TraceTime next_due() const { return has_next_ ? next_.submit : never; }

  void add_due(Round& round) {
    while (has_next_ && next_.submit <= round.now) {
      const auto index = static_cast<std::uint32_t>(round.jobs().size());
      std::swap(round.add_job(), next_);
      round.submit(index);
      advance();
    }
  }
  void stop() { has_next_ = false; }

 private:
  void advance() { has_next_ = source_ != nullptr && source_->next(next_); }

  WorkloadSource* source_;
  Job next_;
  bool has_next_ = false;
};

class Replay {
 public:
  Replay(Engine& engine, Fleet& fleet, WorkloadSource* jobs, RoundLog* log,
         const ReplayOptions& options)
      : engine_(engine),
        fleet_(fleet),
        log_(log),
        options_(options),
        submissions_(jobs),
        is_recorded_(jobs == nullptr) {}

  ReplayResult run(const ReplayObserver& observer) {
    std::optional<CancelReason> wanted_end;
    for (;;) {
      round_.clear();
      const TraceTime give_up_at = give_up_time();
      fleet_.wait_until(wanted_end ? now_ : std::min(next_deadline(), give_up_at), round_);
      if (round_.now == never) {
        if (is_recorded_ || engine_.is_idle()) return result();
        TRACEBED_CHECK(!engine_.cancellation(),
                       "a fleet reports the end of what it was told to kill");
        wanted_end = CancelReason::stalled;
        round_.now = now_;
      } else if (round_.arrivals.empty() && round_.now >= give_up_at) {
        wanted_end = CancelReason::stalled;
      }
      now_ = round_.now;
      if (wanted_end) {
        round_.arrivals.push_back(RunCancelled{*wanted_end});
        submissions_.stop();
        wanted_end.reset();
      }
      submissions_.add_due(round_);
      take_step();
      if (!is_recorded_ && submissions_.next_due() == never && engine_.is_idle()) return result();
      if (!observer(progress()) && !engine_.cancellation()) wanted_end = CancelReason::user;
    }
  }

 private:
  TraceTime next_deadline() const {
    return std::min(engine_.next_deadline(), submissions_.next_due());
  }

  // A run waits in vain when jobs are open, nothing runs, none is to be submitted and no machine
  // is to come: heartbeats go on, but what they offered was not taken.
  TraceTime give_up_time() const {
    const bool could_stall = !is_recorded_ && engine_.is_waiting() &&
                             submissions_.next_due() == never && !fleet_.expects_changes();
    return could_stall ? last_move_ + options_.give_up_after : never;
  }

  void take_step() {
    if (log_ != nullptr) log_->append(round_);
    commands_.clear();
    const EngineCounters before = engine_.counters();
    engine_.step(round_, commands_);
    if (log_ != nullptr) log_->commit();
    fleet_.execute(commands_, engine_.heartbeat_interest());
    const EngineCounters& after = engine_.counters();
    if (!engine_.is_waiting() || after.allocations != before.allocations ||
        after.jobs_ended != before.jobs_ended || after.jobs_submitted != before.jobs_submitted) {
      last_move_ = now_;
    }
  }

  ReplayProgress progress() const {
    const EngineCounters& counters = engine_.counters();
    return {now_, counters.jobs_submitted, counters.jobs_ended,
            static_cast<std::uint32_t>(engine_.cluster().containers.size())};
  }

  ReplayResult result() const {
    engine_.verify();
    if (engine_.cancellation() == CancelReason::user) return {ReplayEnd::cancelled, now_};
    if (engine_.cancellation() == CancelReason::stalled) return {ReplayEnd::stalled, now_};
    return {engine_.is_idle() ? ReplayEnd::complete : ReplayEnd::log_ended, now_};
  }

  Engine& engine_;
  Fleet& fleet_;
  RoundLog* log_;
  ReplayOptions options_;
  Submissions submissions_;
  bool is_recorded_;
  Round round_;
  std::vector<Command> commands_;
  TraceTime now_{};        // of the last round
  TraceTime last_move_{};  // the last round that did something for a job
};

}  // namespace

ReplayResult replay(Engine& engine, Fleet& fleet, WorkloadSource* jobs, RoundLog* log,
                    const ReplayObserver& observer, const ReplayOptions& options) {
  return Replay(engine, fleet, jobs, log, options).run(observer);
}

}  // namespace tracebed
