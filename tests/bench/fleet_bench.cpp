// What the coordinator's side of the real world costs: many agents that heartbeat once a second,
// simulated by one thread over a few connections, and submissions that are due at random moments.
// Every round is logged to a file before it is answered.
//
//   fleet_bench [AGENTS [SECONDS]]
//
// Prints how late submissions were, how long agents waited for the answer to a heartbeat, and how
// much of a core the coordinator's thread took.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fmt/format.h>
#include <iterator>
#include <span>
#include <thread>
#include <time.h>
#include <vector>
#include <zmq.hpp>

#include "coordinator/real/real_fleet.h"
#include "core/random.h"
#include "protocol/log_file.h"
#include "protocol/wire_codec.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr double submissions_per_second = 200;
constexpr std::uint64_t epoch = 1;
constexpr const char* run = "bench";

double percentile(std::vector<double>& values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

std::string agent_name(std::size_t agent) {
  return fmt::format("node-{}", agent);
}

// All agents: the n-th has the session n + 1, so an answer tells whose heartbeat it belongs to.
class SimulatedAgents {
 public:
  SimulatedAgents(std::string endpoint, std::size_t agents) : sent_at_(agents), sequences_(agents) {
    socket_.set(zmq::sockopt::linger, 0);
    socket_.set(zmq::sockopt::sndhwm, 0);
    socket_.set(zmq::sockopt::rcvhwm, 0);
    socket_.connect(endpoint);
    for (std::size_t i = 0; i < agents; ++i) {
      wire::Hello hello;
      hello.agent = agent_name(i);
      hello.address = "127.0.1.1";
      hello.wall_clock = std::chrono::system_clock::now();
      send(i, 0, hello);
    }
  }

  // Heartbeats at even distances until told to stop.
  void run_until(const std::atomic<bool>& is_over) {
    const auto begin = Clock::now();
    const auto distance = 1'000'000'000ns / std::ssize(sent_at_);
    for (std::int64_t beat = 0; !is_over; ++beat) {
      const auto due = begin + distance * beat;
      do {
        zmq::pollitem_t item{socket_.handle(), 0, ZMQ_POLLIN, 0};
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(due - Clock::now());
        zmq::poll(&item, 1, std::max(left, 0ms));
        receive();
      } while (Clock::now() < due);
      const auto agent = static_cast<std::size_t>(beat) % sent_at_.size();
      wire::Heartbeat heartbeat;
      heartbeat.wall_clock = std::chrono::system_clock::now();
      sent_at_[agent] = Clock::now();
      send(agent, epoch, heartbeat);
    }
  }

  std::vector<double>& answers() { return answers_; }

 private:
  void send(std::size_t agent, std::uint64_t of_epoch, wire::Body body) {
    const wire::Envelope envelope{run, of_epoch, agent + 1, ++sequences_[agent]};
    const auto bytes = encoder_.encode({envelope, std::move(body)});
    socket_.send(zmq::buffer(bytes.data(), bytes.size()), zmq::send_flags::none);
  }
  void receive() {
    zmq::message_t bytes;
    while (socket_.recv(bytes, zmq::recv_flags::dontwait)) {
      const auto message =
          wire::decode(std::as_bytes(std::span(static_cast<char*>(bytes.data()), bytes.size())));
      if (!message || !std::holds_alternative<wire::HeartbeatAck>(message->body)) continue;
      const auto waited = Clock::now() - sent_at_[message->envelope.session - 1];
      answers_.push_back(std::chrono::duration<double, std::milli>(waited).count());
    }
  }

  zmq::context_t context_{1};
  zmq::socket_t socket_{context_, zmq::socket_type::dealer};
  wire::Encoder encoder_;
  std::vector<Clock::time_point> sent_at_;
  std::vector<std::uint64_t> sequences_;
  std::vector<double> answers_;
};

double thread_cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

void measure(std::size_t agent_count, int seconds_of_wall) {
  const TemporaryFolder folder;
  const Names names;
  LogFileWriter log(folder.file("rounds.log"), run, names, LogDurability::written);
  std::vector<Machine> machines(agent_count);
  for (std::size_t i = 0; i < agent_count; ++i) machines[i].name = agent_name(i);
  // One connection for all agents, so without keys, which are one agent's each.
  RouterSocket socket("ipc://" + folder.file("agents"));
  RealFleet fleet(
      {.run = run, .epoch = epoch}, machines,
      [](const std::string& warning) { fmt::print("{}\n", warning); }, socket);
  SimulatedAgents agents(fleet.endpoint(), agent_count);
  fleet.wait_for_agents(60s, [] {});
  Round round;
  fleet.wait_until(never, round);

  std::atomic<bool> is_over = false;
  std::thread speaker([&] { agents.run_until(is_over); });
  Random random(1);
  const auto next_gap = [&] {
    return microseconds(
        static_cast<std::int64_t>(random.exponential(1e6 / submissions_per_second)));
  };
  std::vector<double> lateness;
  std::uint64_t rounds = 0;
  const double cpu_before = thread_cpu_seconds();
  const auto begin = Clock::now();
  TraceTime due = round.now + next_gap();
  while (Clock::now() < begin + std::chrono::seconds(seconds_of_wall)) {
    round.clear();
    fleet.wait_until(due, round);
    for (; due <= round.now; due += next_gap()) {
      lateness.push_back(static_cast<double>((round.now - due).count()) / 1e3);
    }
    log.append(round);
    log.commit();
    fleet.execute({}, {});
    ++rounds;
  }
  const double cpu = thread_cpu_seconds() - cpu_before;
  is_over = true;
  speaker.join();
  fmt::print("{} agents, {} s: {} rounds, {} messages, {} submissions\n", agent_count,
             seconds_of_wall, rounds, fleet.counters().messages, lateness.size());
  fmt::print("  lateness of submissions   p50 {:.3f} ms  p99 {:.3f} ms\n",
             percentile(lateness, 0.5), percentile(lateness, 0.99));
  fmt::print("  answer to a heartbeat     p50 {:.3f} ms  p99 {:.3f} ms\n",
             percentile(agents.answers(), 0.5), percentile(agents.answers(), 0.99));
  fmt::print("  coordinator's thread      {:.1f} % of a core\n", 100 * cpu / seconds_of_wall);
}

}  // namespace
}  // namespace tracebed

int main(int count, char** words) {
  const auto number = [&](int index, long otherwise) {
    return count > index ? std::strtol(words[index], nullptr, 10) : otherwise;
  };
  tracebed::measure(static_cast<std::size_t>(number(1, 10'000)), static_cast<int>(number(2, 5)));
}
