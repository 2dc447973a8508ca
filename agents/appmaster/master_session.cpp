#include "agents/appmaster/master_session.h"

#include <algorithm>

#include "core/visit.h"

namespace tracebed::appmaster {
namespace {

// Between one message that is not answered and the next. Longer than a busy coordinator takes.
constexpr auto repeat_pause = std::chrono::seconds(1);
// Until the coordinator has stated its own.
constexpr auto first_timeout = std::chrono::seconds(30);

}  // namespace

MasterSession::MasterSession(Identity identity, Host host, SteadyTime now)
    : identity_(std::move(identity)),
      host_(host),
      timeout_(first_timeout),
      last_heard_(now),
      next_(now) {}

void MasterSession::take(wire::Message message, SteadyTime now) {
  const wire::Envelope& envelope = message.envelope;
  if (envelope.run != identity_.run || envelope.epoch != identity_.epoch ||
      envelope.session != identity_.session) {
    ++counters_.misplaced;
    return;
  }
  if (envelope.sequence <= received_) {
    ++counters_.repeats;
    return;
  }
  received_ = envelope.sequence;
  last_heard_ = now;
  visit_all(
      std::move(message.body), [&](wire::MasterJob&& job) { handle(std::move(job), now); },
      [&](const MasterAnswer& answer) { handle(answer, now); },
      [&](const wire::Refuse& refuse) {
        end_ = End{ExitCode::run_failed, "refused: " + refuse.reason};
      },
      // For agents or datanodes, or a master's own to send.
      [&](const OneOf<wire::Hello, wire::Welcome, wire::Heartbeat, wire::HeartbeatAck,
                      wire::LaunchBatch, wire::ContinueBatch, wire::KillBatch, wire::Goodbye,
                      wire::Shutdown, wire::LaunchMaster, wire::MasterHello, MasterCall,
                      wire::CheckpointBatch, wire::LogLines, wire::FromDatanode,
                      wire::ToDatanode> auto&) { ++counters_.misplaced; });
}

void MasterSession::handle(wire::MasterJob&& job, SteadyTime now) {
  if (master_ != nullptr) {  // answered twice, as it asked twice
    ++counters_.repeats;
    return;
  }
  time_scale_ = job.time_scale;
  timeout_ = job.timeout;
  Result<std::unique_ptr<HostedMaster>> master = host_(identity_, std::move(job));
  if (!master) {
    end_ = End{ExitCode::run_failed, master.error().message};
    return;
  }
  master_ = *std::move(master);
  plan_call(now);
}

void MasterSession::handle(const MasterAnswer& answer, SteadyTime now) {
  if (master_ == nullptr || !is_under_way_ || answer.sequence != call_.sequence) {
    ++counters_.repeats;
    return;
  }
  is_under_way_ = false;
  answered_at_ = answer.now;
  master_->take_answer(answer);
  if (master_->has_failed()) {
    end_ = End{ExitCode::run_failed, "the fault that the experiment asks for"};
    return;
  }
  if (master_->has_ended()) {
    end_ = End{ExitCode::success, answer.is_dismissal ? "dismissed" : "unregistered"};
    return;
  }
  plan_call(now);
}

// The next call follows the last answer by the master's interval of trace time.
void MasterSession::plan_call(SteadyTime now) {
  const double trace_us =
      static_cast<double>(std::max(Duration::zero(), master_->next_call() - answered_at_).count());
  next_ = now + std::chrono::nanoseconds(static_cast<std::int64_t>(trace_us * 1e3 / time_scale_));
}

void MasterSession::tick(SteadyTime now) {
  if (end_) return;
  if (now >= last_heard_ + timeout_) {
    end_ = End{ExitCode::run_failed, "the coordinator is gone"};
    return;
  }
  if (now < next_) return;
  if (master_ == nullptr) {
    send_hello(now);
  } else {
    send_call(now);
  }
}

SteadyTime MasterSession::next_tick() const {
  return std::min(next_, last_heard_ + timeout_);
}

void MasterSession::send_hello(SteadyTime now) {
  send(wire::MasterHello{identity_.application, identity_.attempt});
  next_ = now + repeat_pause;
}

void MasterSession::send_call(SteadyTime now) {
  if (is_under_way_) {
    ++counters_.calls_sent_again;
  } else {
    call_ = MasterCall();
    spoils_messages_ = master_->spoils_next_call();
    master_->make_call(call_);
    is_under_way_ = true;
  }
  send(call_);
  next_ = now + repeat_pause;
}

void MasterSession::send(wire::Body body) {
  messages_.push_back(
      {{identity_.run, identity_.epoch, identity_.session, ++sent_}, std::move(body)});
}

}  // namespace tracebed::appmaster
