#include "coordinator/real/real_fleet.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/check.h"
#include "core/input_error.h"

namespace tracebed {

namespace {

constexpr WallDuration fleet_look_period = std::chrono::milliseconds(100);
// What comes between two looks at the socket is our own lateness.
constexpr WallDuration listening_gap_max = std::chrono::milliseconds(500);
// Those that were notified of the run come at once, or ask again after a second, two, four or
// eight.
constexpr WallDuration stragglers_timeout = std::chrono::seconds(10);
constexpr WallDuration pause_worth_telling = std::chrono::seconds(1);
// After a pause, what came meanwhile is still on its way through ZeroMQ's thread.
constexpr WallDuration pause_settling = std::chrono::milliseconds(500);

}  // namespace

RealFleet::Link RealFleet::link_for_one_run(const std::string& endpoint,
                                            const std::vector<Machine>& machines) {
  RunKeys keys = make_run_keys(machines);
  auto own = std::make_unique<RouterSocket>(endpoint, std::move(keys.coordinator));
  RouterSocket& socket = *own;
  return {AgentLifetime::one_run, std::move(own), socket, std::move(keys.links)};
}

RealFleet::RealFleet(RealFleetOptions options, std::vector<Machine> machines, Warn warn)
    : RealFleet(options, machines, std::move(warn), link_for_one_run(options.endpoint, machines)) {}

RealFleet::RealFleet(RealFleetOptions options, std::vector<Machine> machines, Warn warn,
                     RouterSocket& socket)
    : RealFleet(std::move(options), std::move(machines), std::move(warn),
                Link{AgentLifetime::long_running, nullptr, socket, {}}) {}

RealFleet::RealFleet(RealFleetOptions options, std::vector<Machine> machines, Warn warn, Link link)
    : options_(std::move(options)),
      warn_(std::move(warn)),
      clock_(options_.time_scale),
      agent_lifetime_(link.lifetime),
      own_socket_(std::move(link.own)),
      socket_(link.socket),
      refused_before_(socket_.refused()),
      links_(std::move(link.keys)),
      orders_(machines.size()),
      listening_(std::min(listening_gap_max, options_.silence_max / 4)) {
  TRACEBED_CHECK(options_.heartbeat_period > Duration::zero(), "heartbeats have a period");
  TRACEBED_CHECK(options_.silence_max > WallDuration::zero(), "silence is bounded");
  for (Machine& machine : machines) {
    const NodeId node(agents_.size());
    const bool is_new = nodes_by_name_.emplace(machine.name, node).second;
    TRACEBED_CHECK(is_new, "machines have names of their own");
    agents_.emplace_back().machine = std::move(machine);
  }
  const std::string warning =
      short_interval_warning("the heartbeat period", options_.heartbeat_period, clock_);
  if (!warning.empty()) warn_(warning);
  if (options_.storage) make_datanodes();
}

RealFleet::~RealFleet() {
  // The socket may outlive this: whoever has a key of this run's has none any more.
  while (!masters_.empty()) forget_master(masters_.begin()->first);
}

// "lab3 (has no launcher), lab4".
std::string RealFleet::missing_agents() const {
  std::vector<std::string> missing;
  for (const AgentRecord& agent : agents_) {
    if (agent.is_connected) continue;
    missing.push_back(agent.machine.name + (agent.has_launcher ? "" : " (has no launcher)"));
  }
  return fmt::format("{}", fmt::join(missing, ", "));
}

void RealFleet::wait_for_agents(WallDuration timeout, const std::function<void()>& look,
                                std::size_t needed) {
  const WallMoment begin = std::chrono::steady_clock::now();
  const WallMoment deadline = begin + timeout;
  const auto is_missing = [](const AgentRecord& agent) { return !agent.is_connected; };
  while (std::any_of(agents_.begin(), agents_.end(), is_missing)) {
    const WallMoment now = std::chrono::steady_clock::now();
    if (refusal_) throw EnvironmentError(*refusal_);
    const auto there = static_cast<std::size_t>(
        std::count_if(agents_.begin(), agents_.end(), std::not_fn(is_missing)));
    if (there >= needed && now >= std::min(deadline, begin + stragglers_timeout)) {
      return warn_(fmt::format("the run begins with {} of {} agents; missing: {}", there,
                               agents_.size(), missing_agents()));
    }
    if (now >= deadline) {
      throw EnvironmentError(
          fmt::format("expected {} agents to register at {} within {:.1f} s; missing: {}",
                      std::min(needed, agents_.size()), endpoint(),
                      static_cast<double>(timeout.count()) / 1e9, missing_agents()));
    }
    look();
    socket_.wait_until(std::min(deadline, now + fleet_look_period));
    listen(nullptr);
    lose_silent_agents(nullptr);
    send_acknowledgements();
  }
}

void RealFleet::begin(Round& round) {
  has_begun_ = true;
  if (!datanodes_) clock_.start();
  for (std::size_t i = 0; i < agents_.size(); ++i) {
    if (!agents_[i].is_connected) continue;
    agents_[i].has_joined = true;
    round.machines.push_back(agents_[i].machine);
    round.arrivals.push_back(
        NodeJoined{NodeId(i), static_cast<std::uint32_t>(round.machines.size() - 1)});
    if (datanodes_) datanodes_->admit(NodeId(i));
  }
}

void RealFleet::wait_until(TraceTime deadline, Round& round) {
  if (!has_begun_) {
    begin(round);
    take_other_arrivals(round);
    round.now = now_;
    if (!round.arrivals.empty()) return;
  }
  // Until begin_jobs() time stands still.
  if (!clock_.is_started()) {
    if (deadline > now_) wait_for_messages(std::chrono::steady_clock::now() + fleet_look_period);
    listen(&round);
    lose_dead_agents(&round);
    lose_silent_agents(&round);
    take_other_arrivals(round);
    round.now = now_;
    return;
  }
  lose_those_lost_at_the_start(round);
  for (const ContainerEnded& ended : std::exchange(refused_, {})) round.arrivals.push_back(ended);
  const WallMoment deadline_moment =
      round.arrivals.empty() ? clock_.moment_of(deadline) : std::chrono::steady_clock::now();
  for (;;) {
    const auto next_listening = std::chrono::steady_clock::now() + listening_.look_max() / 2;
    const auto woken_by = wait_for_messages(std::min(
        {deadline_moment, listening_.to_monotonic(next_silence_), next_look_, next_listening}));
    listen(&round);
    lose_dead_agents(&round);
    lose_silent_agents(&round);
    take_other_arrivals(round);
    round.now = advance_clock();
    const bool is_due = deadline != never && round.now >= deadline;
    if (!round.arrivals.empty() || is_due || woken_by == RouterSocket::Wait::signal) return;
  }
}

// While no round was in progress.
void RealFleet::lose_those_lost_at_the_start(Round& round) {
  if (std::exchange(has_reported_early_losses_, true)) return;
  for (std::size_t i = 0; i < agents_.size(); ++i) {
    if (agents_[i].has_joined && !agents_[i].is_connected) lose(NodeId(i), &round);
  }
}

void RealFleet::listen(Round* round) {
  const WallDuration late = listening_.look();
  receive_all(round);
  if (late < pause_worth_telling) return;
  warn_(
      fmt::format("the coordinator read no messages for {:.1f} s (it was paused, or waited for "
                  "Redis or a disk), "
                  "which does not count as silence of the agents",
                  static_cast<double>(late.count()) / 1e9));
  // Calls of masters, too, are read before the time that passed is held against them.
  const WallMoment settled = std::chrono::steady_clock::now() + pause_settling;
  while (std::chrono::steady_clock::now() < settled) {
    socket_.wait_until(std::min(settled, std::chrono::steady_clock::now() + fleet_look_period));
    receive_all(round);
  }
  listening_.look();
}

void RealFleet::watch(FindDeaths find_deaths) {
  find_deaths_ = std::move(find_deaths);
  next_look_ = std::chrono::steady_clock::now();
}

// Such an agent's last messages are taken before: they may be its goodbye.
void RealFleet::lose_dead_agents(Round* round) {
  const WallMoment now = std::chrono::steady_clock::now();
  if (now < next_look_) return;
  next_look_ = now + fleet_look_period;
  std::string how;
  for (const AgentDeath& death : find_deaths_()) {
    AgentRecord& agent = agents_[death.node.index()];
    agent.is_gone = !death.comes_back;
    how = fmt::format("agent {} {}", agent.machine.name, death.how);
    if (!agent.is_connected) continue;
    if (round != nullptr) warn_(how + "; its tasks are retried elsewhere");
    lose(death.node, round);
  }
  const bool is_one_left = std::any_of(agents_.begin(), agents_.end(),
                                       [](const AgentRecord& agent) { return !agent.is_gone; });
  if (round != nullptr && !how.empty() && !is_one_left) {
    throw EnvironmentError("no agent is left: the last, " + how);
  }
}

bool RealFleet::wait_for_goodbyes(WallDuration timeout) {
  const WallMoment deadline = std::chrono::steady_clock::now() + timeout;
  const auto is_connected = [](const AgentRecord& agent) { return agent.is_connected; };
  while (std::any_of(agents_.begin(), agents_.end(), is_connected) ||
         (datanodes_ && !datanodes_->have_left())) {
    if (std::chrono::steady_clock::now() >= deadline) return false;
    socket_.wait_until(std::min(deadline, next_look_));
    listen(nullptr);
    lose_dead_agents(nullptr);
  }
  return true;
}

void RealFleet::announce_end(const std::string& reason) {
  is_over_ = true;
  for (std::size_t i = 0; i < agents_.size(); ++i) {
    if (agents_[i].is_connected) send(NodeId(i), wire::Shutdown{reason});
  }
  if (datanodes_) datanodes_->announce_end(reason);
}

wire::Isolation RealFleet::isolation() const {
  wire::Isolation weakest = wire::Isolation::cgroup_v2;
  for (const AgentRecord& agent : agents_) weakest = std::min(weakest, agent.isolation);
  return weakest;
}

TraceTime RealFleet::advance_clock() {
  now_ = std::max(now_, clock_.now());
  return now_;
}

}  // namespace tracebed
