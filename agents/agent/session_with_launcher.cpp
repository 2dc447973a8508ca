// What an agent's session learns from its launcher.
#include <algorithm>

#include "agents/agent/agent_session.h"
#include "core/visit.h"

namespace tracebed::agent {

void AgentSession::lose_launcher(Now now) {
  isolation_.reset();
  asked_since_.reset();
  welcome_.reset();
  running_.clear();
  usage_.reset();
  progress_.clear();
  if (!identity_.is_long_running()) return;
  lacks_since_ = now.steady - first_launcher_timeout;
  hello_pause_ = {};
  // What ran is gone with it, or is reported by the next one.
  if (is_clearing_) return leave_run_when_clear(now);
  send_hello(now);
}

void AgentSession::take(const launcher::LauncherClient::News& news, Now now) {
  asked_since_.reset();  // whatever it says, it is at work
  visit_all(
      news, [&](const launcher::StartedRecord& started) { take_start(started); },
      [&](const launcher::ExitedRecord& exited) { take_exit(exited); },
      [&](const launcher::UsageRecord& usage) { take_usage(usage, now); },
      [&](const launcher::ProgressRecord& progress) { take_progress(progress); },
      [&](const launcher::StateRecord& state) { take_state(state, now); });
  if (is_clearing_) leave_run_when_clear(now);
}

void AgentSession::take_start(const launcher::StartedRecord& record) {
  const ContainerId container(record.container);
  running_.insert(container);
  if (record.process <= 0) return;
  ++counters_.started;
  if (started_.size() == wire::starts_max) return;
  started_.push_back({container, wire::WallTime(std::chrono::nanoseconds(record.at_ns))});
}

void AgentSession::take_state(const launcher::StateRecord& state, Now now) {
  isolation_ = state.isolation;
  lacks_since_.reset();
  hello_pause_ = {};
  const std::string run = state.run.data();
  // What this agent was not notified of is an earlier one's, which served that run.
  if (identity_.is_long_running() && run_ == wire::no_run && !run.empty()) run_ = run;
  last_heard_ = now.steady;
  if (is_clearing_) return clear_run(now);
  // What ran under an earlier launcher and is not reported again has no exit; the coordinator
  // learns that from the Hello.
  send_hello(now);
}

void AgentSession::take_exit(const launcher::ExitedRecord& record) {
  running_.erase(ContainerId(record.container));
  if (!exits_.empty() && record.sequence <= exits_.back().sequence) return;  // reported before
  exits_.push_back(to_exit(record));
  ++counters_.ended;
  if (welcome_ && welcome_->out_of_band_heartbeat) heartbeat_is_out_of_band_ = true;
}

// What a task states again before a heartbeat takes the place of what it stated.
void AgentSession::take_progress(const launcher::ProgressRecord& record) {
  const ContainerId container(record.container);
  if (!running_.contains(container)) return;
  const auto known = std::find_if(progress_.begin(), progress_.end(), [&](const auto& progress) {
    return progress.container == container;
  });
  if (known != progress_.end()) {
    known->progress = record.done;
  } else if (progress_.size() < wire::starts_max) {
    progress_.push_back({container, record.done});
  }
}

void AgentSession::take_usage(const launcher::UsageRecord& record, Now now) {
  const std::int64_t counted_us = usage_ ? usage_->cpu_time_us : 0;
  containers_cpu_us_ += std::max<std::int64_t>(record.cpu_time_us - counted_us, 0);
  if (usage_ && record.at_ns > usage_->at_ns) {
    // CPU microseconds per wall nanosecond, in thousandths of a CPU.
    used_milli_vcores_ = std::max<std::int64_t>(record.cpu_time_us - usage_->cpu_time_us, 0) *
                         1'000'000 / (record.at_ns - usage_->at_ns);
  }
  usage_ = record;
  if (usage_deadline_) send_heartbeat(now);
}

SessionFigures AgentSession::figures() const {
  SessionFigures figures;
  figures.counters = counters_;
  figures.is_welcome = is_welcome();
  figures.has_run = run_ != wire::no_run;
  figures.running = running_.size();
  figures.exits = exits_.size();
  if (usage_) {
    figures.cpu_time_us = usage_->cpu_time_us;
    figures.memory_bytes = usage_->memory_bytes;
  }
  return figures;
}

void AgentSession::ask_for_usage(Now now) {
  if (!asked_since_) asked_since_ = now.steady;
  orders_.emplace_back(QueryUsageOrder{});
}

}  // namespace tracebed::agent
