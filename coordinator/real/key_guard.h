// Admits only connections whose keys are known: answers ZeroMQ's requests about the key that a peer
// has proved to own (ZAP, rfc.zeromq.org/spec/27) for all sockets of one context.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <zmq.hpp>

#include "system/key_file.h"

namespace tracebed {

KeyPair make_key_pair();

class KeyGuard {
 public:
  // To be made before a socket of the context is bound. A known peer's messages carry its public
  // key as "User-Id".
  KeyGuard(zmq::context_t& context, KnownKeys agents);

  // Readable when a request may have arrived.
  int number() const { return questions_.get(zmq::sockopt::fd); }
  // Answers all pending requests; connections wait for that.
  void answer();

  // Replaces the set of agents from now on. Existing connections are not cut, but name_of() does
  // not know them any more.
  void know(KnownKeys agents) { agents_ = std::move(agents); }
  // Admits one more peer, and removes it; likewise.
  void admit(const std::string& public_key, const std::string& name) { guests_[public_key] = name; }
  void forget(const std::string& public_key) { guests_.erase(public_key); }
  // The owner of the key; null if it is unknown.
  const std::string* name_of(std::string_view public_key) const;

  std::uint64_t refused() const { return refused_; }
  // The peer that was refused last, and its address.
  const std::string& last_refused() const { return last_refused_; }
  // The addresses at which peers were refused since the last call, each once. ZeroMQ keeps their
  // connections until the handshake's timeout.
  std::set<std::string> take_refused() { return std::exchange(refused_addresses_, {}); }

 private:
  void answer_one(zmq::message_t& version);

  zmq::socket_t questions_;
  KnownKeys agents_;
  KnownKeys guests_;
  std::uint64_t refused_ = 0;
  std::string last_refused_;
  std::set<std::string> refused_addresses_;
};

}  // namespace tracebed
