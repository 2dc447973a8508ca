#include "coordinator/real/agent_roster.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

#include "coordinator/real/drained_file.h"
#include "coordinator/real/roster_intervals.h"
#include "core/check.h"
#include "core/input_error.h"
#include "core/visit.h"

namespace tracebed {
namespace {

constexpr WallDuration look_period = std::chrono::milliseconds(100);
constexpr WallDuration orphan_grace = std::chrono::seconds(60);
// More than this between two looks is the coordinator's own lateness.
constexpr WallDuration roster_gap_max = std::chrono::milliseconds(500);

std::string_view what_it_lacks(const RosterMember& member) {
  if (!member.is_alive) return "is lost";
  if (!member.has_launcher) return "has no launcher";
  return member.is_drained ? "is drained" : "";
}

}  // namespace

std::string_view name(wire::Isolation isolation) {
  switch (isolation) {
    case wire::Isolation::none:
      return "none";
    case wire::Isolation::cgroup_v1:
      return "cgroup-v1";
    case wire::Isolation::cgroup_v2:
      return "cgroup-v2";
  }
  TRACEBED_CHECK(false, "an isolation is one of those known");
}

std::string master_user_of(std::uint64_t session) {
  return fmt::format("{} {}", master_user, session);
}

std::optional<std::string> reason_to_refuse_peer(const PeerClaim& claim, const std::string& user) {
  if (claim.protocol_version != wire::protocol_version) {
    return fmt::format(
        "it runs Tracebed {} with protocol version {}, the coordinator {} with version {}",
        claim.software, claim.protocol_version, TRACEBED_VERSION, wire::protocol_version);
  }
  if (user == unknown_user) return "its key is no longer known";
  if (user.starts_with(master_user)) return "its key is that of a master, not of an agent";
  if (!user.empty() && user != claim.agent) {
    return fmt::format("its name is {}, but its key is that of {}", claim.agent, user);
  }
  return std::nullopt;
}

AgentRoster::AgentRoster(const std::string& endpoint, std::optional<RouterKeys> keys, Warn warn)
    : warn_(std::move(warn)),
      socket_(endpoint, std::move(keys)),
      listening_(roster_gap_max),
      datanodes_(socket_, listening_, warn_) {
  start();
}

AgentRoster::~AgentRoster() {
  stop();
}

AgentRoster::State AgentRoster::state() const {
  const std::lock_guard lock(mutex_);
  State state;
  for (const auto& [name, entry] : entries_) state.members.push_back(entry.member);
  state.datanodes = datanodes_.members();
  state.is_lent = is_lent_;
  state.agents_refused = agents_refused_;
  state.keys_refused = keys_refused_;
  state.connections = socket_.connections();
  return state;
}

void AgentRoster::know(KnownKeys agents) {
  const std::lock_guard lock(mutex_);
  TRACEBED_CHECK(socket_.has_keys(), "keys are changed where there are keys");
  new_keys_ = std::move(agents);
}

void AgentRoster::take_new_keys() {
  if (!new_keys_) return;
  known_names_.emplace();
  for (const auto& [key, name] : *new_keys_) known_names_->insert(name);
  socket_.know(*std::exchange(new_keys_, std::nullopt));
  if (!is_lent_) forget_strangers();
}

// Whoever has no key any more is no agent of this cluster; a run that has lost it reports that
// until it ends.
void AgentRoster::forget_strangers() {
  if (!known_names_) return;
  std::erase_if(entries_, [&](const auto& entry) {
    if (known_names_->contains(entry.first)) return false;
    sessions_.erase(entry.second.session.number);
    return true;
  });
  datanodes_.keep_only(*known_names_);
}

void AgentRoster::keep_drained_in(const std::filesystem::path& file) {
  std::set<std::string> drained = read_drained(file);
  const std::lock_guard lock(mutex_);
  drained_ = std::move(drained);
  drained_file_ = file;
  for (auto& [name, entry] : entries_) entry.member.is_drained = drained_.contains(name);
}

bool AgentRoster::set_drained(const std::string& agent, bool is_drained) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(agent);
  if (found == entries_.end() && !drained_.contains(agent)) return false;
  std::set<std::string> drained = drained_;
  if (is_drained) {
    drained.insert(agent);
  } else {
    drained.erase(agent);
  }
  if (drained != drained_ && !drained_file_.empty()) write_drained(drained_file_, drained);
  drained_ = std::move(drained);
  if (found != entries_.end()) found->second.member.is_drained = is_drained;
  return true;
}

bool AgentRoster::is_drained(const std::string& agent) const {
  const std::lock_guard lock(mutex_);
  return drained_.contains(agent);
}

void AgentRoster::note_hello(const wire::Hello& hello) {
  const std::lock_guard lock(mutex_);
  Entry& entry = entries_[hello.agent];
  fill(entry, hello);
  entry.member.is_waiting = true;
}

void AgentRoster::note_hello(const wire::DatanodeHello& hello) {
  const std::lock_guard lock(mutex_);
  datanodes_.note_hello(hello);
}

void AgentRoster::note_datanodes(const std::vector<DatanodeRecord>& datanodes) {
  const std::lock_guard lock(mutex_);
  listening_.look();  // its own thread stands still meanwhile
  datanodes_.note(datanodes);
}

void AgentRoster::note(std::span<const AgentRecord> agents) {
  const std::lock_guard lock(mutex_);
  TRACEBED_CHECK(is_lent_, "only the run that has the socket knows more than the roster");
  take_new_keys();
  const WallMoment now = std::chrono::steady_clock::now();
  for (auto& [name, entry] : entries_) {
    RosterMember& member = entry.member;
    if (member.is_waiting && now >= member.last_contact + bystander_silence_max) {
      member.is_alive = member.is_waiting = false;
    }
  }
  for (const AgentRecord& agent : agents) {
    const auto found = entries_.find(agent.machine.name);
    if (found == entries_.end()) continue;
    RosterMember& member = found->second.member;
    const bool has_contact = now < agent.contact_at + bystander_silence_max;
    member.is_alive = agent.is_connected || (!agent.has_launcher && has_contact);
    member.has_launcher = agent.has_launcher;
    member.containers = agent.containers.size();
    member.is_waiting = member.is_waiting && !agent.is_connected && agent.has_launcher;
    if (!agent.is_connected) continue;
    member.last_contact = agent.contact_at;
    member.isolation = agent.isolation;
    member.address = agent.address;
    member.host = agent.host;
    member.clock = agent.clock;
  }
  keys_refused_ = socket_.refused();
}

std::vector<Machine> AgentRoster::wait_for(std::size_t count, WallDuration timeout,
                                           const std::function<void()>& check_interruption) const {
  const WallMoment deadline = std::chrono::steady_clock::now() + timeout;
  for (;;) {
    std::vector<Machine> machines;
    std::vector<std::string> names;
    std::vector<std::string> others;
    for (const RosterMember& member : state().members) {
      const std::string_view lack = what_it_lacks(member);
      if (!lack.empty()) {
        others.push_back(fmt::format("agent {} {}", member.machine.name, lack));
        continue;
      }
      machines.push_back(member.machine);
      names.push_back(member.machine.name);
    }
    if (machines.size() >= count) return machines;
    if (std::chrono::steady_clock::now() >= deadline) {
      throw EnvironmentError(fmt::format(
          "expected at least {} agents to register at {} within {:.1f} s; got {}: {}{}{}", count,
          endpoint(), static_cast<double>(timeout.count()) / 1e9, names.size(),
          fmt::join(names, ", "), others.empty() ? "" : "; ", fmt::join(others, ", ")));
    }
    check_interruption();
    std::this_thread::sleep_for(look_period);
  }
}

AgentRoster::Loan::Loan(AgentRoster& roster) : roster_(roster) {
  roster_.stop();
  const std::lock_guard lock(roster_.mutex_);
  TRACEBED_CHECK(!roster_.is_lent_, "a roster's socket is lent once at a time");
  roster_.is_lent_ = true;
  for (auto& [name, entry] : roster_.entries_) {
    if (entry.member.is_alive) roster_.send(entry, wire::Shutdown{"a run begins"});
  }
  roster_.datanodes_.lend();
  roster_.socket_.deliver_kept();
}

AgentRoster::Loan::~Loan() {
  {
    const std::lock_guard lock(roster_.mutex_);
    roster_.is_lent_ = false;
    roster_.forget_strangers();
    // Whoever does not say Hello before long was lost in the run.
    roster_.listening_ = ListeningClock(roster_gap_max);
    for (auto& [name, entry] : roster_.entries_) {
      roster_.note_contact(entry);
      entry.member.containers = 0;
      entry.member.is_waiting = false;
    }
    roster_.datanodes_.take_back();
  }
  roster_.socket_.deliver_kept();
  roster_.start();
}

// ---- the thread ----

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
      [&](const OneOf<wire::Heartbeat, wire::LogLines, wire::Goodbye> auto&) {
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
  const auto warning = clock_warning(entry.member.machine.name, entry.member.clock);
  if (warning && !entry.is_clock_reported) warn_(*warning);
  entry.is_clock_reported = warning.has_value();
}

void AgentRoster::handle(const RouterSocket::Received& received, const wire::Envelope& envelope,
                         const wire::Hello& hello) {
  if (const auto reason = reason_to_refuse_peer(claim_of(hello), received.user)) {
    return refuse(received.peer, envelope, hello, *reason);
  }
  if (envelope.run != wire::no_run) {
    return answer(received.peer, envelope, wire::Shutdown{"that run is over"});
  }
  Entry& entry = entries_[hello.agent];
  const RosterMember& member = entry.member;
  if (member.is_alive && member.host != hello.host) {
    return refuse(
        received.peer, envelope, hello,
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
  entry.contact_at = listening_.now();
  refusals_.erase(hello.agent);
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
  member.address = hello.address;
  member.host = hello.host;
  member.software = hello.software;
  member.is_alive = true;
  member.last_contact = std::chrono::steady_clock::now();
  member.clock = {};
  member.clock.add_stamp(hello.wall_clock, std::chrono::system_clock::now());
}

void AgentRoster::refuse(const PeerId& peer, const wire::Envelope& envelope,
                         const wire::Hello& hello, const std::string& reason) {
  ++agents_refused_;
  std::string& reported = refusals_[hello.agent];
  if (reported != reason) warn_(fmt::format("agent {} was rejected: {}", hello.agent, reason));
  reported = reason;
  answer(peer, envelope, wire::Refuse{wire::protocol_version, hello.protocol_version, reason});
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
  entry.contact_at = listening_.now();
  entry.member.last_contact = std::chrono::steady_clock::now();
}

void AgentRoster::lose_silent() {
  const WallMoment now = listening_.now();
  for (auto& [name, entry] : entries_) {
    RosterMember& member = entry.member;
    if (!member.is_alive || now < entry.contact_at + roster_silence_max) continue;
    member.is_alive = false;
    sessions_.erase(entry.session.number);
    warn_(
        fmt::format("agent {} is lost: no message for {} s", name,
                    std::chrono::duration_cast<std::chrono::seconds>(roster_silence_max).count()));
  }
}

}  // namespace tracebed
