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

// More than this between two looks is the coordinator's own lateness.
constexpr WallDuration roster_gap_max = std::chrono::milliseconds(500);

std::string_view what_it_lacks(const RosterMember& member, bool needs_outputs) {
  if (!member.is_alive) return "is lost";
  if (!member.has_launcher) return "has no launcher";
  if (member.is_drained) return "is drained";
  if (needs_outputs && !member.keeps_outputs) return "has no [shuffle] in its agent.toml";
  return "";
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
    found->second.contact.note_of_run(agent.contact_at);
    member.last_contact = agent.contact_at;
    member.isolation = agent.isolation;
    member.address = agent.address;
    member.host = agent.host;
    member.clock = agent.clock;
  }
  keys_refused_ = socket_.refused();
}

std::vector<Machine> AgentRoster::wait_for(const AgentsNeeded& needed,
                                           const std::function<void()>& check_interruption) const {
  const WallMoment deadline = std::chrono::steady_clock::now() + needed.timeout;
  for (;;) {
    std::vector<Machine> machines;
    std::vector<std::string> names;
    std::vector<std::string> others;
    for (const RosterMember& member : state().members) {
      const std::string_view lack = what_it_lacks(member, needed.keep_outputs);
      if (!lack.empty()) {
        others.push_back(fmt::format("agent {} {}", member.machine.name, lack));
        continue;
      }
      machines.push_back(member.machine);
      names.push_back(member.machine.name);
    }
    if (machines.size() >= needed.count) return machines;
    if (std::chrono::steady_clock::now() >= deadline) {
      throw EnvironmentError(fmt::format(
          "expected at least {} agents to register at {} within {:.1f} s; got {}: {}{}{}",
          needed.count, endpoint(), static_cast<double>(needed.timeout.count()) / 1e9, names.size(),
          fmt::join(names, ", "), others.empty() ? "" : "; ", fmt::join(others, ", ")));
    }
    check_interruption();
    std::this_thread::sleep_for(look_period);
  }
}

std::vector<std::string> AgentRoster::without_outputs() const {
  std::vector<std::string> names;
  for (const RosterMember& member : state().members) {
    const bool could_take_part = what_it_lacks(member, /*needs_outputs=*/false).empty();
    if (could_take_part && !member.keeps_outputs) names.push_back(member.machine.name);
  }
  return names;
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
    roster_.listening_ = ListeningClock(roster_gap_max);
    for (auto& [name, entry] : roster_.entries_) {
      entry.contact.begin_again(roster_.listening_);
      entry.member.containers = 0;
      entry.member.is_waiting = false;
    }
    roster_.datanodes_.take_back();
  }
  roster_.socket_.deliver_kept();
  roster_.start();
}

}  // namespace tracebed
