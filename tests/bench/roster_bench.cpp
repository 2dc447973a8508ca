// Ten thousand agents that stand, each with a connection of its own, heart-beating once a second
// against one coordinator's roster, with CurveZMQ keys and without, one after the other. The agents
// are emulated by one process, the roster is another: what it takes of a core is its CPU time.
//
//   roster_bench [AGENTS [SECONDS]]
//
// Prints from the first connection to the last registration, the roster's share of a core, and how
// long agents waited for the answer to a heartbeat, which counts what both processes and the
// machine's other work made of it.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fmt/format.h>
#include <memory>
#include <stdexcept>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>
#include <zmq.hpp>

#include "coordinator/real/agent_roster.h"
#include "protocol/wire_codec.h"
#include "system/descriptor_limit.h"
#include "system/file_descriptor.h"

namespace tracebed {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

std::string agent_name(std::size_t agent) {
  return fmt::format("lab{}", agent);
}

std::int64_t cpu_microseconds() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  const auto of = [](const timeval& time) { return time.tv_sec * 1'000'000 + time.tv_usec; };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

// What the roster's process tells when it is asked.
struct Standing {
  std::int64_t cpu_us = 0;
  std::uint64_t members = 0;
  std::uint64_t keys_refused = 0;
};

template <class Value>
void tell(const FileDescriptor& to, const Value& value) {
  if (write(to.number(), &value, sizeof(value)) != sizeof(value)) std::_Exit(1);
}

template <class Value>
Value hear(const FileDescriptor& from) {
  Value value;
  if (read(from.number(), &value, sizeof(value)) != sizeof(value)) {
    throw std::runtime_error("the roster's process is gone");
  }
  return value;
}

// The coordinator, in a process of its own until it is destroyed.
class RosterProcess {
 public:
  explicit RosterProcess(const std::optional<RouterKeys>& keys) {
    int ends[2] = {-1, -1};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
      throw std::runtime_error("no socket pair");
    }
    ours_.reset(ends[0]);
    FileDescriptor theirs(ends[1]);
    process_ = fork();
    if (process_ == 0) {
      ours_.reset();
      serve(theirs, keys);
    }
    theirs.reset();
    const auto port = hear<std::array<char, 64>>(ours_);
    endpoint_ = port.data();
  }
  ~RosterProcess() {
    ours_.reset();
    waitpid(process_, nullptr, 0);
  }
  RosterProcess(const RosterProcess&) = delete;
  RosterProcess& operator=(const RosterProcess&) = delete;

  const std::string& endpoint() const { return endpoint_; }
  Standing standing() const {
    tell(ours_, 'q');
    return hear<Standing>(ours_);
  }

 private:
  [[noreturn]] static void serve(const FileDescriptor& socket,
                                 const std::optional<RouterKeys>& keys) {
    AgentRoster roster("tcp://127.0.0.1:*", keys, [](const std::string&) {});
    std::array<char, 64> endpoint = {};
    roster.endpoint().copy(endpoint.data(), endpoint.size() - 1);
    tell(socket, endpoint);
    for (char question = 0; read(socket.number(), &question, 1) == 1;) {
      const AgentRoster::State state = roster.state();
      tell(socket, Standing{cpu_microseconds(), state.members.size(), state.keys_refused});
    }
    std::_Exit(0);
  }

  FileDescriptor ours_;
  pid_t process_ = -1;
  std::string endpoint_;
};

class EmulatedAgents {
 public:
  EmulatedAgents(const std::string& endpoint, std::size_t count, const std::vector<KeyPair>& keys,
                 const std::string& coordinator)
      : poll_(epoll_create1(EPOLL_CLOEXEC)) {
    context_.set(zmq::ctxopt::max_sockets, static_cast<int>(count) + 16);
    for (std::size_t i = 0; i < count; ++i) {
      zmq::socket_t socket(context_, zmq::socket_type::dealer);
      socket.set(zmq::sockopt::linger, 0);
      if (!keys.empty()) {
        socket.set(zmq::sockopt::curve_serverkey, coordinator);
        socket.set(zmq::sockopt::curve_publickey, keys[i].public_key);
        socket.set(zmq::sockopt::curve_secretkey, keys[i].secret_key);
      }
      socket.connect(endpoint);
      epoll_event event = {};
      event.events = EPOLLIN | EPOLLET;
      event.data.u64 = i;
      epoll_ctl(poll_.number(), EPOLL_CTL_ADD, socket.get(zmq::sockopt::fd), &event);
      agents_.push_back({std::move(socket)});
      wire::Hello hello;
      hello.agent = agent_name(i);
      hello.rack = "/r";
      hello.capacity = Resources(4'000, 4'096);
      hello.address = "127.0.0.1";
      hello.host = agent_name(i);
      hello.wall_clock = std::chrono::system_clock::now();
      send(i, std::move(hello));
    }
  }

  std::size_t welcome() const { return welcome_; }
  void clear() { waits_.clear(); }
  std::vector<double>& waits_milliseconds() { return waits_; }

  // Takes what comes until then.
  void turn_until(Clock::time_point until) {
    std::array<epoll_event, 256> events;
    for (Clock::time_point now = Clock::now(); now < until; now = Clock::now()) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - now);
      const int count = epoll_wait(poll_.number(), events.data(), static_cast<int>(events.size()),
                                   static_cast<int>(left.count()));
      for (int i = 0; i < count; ++i) receive(events[static_cast<std::size_t>(i)].data.u64);
    }
  }
  // Those that are registered, so that they stay so while the others come.
  void beat_once() {
    for (std::size_t i = 0; i < agents_.size(); ++i) {
      if (agents_[i].epoch != 0)
        send(i, wire::Heartbeat{.wall_clock = std::chrono::system_clock::now()});
    }
  }
  // Each agent once, at its own moment of the second.
  void beat_for_a_second() {
    const Clock::time_point begin = Clock::now();
    for (std::size_t i = 0; i < agents_.size(); ++i) {
      const auto due = begin + 1'000'000us * i / agents_.size();
      if (due > Clock::now() + 500us) turn_until(due);
      wire::Heartbeat heartbeat;
      heartbeat.wall_clock = std::chrono::system_clock::now();
      agents_[i].sent_at = Clock::now();
      send(i, std::move(heartbeat));
    }
    turn_until(begin + 1s);
  }

 private:
  struct Agent {
    zmq::socket_t socket;
    std::uint64_t epoch = 0;
    std::uint64_t sequence = 0;
    Clock::time_point sent_at{};
  };

  void send(std::size_t i, wire::Body body) {
    Agent& agent = agents_[i];
    const wire::Message message{{wire::no_run, agent.epoch, i + 1, ++agent.sequence},
                                std::move(body)};
    const auto bytes = encoder_.encode(message);
    static_cast<void>(
        agent.socket.send(zmq::buffer(bytes.data(), bytes.size()), zmq::send_flags::dontwait));
    receive(i);  // a send may take the sign that something came
  }
  void receive(std::size_t i) {
    Agent& agent = agents_[i];
    zmq::message_t bytes;
    while (agent.socket.recv(bytes, zmq::recv_flags::dontwait)) {
      const auto message =
          wire::decode(std::as_bytes(std::span(static_cast<char*>(bytes.data()), bytes.size())));
      if (!message) continue;
      agent.epoch = message->envelope.epoch;
      if (std::holds_alternative<wire::Welcome>(message->body)) ++welcome_;
      if (!std::holds_alternative<wire::HeartbeatAck>(message->body)) continue;
      waits_.push_back(
          std::chrono::duration<double, std::milli>(Clock::now() - agent.sent_at).count());
    }
  }

  FileDescriptor poll_;
  zmq::context_t context_{1};
  std::vector<Agent> agents_;
  wire::Encoder encoder_;
  std::size_t welcome_ = 0;
  std::vector<double> waits_;
};

double percentile(std::vector<double>& values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

bool measure(const char* name, std::size_t count, int seconds, bool with_keys) {
  std::vector<KeyPair> keys;
  std::optional<RouterKeys> router;
  if (with_keys) {
    router.emplace(RouterKeys{make_key_pair(), {}});
    for (std::size_t i = 0; i < count; ++i) {
      keys.push_back(make_key_pair());
      router->agents[keys.back().public_key] = agent_name(i);
    }
  }
  const RosterProcess roster(router);
  const Clock::time_point begin = Clock::now();
  const std::int64_t cpu_of_agents_before = cpu_microseconds();
  EmulatedAgents agents(roster.endpoint(), count, keys, with_keys ? router->own.public_key : "");
  constexpr auto patience = 300s;
  for (auto next = begin + 2s; agents.welcome() < count && Clock::now() < begin + patience;) {
    agents.turn_until(Clock::now() + 10ms);
    if (Clock::now() < next) continue;
    agents.beat_once();
    next = Clock::now() + 2s;
  }
  const double registered = std::chrono::duration<double>(Clock::now() - begin).count();
  const Standing before = roster.standing();
  agents.beat_for_a_second();  // the first beats meet what registering left to do
  agents.clear();
  const Standing from = roster.standing();
  const Clock::time_point beats_from = Clock::now();
  for (int i = 0; i < seconds; ++i) agents.beat_for_a_second();
  agents.turn_until(Clock::now() + 200ms);
  const double elapsed = std::chrono::duration<double>(Clock::now() - beats_from).count();
  const Standing to = roster.standing();
  std::vector<double>& waits = agents.waits_milliseconds();
  const double p50 = percentile(waits, 0.5);
  const double p99 = percentile(waits, 0.99);
  fmt::print(
      "{:<14} {} registered after {:.2f} s ({:.2f} s of the roster's CPU time, {:.2f} s of the "
      "agents' until now)\n{:<14} {} beats answered in {:.1f} s; roster {:.1f} % of a core; reply "
      "p50 {:.2f} ms, p99 {:.2f} ms\n",
      name, before.members, registered, static_cast<double>(before.cpu_us) / 1e6,
      static_cast<double>(cpu_microseconds() - cpu_of_agents_before) / 1e6, "", waits.size(),
      elapsed, static_cast<double>(to.cpu_us - from.cpu_us) / 1e4 / elapsed, p50, p99);
  return before.members == count && !waits.empty();
}

}  // namespace
}  // namespace tracebed

int main(int count, char** words) {
  try {
    const auto agents =
        static_cast<std::size_t>(std::max(count > 1 ? std::atoi(words[1]) : 10'000, 1));
    const int seconds = std::max(count > 2 ? std::atoi(words[2]) : 10, 1);
    // A ZeroMQ socket takes a descriptor for its connection and one for its mailbox.
    tracebed::raise_descriptor_limit(2 * agents + 256, "so many emulated agents");
    const bool is_plain_well = tracebed::measure("without keys", agents, seconds, false);
    const bool is_curve_well = tracebed::measure("with keys", agents, seconds, true);
    return is_plain_well && is_curve_well ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "roster_bench: %s\n", error.what());
    return 1;
  }
}
