// Agents that register with a roster and beat, each with a ZeroMQ socket of its own, in one thread.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <sys/epoll.h>
#include <vector>
#include <zmq.hpp>

#include "coordinator/real/agent_roster.h"
#include "protocol/wire_codec.h"
#include "system/file_descriptor.h"

namespace tracebed::bench {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

inline std::string agent_name(std::size_t agent) {
  return fmt::format("lab{}", agent);
}

class EmulatedAgents {
 public:
  // Those named `first` and following.
  EmulatedAgents(const std::string& endpoint, std::size_t first, std::size_t count,
                 const std::vector<KeyPair>& keys, const std::string& coordinator)
      : poll_(epoll_create1(EPOLL_CLOEXEC)) {
    context_.set(zmq::ctxopt::max_sockets, static_cast<int>(count) + 16);
    for (std::size_t i = 0; i < count; ++i) {
      zmq::socket_t socket(context_, zmq::socket_type::dealer);
      socket.set(zmq::sockopt::linger, 0);
      if (!keys.empty()) {
        socket.set(zmq::sockopt::curve_serverkey, coordinator);
        socket.set(zmq::sockopt::curve_publickey, keys[first + i].public_key);
        socket.set(zmq::sockopt::curve_secretkey, keys[first + i].secret_key);
      }
      socket.connect(endpoint);
      epoll_event event = {};
      event.events = EPOLLIN | EPOLLET;
      event.data.u64 = i;
      epoll_ctl(poll_.number(), EPOLL_CTL_ADD, socket.get(zmq::sockopt::fd), &event);
      agents_.push_back({std::move(socket)});
      wire::Hello hello;
      hello.agent = agent_name(first + i);
      hello.rack = "/r";
      hello.capacity = Resources(4'000, 4'096);
      hello.address = "127.0.0.1";
      hello.host = agent_name(first + i);
      hello.wall_clock = std::chrono::system_clock::now();
      send(i, std::move(hello));
    }
  }

  std::size_t welcome() const { return welcome_; }
  bool are_all_welcome() const { return welcome_ == agents_.size(); }
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

}  // namespace tracebed::bench
