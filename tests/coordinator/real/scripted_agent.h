// The agent's side of the conversation with a RealFleet, said line by line by a test.
#pragma once

#include <gtest/gtest.h>
#include <optional>
#include <span>
#include <string>
#include <zmq.hpp>

#include "protocol/wire_codec.h"
#include "support/eventually.h"
#include "system/key_file.h"

namespace tracebed::test {

using namespace std::chrono_literals;

class ScriptedAgent {
 public:
  ScriptedAgent(const std::string& endpoint, std::string run, std::string name,
                Resources capacity = Resources(4'000, 4'096))
      : run_(std::move(run)), name_(std::move(name)), capacity_(capacity) {
    socket_.set(zmq::sockopt::linger, 0);
    socket_.set(zmq::sockopt::rcvtimeo, static_cast<int>(timeout / 1ms));
    socket_.connect(endpoint);
  }

  // With keys of its own, to a coordinator that has keys.
  ScriptedAgent(const std::string& endpoint, std::string run, std::string name,
                const LinkKeys& keys)
      : run_(std::move(run)), name_(std::move(name)), capacity_(4'000, 4'096) {
    socket_.set(zmq::sockopt::linger, 0);
    socket_.set(zmq::sockopt::rcvtimeo, static_cast<int>(timeout / 1ms));
    socket_.set(zmq::sockopt::curve_serverkey, keys.coordinator);
    socket_.set(zmq::sockopt::curve_publickey, keys.own.public_key);
    socket_.set(zmq::sockopt::curve_secretkey, keys.own.secret_key);
    socket_.connect(endpoint);
  }
  ScriptedAgent(const std::string& endpoint, std::string run, std::string name, const KeyPair& keys,
                const std::string& coordinator)
      : ScriptedAgent(endpoint, std::move(run), std::move(name), LinkKeys{keys, coordinator}) {}

  // What cannot be sent is lost: of one who is not let in, ZeroMQ would wait with it for ever.
  void never_wait() { socket_.set(zmq::sockopt::sndtimeo, 0); }
  // From now on of another run.
  void serve(const std::string& run) { run_ = run; }

  wire::Hello hello() const {
    wire::Hello hello;
    hello.agent = name_;
    hello.rack = "/default-rack";
    hello.capacity = capacity_;
    hello.isolation = wire::Isolation::cgroup_v2;
    hello.address = "127.0.1.1";
    hello.wall_clock = std::chrono::system_clock::now();
    return hello;
  }

  // Opens a session with a greater number than the last.
  void open_session(const wire::Body& hello) {
    ++session_;
    sequence_ = 0;
    epoch_ = 0;
    send(hello);
    epoch_ = known_epoch_;
  }
  // For what is sent in a session before its Welcome has come.
  void know_epoch(std::uint64_t epoch) { known_epoch_ = epoch; }
  void send_hello(const wire::Hello& hello) { open_session(hello); }
  void send_hello() { send_hello(hello()); }

  void send(const wire::Body& body) { send_as({run_, epoch_, session_, ++sequence_}, body); }
  void send_as(const wire::Envelope& envelope, const wire::Body& body) {
    send_bytes(encoder_.encode({envelope, body}));
  }
  void send_bytes(std::span<const std::byte> bytes) {
    socket_.send(zmq::buffer(bytes.data(), bytes.size()), zmq::send_flags::none);
  }
  void send_parts(const std::string& first, const std::string& second) {
    socket_.send(zmq::buffer(first), zmq::send_flags::sndmore);
    socket_.send(zmq::buffer(second), zmq::send_flags::none);
  }

  // The next message; checks its envelope.
  std::optional<wire::Body> next() {
    zmq::message_t bytes;
    if (!socket_.recv(bytes)) {
      ADD_FAILURE() << "no message came";
      return std::nullopt;
    }
    const auto message =
        wire::decode(std::as_bytes(std::span(static_cast<char*>(bytes.data()), bytes.size())));
    if (!message) {
      ADD_FAILURE() << message.error().message;
      return std::nullopt;
    }
    EXPECT_EQ(message->envelope.run, run_);
    EXPECT_EQ(message->envelope.session, session_);
    epoch_ = message->envelope.epoch;
    last_received_ = message->envelope;
    return message->body;
  }

  // The next message, which must be of this kind.
  template <class Kind>
  Kind expect() {
    const std::optional<wire::Body> body = next();
    if (!body) return {};
    const auto* kind = std::get_if<Kind>(&*body);
    if (kind == nullptr) {
      ADD_FAILURE() << "a message of another kind came: " << body->index();
      return {};
    }
    return *kind;
  }

  const wire::Envelope& last_received() const { return last_received_; }
  std::uint64_t session() const { return session_; }
  std::uint64_t epoch() const { return epoch_; }
  std::uint64_t sequence() const { return sequence_; }
  void start_sessions_at(std::uint64_t session) { session_ = session - 1; }

 private:
  zmq::context_t context_{1};
  zmq::socket_t socket_{context_, zmq::socket_type::dealer};
  wire::Encoder encoder_;
  std::string run_;
  std::string name_;
  Resources capacity_;
  std::uint64_t session_ = 100;
  std::uint64_t epoch_ = 0;
  std::uint64_t known_epoch_ = 0;
  std::uint64_t sequence_ = 0;
  wire::Envelope last_received_;
};

}  // namespace tracebed::test
