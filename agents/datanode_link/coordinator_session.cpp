#include "agents/datanode_link/coordinator_session.h"

#include <algorithm>

#include "core/visit.h"

namespace tracebed {
namespace {

// As an agent's (agents/agent/agent_session.cpp).
constexpr auto hello_pause_at_first = std::chrono::seconds(1);
constexpr auto hello_pause_max = std::chrono::seconds(8);
constexpr auto period_min = std::chrono::milliseconds(1);
// Between two reports of transfers.
constexpr auto transfers_pause = std::chrono::seconds(1);
// Until a call whose answer was "not now" is made again.
constexpr auto call_pause = std::chrono::seconds(1);
// The oldest are kept: what they report is found again.
constexpr std::size_t calls_max = 10'000;

}  // namespace

CoordinatorSession::CoordinatorSession(DatanodeIdentity identity, Sources sources)
    : identity_(std::move(identity)), sources_(std::move(sources)), run_(identity_.run) {}

// ---- the datanode ----

void CoordinatorSession::report(const ReplicaChange& change) {
  // Without a session it is in the full report of the next.
  if (welcome_) changes_.push_back(change);
}

void CoordinatorSession::call(Call call, Now now) {
  if (calls_.size() >= calls_max) {
    ++counters_.calls_lost;
    return;
  }
  calls_.emplace(++last_call_, UnansweredCall{std::move(call), now.steady});
}

void CoordinatorSession::stored(std::uint64_t order, const Status& result) {
  if (welcome_) send(wire::StoreAnswer{order, result ? std::string() : result.error().message});
}

void CoordinatorSession::administered(std::uint64_t order, const Status& result) {
  if (!welcome_) return;
  send(wire::AdministrationAnswer{order, result ? std::string() : result.error().message});
}

void CoordinatorSession::send_log(wire::LogLines log) {
  if (!welcome_) return;
  messages_.push_back({{run_, epoch_, session_, ++sent_}, std::move(log)});
}

void CoordinatorSession::send_goodbye(const std::string& reason) {
  if (welcome_) send(wire::DatanodeGoodbye{reason, sources_.transfers()});
}

void CoordinatorSession::leave_run(Now now) {
  run_ = wire::no_run;
  end_.reset();
  calls_.clear();
  told_transfers_ = {};
  hello_pause_ = {};
  send_hello(now);
}

// ---- the coordinator ----

void CoordinatorSession::take(const wire::Message& message, Now now) {
  if (end_) return;
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
  if (has_gap) {
    // What is missing may be what this message builds on.
    ++counters_.gaps;
    return send_hello(now);
  }
  if (const auto* to = std::get_if<wire::ToDatanode>(&message.body)) {
    if (std::holds_alternative<wire::DatanodeWelcome>(*to)) run_ = envelope.run;
  }
  dispatch(message.body, now);
}

// An answer to the Hello, or a message of the session that it opened.
bool CoordinatorSession::is_for_us(const wire::Message& message) const {
  const wire::Envelope& envelope = message.envelope;
  const auto* to = std::get_if<wire::ToDatanode>(&message.body);
  const bool is_welcome = to != nullptr && std::holds_alternative<wire::DatanodeWelcome>(*to);
  const bool is_shutdown = std::holds_alternative<wire::Shutdown>(message.body);
  const bool is_answer = is_welcome || std::holds_alternative<wire::Refuse>(message.body) ||
                         (identity_.is_long_running() && is_shutdown && !welcome_);
  const bool may_name_run = identity_.is_long_running() && is_welcome && run_ == wire::no_run;
  if (envelope.session != session_ || (envelope.run != run_ && !may_name_run)) return false;
  return is_answer ? !welcome_.has_value() : welcome_ && envelope.epoch == epoch_;
}

void CoordinatorSession::dispatch(const wire::Body& body, Now now) {
  visit_all(
      body, [&](const wire::ToDatanode& message) { dispatch(message, now); },
      [&](const wire::Shutdown& shutdown) { handle(shutdown, now); },
      [&](const wire::Refuse& refuse) { handle(refuse, now); },
      // For agents and masters, or a datanode's own to send.
      [&](const OneOf<wire::Hello, wire::Welcome, wire::Heartbeat, wire::HeartbeatAck,
                      wire::LaunchBatch, wire::ContinueBatch, wire::KillBatch, wire::Goodbye,
                      wire::LaunchMaster, wire::MasterHello, wire::MasterJob, MasterCall,
                      MasterAnswer, wire::CheckpointBatch, wire::LogLines,
                      wire::FromDatanode> auto&) { ++counters_.misplaced; });
}

void CoordinatorSession::dispatch(const wire::ToDatanode& message, Now now) {
  visit_all(
      message, [&](const wire::DatanodeWelcome& welcome) { handle(welcome, now); },
      [&](const wire::DatanodeOrders& orders) { handle(orders, now); },
      [&](const wire::DatanodeCallAnswer& answer) { handle(answer, now); },
      [&](const wire::TriggerBlockReport&) { send_full_report(now); },
      [&](const OneOf<wire::MachineNews, wire::StoreOrder, wire::AdministrationOrder> auto& order) {
        orders_.emplace_back(order);
      },
      [&](const wire::ReportAnswer& answer) {
        if (answer.reply.must_register) return send_hello(now);
        if (!answer.reply.unknown.empty()) orders_.emplace_back(answer);
      });
}

void CoordinatorSession::handle(const wire::DatanodeWelcome& welcome, Now now) {
  welcome_ = welcome;
  refusal_.clear();
  hello_pause_ = {};
  changes_.clear();
  unanswered_heartbeat_ = 0;
  next_heartbeat_ = now.steady;
  next_report_ = run_ == wire::no_run ? SteadyTime::max() : now.steady;
  for (auto& [number, waiting] : calls_) waiting.due = now.steady;
  orders_.emplace_back(welcome);
}

void CoordinatorSession::handle(const wire::DatanodeOrders& orders, Now now) {
  if (orders.orders.must_register) return send_hello(now);
  if (orders.heartbeat == unanswered_heartbeat_) unanswered_heartbeat_ = 0;
  const HeartbeatReply& given = orders.orders;
  if (given.transfers.empty() && given.deletions.empty() && given.recoveries.empty()) return;
  orders_.emplace_back(orders);
}

void CoordinatorSession::handle(const wire::DatanodeCallAnswer& answer, Now now) {
  const auto found = calls_.find(answer.number);
  if (found == calls_.end()) {
    ++counters_.repeats;
    return;
  }
  if (answer.failure && answer.failure->kind == StorageFailureKind::retriable) {
    found->second.due = now.steady + call_pause;
    return;
  }
  calls_.erase(found);
}

void CoordinatorSession::handle(const wire::Shutdown& shutdown, Now now) {
  if (identity_.is_long_running() && run_ == wire::no_run) {
    hello_pause_ = {};
    return send_hello(now);
  }
  end_ = End{End::Kind::run_over, "the run is over: " + shutdown.reason};
}

void CoordinatorSession::handle(const wire::Refuse& refuse, Now now) {
  if (!identity_.is_long_running()) {
    end_ = End{End::Kind::refused, refuse.reason};
    return;
  }
  refusal_ = refuse.reason;
  next_hello_ = now.steady + hello_pause_max;
}

// ---- time ----

void CoordinatorSession::tick(Now now) {
  if (end_) return;
  if (welcome_ && now.steady >= last_heard_ + welcome_->silence_max) send_hello(now);
  if (!welcome_) {
    if (now.steady >= next_hello_) send_hello(now);
    return;
  }
  if (now.steady >= next_report_) send_full_report(now);
  if (!changes_.empty()) send_changes();
  send_calls_that_are_due(now);
  if (now.steady < next_heartbeat_) return;
  const auto period = std::max<wire::WallDuration>(welcome_->heartbeat_period, period_min);
  next_heartbeat_ += ((now.steady - next_heartbeat_) / period + 1) * period;
  // As HDFS' own, which waits for each answer (BPServiceActor.offerService).
  if (unanswered_heartbeat_ == 0) send_heartbeat(now);
}

CoordinatorSession::SteadyTime CoordinatorSession::next_tick() const {
  if (end_) return SteadyTime::max();
  if (!welcome_) return next_hello_;
  if (!changes_.empty()) return SteadyTime::min();
  SteadyTime next = std::min({next_heartbeat_, next_report_, last_heard_ + welcome_->silence_max});
  for (const auto& [number, waiting] : calls_) next = std::min(next, waiting.due);
  return next;
}

void CoordinatorSession::send_hello(Now now) {
  const auto now_ns = static_cast<std::uint64_t>(now.wall.time_since_epoch().count());
  session_ = std::max(session_ + 1, now_ns);
  sent_ = 0;
  received_ = 0;
  epoch_ = 0;
  welcome_.reset();
  hello_pause_ = std::clamp(hello_pause_ * 2, hello_pause_at_first, hello_pause_max);
  next_hello_ = now.steady + hello_pause_;
  ++counters_.hellos;
  wire::DatanodeHello hello;
  hello.agent = identity_.agent;
  hello.address = identity_.address;
  hello.transfer_port = identity_.transfer_port;
  hello.http_port = identity_.http_port;
  hello.software = identity_.software;
  hello.host = identity_.host;
  send(std::move(hello));
}

void CoordinatorSession::send_heartbeat(Now now) {
  wire::DatanodeBeat beat;
  beat.usage = sources_.usage();
  if (now.steady >= next_transfers_) {
    wire::TransferReport transfers = sources_.transfers();
    if (transfers != told_transfers_) {
      next_transfers_ = now.steady + transfers_pause;
      told_transfers_ = transfers;
      beat.transfers = std::move(transfers);
    }
  }
  send(std::move(beat));
  unanswered_heartbeat_ = sent_;
}

void CoordinatorSession::send_full_report(Now now) {
  const wire::WallDuration period = welcome_->report_period;
  next_report_ = period > wire::WallDuration::zero() ? now.steady + period : SteadyTime::max();
  changes_.clear();  // the report has them
  const std::vector<ReportedReplica> replicas = sources_.replicas();
  wire::BlockReportPart part;
  for (std::size_t begin = 0;; begin += wire::replicas_max, ++part.part) {
    const std::size_t end = std::min(begin + wire::replicas_max, replicas.size());
    part.replicas.assign(replicas.begin() + static_cast<std::ptrdiff_t>(begin),
                         replicas.begin() + static_cast<std::ptrdiff_t>(end));
    part.is_last = end == replicas.size();
    send(part);
    if (part.is_last) return;
  }
}

void CoordinatorSession::send_changes() {
  for (std::size_t begin = 0; begin < changes_.size(); begin += wire::replicas_max) {
    const std::size_t end = std::min(begin + wire::replicas_max, changes_.size());
    send(wire::IncrementalReport{{changes_.begin() + static_cast<std::ptrdiff_t>(begin),
                                  changes_.begin() + static_cast<std::ptrdiff_t>(end)}});
  }
  changes_.clear();
}

// Each once in a session, unless it was answered with "not now".
void CoordinatorSession::send_calls_that_are_due(Now now) {
  for (auto& [number, waiting] : calls_) {
    if (now.steady < waiting.due) continue;
    waiting.due = SteadyTime::max();
    send(wire::DatanodeCall{number, waiting.call});
  }
}

void CoordinatorSession::send(wire::FromDatanode message) {
  messages_.push_back({{run_, epoch_, session_, ++sent_}, std::move(message)});
}

}  // namespace tracebed
