#include "agents/agent/agent_session.h"

#include <algorithm>

#include "core/mebibyte.h"
#include "core/visit.h"

namespace tracebed::agent {
namespace {

// Between one Hello and the next while no answer comes; doubled up to the second figure, as each
// Hello makes the answer to the one before worthless.
constexpr auto hello_pause_at_first = std::chrono::seconds(1);
constexpr auto hello_pause_max = std::chrono::seconds(8);
// A launcher that does not answer must not keep heartbeats back for longer.
constexpr auto usage_timeout = std::chrono::milliseconds(100);
constexpr auto period_min = std::chrono::milliseconds(1);
// Until a coordinator has sent its first message.
constexpr auto silence_max_at_first = std::chrono::seconds(10);
constexpr auto grace_at_first = std::chrono::seconds(60);

wire::Isolation to_wire(launcher::Isolation isolation) {
  switch (isolation) {
    case launcher::Isolation::none:
      return wire::Isolation::none;
    case launcher::Isolation::cgroup_v1:
      return wire::Isolation::cgroup_v1;
    case launcher::Isolation::cgroup_v2:
      return wire::Isolation::cgroup_v2;
  }
  TRACEBED_CHECK(false, "a verified state has a known isolation");
}

std::vector<std::uint32_t> numbers(std::span<const ContainerId> containers) {
  std::vector<std::uint32_t> values;
  for (const ContainerId container : containers) values.push_back(container.value());
  return values;
}

}  // namespace

AgentSession::AgentSession(Identity identity)
    : identity_(std::move(identity)), run_(identity_.run) {}

// Whether it has anything to say to its coordinator.
bool AgentSession::may_speak() const {
  return !end_ && (isolation_ || (identity_.is_long_running() && lacks_since_));
}

// ---- the coordinator ----

void AgentSession::take(const wire::Message& message, Now now) {
  const wire::Envelope& envelope = message.envelope;
  if (!is_for_us(message)) {
    ++counters_.misplaced;
    return;
  }
  if (envelope.sequence <= received_) {
    ++counters_.repeats;
    return;
  }
  const bool has_gap = envelope.sequence != received_ + 1;
  received_ = envelope.sequence;
  last_heard_ = now.steady;
  if (!welcome_) epoch_ = envelope.epoch;
  if (std::holds_alternative<wire::Welcome>(message.body)) run_ = envelope.run;
  const std::uint64_t session = session_;
  dispatch(message.body, now);
  if (has_gap && !end_ && session == session_) {
    ++counters_.gaps;
    send_hello(now);
  }
}

// An answer to the Hello, or a message of the session that it opened.
bool AgentSession::is_for_us(const wire::Message& message) const {
  const wire::Envelope& envelope = message.envelope;
  const bool is_welcome = std::holds_alternative<wire::Welcome>(message.body);
  const bool is_shutdown = std::holds_alternative<wire::Shutdown>(message.body);
  const bool is_answer = is_welcome || std::holds_alternative<wire::Refuse>(message.body) ||
                         (identity_.is_long_running() && is_shutdown && !welcome_);
  const bool may_name_run = identity_.is_long_running() && is_welcome && run_ == wire::no_run;
  if (envelope.session != session_ || (envelope.run != run_ && !may_name_run)) return false;
  if (envelope.run.size() >= sizeof(launcher::StateRecord::run)) return false;
  return is_answer ? !welcome_.has_value() : welcome_ && envelope.epoch == epoch_;
}

void AgentSession::dispatch(const wire::Body& body, Now now) {
  const auto misplace = [this](const auto&) { ++counters_.misplaced; };
  visit_all(
      body, [&](const wire::Welcome& welcome) { handle(welcome, now); },
      [&](const wire::LaunchBatch& launches) { handle(launches); },
      [&](const wire::LaunchMaster& master) { handle(master); },
      [&](const wire::ContinueBatch& continues) { handle(continues); },
      [&](const wire::KillBatch& kills) { handle(kills); },
      [&](const wire::CheckpointBatch& checkpoints) { handle(checkpoints); },
      [&](const wire::HeartbeatAck& acknowledgement) { handle(acknowledgement, now); },
      [&](const wire::Shutdown& shutdown) { handle(shutdown, now); },
      [&](const wire::Refuse& refuse) { handle(refuse, now); },
      // An agent's or a master's to send, or for masters.
      [&](const wire::FromDatanode& from) { misplace(from); },
      [&](const wire::ToDatanode& to) { misplace(to); },
      [&](const wire::Hello& hello) { misplace(hello); },
      [&](const wire::Heartbeat& heartbeat) { misplace(heartbeat); },
      [&](const wire::Goodbye& goodbye) { misplace(goodbye); },
      [&](const wire::LogLines& lines) { misplace(lines); },
      [&](const wire::MasterHello& hello) { misplace(hello); },
      [&](const wire::MasterJob& job) { misplace(job); },
      [&](const MasterCall& call) { misplace(call); },
      [&](const MasterAnswer& answer) { misplace(answer); });
}

void AgentSession::send_hello(Now now) {
  if (!may_speak()) return;
  const auto now_ns = static_cast<std::uint64_t>(now.wall.time_since_epoch().count());
  session_ = std::max(session_ + 1, now_ns);
  sent_ = 0;
  received_ = 0;
  epoch_ = 0;
  welcome_.reset();
  echo_.reset();
  heartbeat_is_out_of_band_ = false;
  usage_deadline_.reset();
  hello_pause_ = std::clamp(hello_pause_ * 2, hello_pause_at_first, hello_pause_max);
  next_hello_ = now.steady + hello_pause_;

  wire::Hello hello;
  hello.agent = identity_.name;
  hello.rack = identity_.rack;
  hello.labels = identity_.labels;
  hello.speed = identity_.speed;
  hello.capacity = identity_.capacity;
  hello.has_launcher = isolation_.has_value();
  if (isolation_) hello.isolation = to_wire(*isolation_);
  hello.address = identity_.address;
  hello.wall_clock = now.wall;
  hello.running.assign(running_.begin(), running_.end());
  hello.exits = exits_to_tell();
  hello.software = identity_.software;
  hello.host = identity_.host;
  hello.keeps_outputs = identity_.keeps_outputs;
  send(std::move(hello));
}

void AgentSession::handle(const wire::Welcome& welcome, Now now) {
  welcome_ = welcome;
  last_welcome_ = welcome;
  orphans_ended_ = false;
  refusal_.clear();
  hello_pause_ = {};
  echo_ = {welcome.sent, now.wall};
  next_heartbeat_ = now.steady + welcome.heartbeat_period;
  // Its clock is another machine's, and is to be known before any time is reported by it.
  if (identity_.is_long_running()) heartbeat_is_out_of_band_ = true;
  order_settings();
  ask_for_usage(now);  // use is measured from one answer to the next
}

void AgentSession::order_settings() {
  SettingsOrder order;
  const wire::WallDuration grace = last_welcome_ ? last_welcome_->orphan_grace : grace_at_first;
  order.record.orphan_grace_us = std::chrono::ceil<std::chrono::microseconds>(grace).count();
  TRACEBED_CHECK(run_.size() < order.record.run.size(), "a run's name fits its launcher's records");
  if (run_ != wire::no_run) run_.copy(order.record.run.data(), run_.size());
  const auto copy = [](const std::string& text, auto& into) {
    TRACEBED_CHECK(text.size() < into.size(), "names of the wire fit a launcher's records");
    text.copy(into.data(), text.size());
  };
  if (last_welcome_) {
    copy(last_welcome_->namenode, order.record.namenode);
    if (last_welcome_->shares_vcores) {
      order.record.milli_vcores_of_all = identity_.capacity.milli_vcores();
    }
    order.record.cpu_weights = cpu_enforcement() == CpuEnforcement::weight ? 1 : 0;
  }
  copy(identity_.address, order.record.address);
  copy(identity_.rack, order.record.rack);
  orders_.emplace_back(order);
}

void AgentSession::handle(const wire::LaunchBatch& batch) {
  LaunchOrder order;
  for (const wire::Launch& launch : batch.launches) {
    running_.insert(launch.container);
    order.records.push_back(
        to_launch(launch, identity_.capacity, shuffle_key(), cpu_enforcement()));
  }
  orders_.emplace_back(std::move(order));
}

void AgentSession::handle(const wire::LaunchMaster& launch) {
  running_.insert(launch.container);
  orders_.emplace_back(LaunchMasterOrder{to_launch(launch, identity_, run_, epoch_)});
}

void AgentSession::handle(const wire::ContinueBatch& batch) {
  orders_.emplace_back(ReleaseOrder{numbers(batch.containers)});
}

void AgentSession::handle(const wire::KillBatch& batch) {
  orders_.emplace_back(KillOrder{numbers(batch.containers)});
}

void AgentSession::handle(const wire::CheckpointBatch& batch) {
  orders_.emplace_back(CheckpointOrder{numbers(batch.containers)});
}

void AgentSession::handle(const wire::HeartbeatAck& acknowledgement, Now now) {
  echo_ = {acknowledgement.sent, now.wall};
  ended_jobs_.insert(ended_jobs_.end(), acknowledgement.ended_jobs.begin(),
                     acknowledgement.ended_jobs.end());
  const std::uint64_t up_to = acknowledgement.exits_up_to;
  if (exits_.empty() || exits_.front().sequence > up_to) return;
  while (!exits_.empty() && exits_.front().sequence <= up_to) exits_.pop_front();
  orders_.emplace_back(AcknowledgeOrder{up_to});
}

void AgentSession::handle(const wire::Shutdown& shutdown, Now now) {
  if (!identity_.is_long_running()) {
    end_ = End{End::Kind::run_over, "the run is over: " + shutdown.reason};
    return;
  }
  if (run_ == wire::no_run) {
    hello_pause_ = {};
    return send_hello(now);
  }
  is_clearing_ = true;
  clear_run(now);
}

void AgentSession::handle(const wire::Refuse& refuse, Now now) {
  if (!identity_.is_long_running()) {
    end_ = End{End::Kind::refused, refuse.reason};
    return;
  }
  refusal_ = refuse.reason;
  next_hello_ = now.steady + refused_pause;
}

// ---- from run to run ----

void AgentSession::clear_run(Now now) {
  if (!running_.empty()) {
    orders_.emplace_back(
        KillOrder{numbers(std::vector<ContainerId>(running_.begin(), running_.end()))});
  }
  leave_run_when_clear(now);
}

void AgentSession::leave_run_when_clear(Now now) {
  if (!running_.empty() || !may_speak()) return;
  is_clearing_ = false;
  if (!exits_.empty()) orders_.emplace_back(AcknowledgeOrder{exits_.back().sequence});
  exits_.clear();
  started_.clear();
  send_goodbye("its run is over");
  run_ = wire::no_run;
  order_settings();
  last_welcome_.reset();
  hello_pause_ = {};
  send_hello(now);
}

// ---- time ----

void AgentSession::resume(SteadyTime::duration stood_still, Now now) {
  if (welcome_ && !end_ && stood_still >= welcome_->silence_max) send_hello(now);
}

void AgentSession::tick(Now now) {
  if (!isolation_ && !lacks_since_ && identity_.is_long_running()) {
    lacks_since_ = now.steady;
    next_hello_ = now.steady + first_launcher_timeout;
  }
  if (!may_speak()) return;
  const auto silence_max = last_welcome_ ? last_welcome_->silence_max : silence_max_at_first;
  if (welcome_ && now.steady >= last_heard_ + silence_max) send_hello(now);
  if (!welcome_) {
    const bool is_orphaned =
        last_welcome_ && now.steady >= last_heard_ + silence_max + last_welcome_->orphan_grace;
    if (is_orphaned && !orphans_ended_) end_orphans();
    if (now.steady >= next_hello_) send_hello(now);
    return;
  }
  if (heartbeat_is_out_of_band_ || (usage_deadline_ && now.steady >= *usage_deadline_)) {
    send_heartbeat(now);
  }
  if (now.steady < next_heartbeat_) return;
  // On a grid, so that the launcher's answers do not make the period longer.
  const auto period = std::max<wire::WallDuration>(welcome_->heartbeat_period, period_min);
  next_heartbeat_ += ((now.steady - next_heartbeat_) / period + 1) * period;
  usage_deadline_ = now.steady + usage_timeout;
  ask_for_usage(now);
}

SteadyTime AgentSession::next_tick() const {
  if (!may_speak()) return SteadyTime::max();
  const auto silence_max = last_welcome_ ? last_welcome_->silence_max : silence_max_at_first;
  if (welcome_) {
    if (heartbeat_is_out_of_band_) return SteadyTime::min();
    return std::min(
        {next_heartbeat_, usage_deadline_.value_or(SteadyTime::max()), last_heard_ + silence_max});
  }
  if (!last_welcome_ || orphans_ended_) return next_hello_;
  return std::min(next_hello_, last_heard_ + silence_max + last_welcome_->orphan_grace);
}

void AgentSession::end_orphans() {
  orphans_ended_ = true;
  if (running_.empty()) return;
  orders_.emplace_back(
      KillOrder{numbers(std::vector<ContainerId>(running_.begin(), running_.end()))});
}

void AgentSession::send_heartbeat(Now now) {
  heartbeat_is_out_of_band_ = false;
  usage_deadline_.reset();
  wire::Heartbeat heartbeat;
  heartbeat.wall_clock = now.wall;
  heartbeat.used_milli_vcores = used_milli_vcores_;
  heartbeat.io_pressure = io_pressure_;
  heartbeat.used_memory_mib = usage_ ? (usage_->memory_bytes + mebibyte - 1) / mebibyte : 0;
  heartbeat.started = std::exchange(started_, {});
  heartbeat.exits = exits_to_tell();
  heartbeat.progress = std::exchange(progress_, {});
  heartbeat.echo = echo_;
  heartbeat.processors = processors_;
  heartbeat.shuffle_port = shuffle_port_;
  if (heartbeat.processors) heartbeat.processors->own_us += containers_cpu_us_;
  send(std::move(heartbeat));
}

void AgentSession::set_shuffle_port(std::uint16_t port) {
  if (shuffle_port_ != port) heartbeat_is_out_of_band_ = true;
  shuffle_port_ = port;
}

const std::string& AgentSession::shuffle_key() const {
  static const std::string none;
  return run_ != wire::no_run && last_welcome_ ? last_welcome_->shuffle_key : none;
}

void AgentSession::leave(const std::string& reason) {
  send_goodbye(reason);
  stop(reason);
}

void AgentSession::send_goodbye(const std::string& reason) {
  if (welcome_) send(wire::Goodbye{reason});
}

void AgentSession::send_log(std::vector<wire::LogLine> lines, std::uint64_t lost) {
  if (welcome_) send(wire::LogLines{std::move(lines), lost});
}

std::vector<wire::ContainerExit> AgentSession::exits_to_tell() const {
  const std::size_t count = std::min(exits_.size(), wire::exits_max);
  return {exits_.begin(), exits_.begin() + static_cast<std::ptrdiff_t>(count)};
}

void AgentSession::send(wire::Body body) {
  messages_.push_back({{run_, epoch_, session_, ++sent_}, std::move(body)});
}

}  // namespace tracebed::agent
