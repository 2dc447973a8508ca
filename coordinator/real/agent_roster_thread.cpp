// The roster's thread: what agents say between runs, and the answers.
#include <fmt/format.h>

#include "coordinator/real/agent_roster.h"
#include "coordinator/real/roster_intervals.h"
#include "core/visit.h"

namespace tracebed {
namespace {

constexpr WallDuration orphan_grace = std::chrono::seconds(60);

}  // namespace

void AgentRoster::start() {
  stops_ = false;
  thread_ = std::thread([this] { serve(); });
}

void AgentRoster::stop() {
  stops_ = true;
  if (thread_.joinable()) thread_.join();
}

void AgentRoster::serve() {
  RouterSocket::Received received;
  while (!stops_) {
    socket_.wait_until(std::chrono::steady_clock::now() + look_period);
    const std::lock_guard lock(mutex_);
    take_new_keys();
    listening_.look();
    // Bounded, so that a flood keeps nobody from the lock.
    for (int i = 0; i < 1'000 && socket_.receive(received); ++i) receive_one(received);
    lose_silent();
    datanodes_.lose_silent();
    if (socket_.refused() == keys_refused_) continue;
    if (keys_refused_ == 0) {
      warn_(fmt::format("rejected an unknown peer: {}; further ones are only counted",
                        socket_.last_refused()));
    }
    keys_refused_ = socket_.refused();
  }
}

void AgentRoster::receive_one(const RouterSocket::Received& received) {
  if (!received.is_single) return;
  const Result<wire::Message> message = wire::decode(std::as_bytes(
      std::span(static_cast<const char*>(received.payload.data()), received.payload.size())));
  if (!message) return;
  visit_all(
      message->body, [&](const wire::Hello& hello) { handle(received, message->envelope, hello); },
      [&](const wire::FromDatanode& from) {
        datanodes_.receive(received, message->envelope, from);
      },
      [&](const wire::LogLines& log) {
        const auto datanode = datanodes_.take_log(received, message->envelope);
        if (!datanode) return receive_in_session(received, *message);
        if (take_log_) take_log_(*datanode, log);
      },
      [&](const OneOf<wire::Heartbeat, wire::Goodbye> auto&) {
        receive_in_session(received, *message);
      },
      // A coordinator's to send, or of a master, which has no session here.
      Ignore<wire::Welcome, wire::Refuse, wire::HeartbeatAck, wire::LaunchBatch,
             wire::ContinueBatch, wire::KillBatch, wire::Shutdown, wire::LaunchMaster,
             wire::MasterHello, wire::MasterJob, MasterCall, MasterAnswer, wire::CheckpointBatch,
             wire::ToDatanode>{});
}

void AgentRoster::receive_in_session(const RouterSocket::Received& received,
                                     const wire::Message& message) {
  const wire::Envelope& envelope = message.envelope;
  const auto session = sessions_.find(envelope.session);
  if (session == sessions_.end() || envelope.run != wire::no_run) return;
  Entry& entry = entries_.at(session->second);
  if (!received.user.empty() && received.user != session->second) return;  // its session is guessed
  if (envelope.sequence <= entry.session.received) return;
  entry.session.received = envelope.sequence;
  entry.session.peer = received.peer;
  visit_all(
      message.body, [&](const wire::Heartbeat& heartbeat) { handle(entry, envelope, heartbeat); },
      [&](const wire::LogLines& log) {
        if (take_log_) take_log_(session->second, log);
      },
      [&](const wire::Goodbye&) {
        entry.member.is_alive = false;
        sessions_.erase(session);
      },
      // Handled by receive_one().
      Ignore<wire::Hello, wire::Welcome, wire::Refuse, wire::HeartbeatAck, wire::LaunchBatch,
             wire::ContinueBatch, wire::KillBatch, wire::Shutdown, wire::LaunchMaster,
             wire::MasterHello, wire::MasterJob, MasterCall, MasterAnswer, wire::CheckpointBatch,
             wire::FromDatanode, wire::ToDatanode>{});
}

void AgentRoster::handle(Entry& entry, const wire::Envelope& envelope,
                         const wire::Heartbeat& heartbeat) {
  entry.member.is_alive = true;
  note_contact(entry);
  const auto now = std::chrono::system_clock::now();
  entry.member.clock.add(heartbeat, now, entry.member.last_contact);
  send(entry, wire::HeartbeatAck{envelope.sequence, 0, now});
  const std::string& name = entry.member.machine.name;
  if (const auto warning = entry.clock_warnings.look(name, entry.member.clock)) warn_(*warning);
}

void AgentRoster::handle(const RouterSocket::Received& received, const wire::Envelope& envelope,
                         const wire::Hello& hello) {
  if (const auto reason = reason_to_refuse_peer(claim_of(hello), received.user)) {
    return refuse(received, envelope, hello, *reason);
  }
  if (envelope.run != wire::no_run) {
    return answer(received.peer, envelope, wire::Shutdown{"that run is over"});
  }
  Entry& entry = entries_[hello.agent];
  const RosterMember& member = entry.member;
  if (member.is_alive && member.host != hello.host) {
    return refuse(
        received, envelope, hello,
        fmt::format("another machine, at {}, has registered under that name", member.address));
  }
  // An old one that was under way for long, unless it is of a machine whose clock was set back.
  const bool is_old = envelope.session == entry.session.number ||
                      (envelope.session < entry.session.number && member.is_alive);
  if (is_old && member.host == hello.host) return;
  sessions_.erase(entry.session.number);
  sessions_[envelope.session] = hello.agent;
  entry.session = {received.peer, envelope.session, envelope.sequence, 0};
  if (member.has_launcher != hello.has_launcher) {
    warn_(
        fmt::format("agent {} {}", hello.agent,
                    hello.has_launcher ? "is connected to its launcher again" : "has no launcher"));
  }
  fill(entry, hello);
  if (refusals_.erase(hello.agent) > 0) {
    warn_(fmt::format("agent {} is accepted, which was rejected before", hello.agent));
  }
  wire::Welcome welcome;
  welcome.heartbeat_period = roster_heartbeat_period;
  welcome.silence_max = roster_silence_max;
  welcome.orphan_grace = orphan_grace;
  welcome.sent = std::chrono::system_clock::now();
  send(entry, welcome);
}

void AgentRoster::fill(Entry& entry, const wire::Hello& hello) {
  RosterMember& member = entry.member;
  member.machine.name = hello.agent;
  member.machine.rack = hello.rack;
  member.machine.capacity = hello.capacity;
  member.machine.labels = hello.labels;
  member.machine.speed = hello.speed;
  if (hello.has_launcher) member.isolation = hello.isolation;
  member.has_launcher = hello.has_launcher;
  member.is_drained = drained_.contains(hello.agent);
  member.keeps_outputs = hello.keeps_outputs;
  member.address = hello.address;
  member.host = hello.host;
  member.software = hello.software;
  member.is_alive = true;
  note_contact(entry);
  member.clock = {};
  member.clock.add_stamp(hello.wall_clock, std::chrono::system_clock::now());
}

void AgentRoster::refuse(const RouterSocket::Received& received, const wire::Envelope& envelope,
                         const wire::Hello& hello, const std::string& reason) {
  ++agents_refused_;
  // By its key, as it may state any name.
  std::string& reported = refusals_[received.user.empty() ? hello.agent : received.user];
  if (reported != reason) warn_(fmt::format("agent {} was rejected: {}", hello.agent, reason));
  reported = reason;
  answer(received.peer, envelope,
         wire::Refuse{wire::protocol_version, hello.protocol_version, reason});
}

// Outside of a session of ours. One that is not delivered is asked for again.
void AgentRoster::answer(const PeerId& peer, const wire::Envelope& envelope, wire::Body body) {
  const wire::Message message{{envelope.run, roster_epoch, envelope.session, 1}, std::move(body)};
  static_cast<void>(socket_.send(peer, encoder_.encode(message)));
}

void AgentRoster::send(Entry& entry, wire::Body body) {
  Session& session = entry.session;
  const wire::Message message{{wire::no_run, roster_epoch, session.number, ++session.sent},
                              std::move(body)};
  static_cast<void>(socket_.send(session.peer, encoder_.encode(message)));
}

void AgentRoster::note_contact(Entry& entry) {
  entry.contact.note(listening_);
  entry.member.last_contact = entry.contact.at();
}

void AgentRoster::lose_silent() {
  for (auto& [name, entry] : entries_) {
    RosterMember& member = entry.member;
    if (!member.is_alive || !entry.contact.is_silent_for(roster_silence_max, listening_)) continue;
    member.is_alive = false;
    sessions_.erase(entry.session.number);
    warn_(
        fmt::format("agent {} is lost: no message for {} s", name,
                    std::chrono::duration_cast<std::chrono::seconds>(roster_silence_max).count()));
  }
}

}  // namespace tracebed
