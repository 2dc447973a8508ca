// A datanode's side of the conversation with a RealFleet, said line by line by a test.
#pragma once

#include <string>

#include "coordinator/real/scripted_agent.h"

namespace tracebed::test {

class ScriptedDatanode {
 public:
  ScriptedDatanode(const std::string& endpoint, const std::string& run, const std::string& agent,
                   const LinkKeys& keys)
      : link_(endpoint, run, agent, keys), agent_(agent) {}

  // Without keys, over a UNIX socket.
  ScriptedDatanode(const std::string& endpoint, const std::string& run, const std::string& agent)
      : link_(endpoint, run, agent), agent_(agent) {}

  wire::DatanodeHello hello() const {
    wire::DatanodeHello hello;
    hello.agent = agent_;
    hello.address = "127.0.1.1";
    hello.transfer_port = 9'866;
    hello.http_port = 9'864;
    return hello;
  }
  void send_hello(const wire::DatanodeHello& hello) {
    link_.open_session(wire::FromDatanode(hello));
  }
  void send_hello() { send_hello(hello()); }
  void send(const wire::FromDatanode& message) { link_.send(message); }

  // The next message, which must be of this kind.
  template <class Kind>
  Kind expect() {
    const auto message = link_.expect<wire::ToDatanode>();
    const auto* kind = std::get_if<Kind>(&message);
    if (kind == nullptr) {
      ADD_FAILURE() << "a message of another kind came: " << message.index();
      return {};
    }
    return *kind;
  }

  ScriptedAgent& link() { return link_; }

 private:
  ScriptedAgent link_;
  std::string agent_;
};

}  // namespace tracebed::test
