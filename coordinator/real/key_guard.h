// Lets only those connect whose keys are known: answers ZeroMQ's questions about the key that a
// peer has proved to own (ZAP, rfc.zeromq.org/spec/27) for all sockets of one context.
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
  // Before a socket of the context is bound. A known peer's messages carry its public key as
  // "User-Id".
  KeyGuard(zmq::context_t& context, KnownKeys agents);

  // Readable when a question may be there.
  int number() const { return questions_.get(zmq::sockopt::fd); }
  // Answers all that are there; nobody connects meanwhile.
  void answer();

  // Another set of agents from now on. Connections that stand are not cut, but name_of() does not
  // know them any more.
  void know(KnownKeys agents) { agents_ = std::move(agents); }
  // A peer beside these, and not any more; likewise.
  void admit(const std::string& public_key, const std::string& name) { guests_[public_key] = name; }
  void forget(const std::string& public_key) { guests_.erase(public_key); }
  // Whose key it is; null if nobody's who is known.
  const std::string* name_of(std::string_view public_key) const;

  std::uint64_t refused() const { return refused_; }
  // Which was refused last, and from where.
  const std::string& last_refused() const { return last_refused_; }
  // The addresses that peers were refused at since this was asked last, each once. ZeroMQ keeps
  // their connections until the handshake's time is over.
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
