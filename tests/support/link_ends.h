// Keys for the two ends of one connection between an agent or a master and a coordinator that a
// test plays, and the pipe by which the former is given its own.
#pragma once

#include <array>
#include <gtest/gtest.h>
#include <string>
#include <zmq.hpp>

#include "system/secret_number.h"

namespace tracebed::test {

inline KeyPair new_key_pair() {
  std::array<char, key_characters + 1> public_key = {};
  std::array<char, key_characters + 1> secret_key = {};
  EXPECT_EQ(zmq_curve_keypair(public_key.data(), secret_key.data()), 0);
  return {public_key.data(), secret_key.data()};
}

struct LinkEnds {
  KeyPair coordinator = new_key_pair();
  KeyPair own = new_key_pair();  // of the agent or master

  // Before the coordinator's socket is bound.
  void secure(zmq::socket_t& socket) const {
    socket.set(zmq::sockopt::curve_server, true);
    socket.set(zmq::sockopt::curve_secretkey, coordinator.secret_key);
  }
  // To be the standard input of the agent.
  FileDescriptor pipe_for_agent(const std::string& endpoint) const {
    Result<FileDescriptor> pipe =
        pipe_that_holds({secret_number(), endpoint, LinkKeys{own, coordinator.public_key}});
    EXPECT_TRUE(pipe);
    return *std::move(pipe);
  }
};

}  // namespace tracebed::test
