#include "system/connection_gate.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <optional>
#include <sys/resource.h>

#include "support/raw_connections.h"

namespace tracebed::test {
namespace {

using std::chrono::seconds;

class Gate : public testing::Test {
 protected:
  Gate() : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::bind(listener_.number(), reinterpret_cast<sockaddr*>(&address), sizeof(address)),
              0);
    EXPECT_EQ(::listen(listener_.number(), 1'000), 0);
    socklen_t bytes = sizeof(address);
    ::getsockname(listener_.number(), reinterpret_cast<sockaddr*>(&address), &bytes);
    port_ = ntohs(address.sin_port);
  }

  // As a library does, by the C library's function; what is accepted is kept open.
  int accept_all() {
    int count = 0;
    for (;;) {
      FileDescriptor accepted(::accept4(listener_.number(), nullptr, nullptr, SOCK_CLOEXEC));
      if (!accepted.is_open()) return count;
      accepted_.push_back(std::move(accepted));
      ++count;
    }
  }
  static std::size_t closed(const std::vector<FileDescriptor>& connections) {
    return static_cast<std::size_t>(
        std::count_if(connections.begin(), connections.end(), is_closed_by_peer));
  }
  static GateLimits limits(std::size_t connections, std::size_t unproven) {
    GateLimits limits;
    limits.connections_max = connections;
    limits.per_peer_max = connections;
    limits.unproven_max = unproven;
    return limits;
  }

  FileDescriptor listener_;
  std::uint16_t port_ = 0;
  std::vector<FileDescriptor> accepted_;
};

TEST_F(Gate, ThereAreNeverMoreConnectionsThanItsLimitAndTheLastOnesGetIn) {
  const ConnectionGate gate(listener_.number(), limits(5, 5));
  const auto clients = raw_connections(port_, 40);
  for (int i = 0; i < 1'000; ++i) {
    accept_all();
    ASSERT_LE(accepted_.size(), 5u);
    std::erase_if(accepted_, is_closed_by_peer);  // as an owner does
  }
  EXPECT_EQ(gate.figures().refused, 0u);
  EXPECT_EQ(closed(clients), 35u);
  EXPECT_FALSE(is_closed_by_peer(clients.back()));
}

TEST_F(Gate, WhereAllHaveProvenThemselvesFurtherOnesAreRefused) {
  ConnectionGate gate(listener_.number(), limits(5, 5));
  const auto first = raw_connections(port_, 5);
  accept_all();
  for (const FileDescriptor& accepted : accepted_) gate.prove(accepted.number());
  const auto later = raw_connections(port_, 35);
  EXPECT_EQ(accept_all(), 0);
  EXPECT_EQ(closed(first), 0u);
  EXPECT_EQ(closed(later), 35u);
  EXPECT_EQ(gate.figures().refused, 35u);
}

TEST_F(Gate, WithoutAGateEverythingIsAccepted) {
  const auto clients = raw_connections(port_, 40);
  EXPECT_EQ(accept_all(), 40);
}

TEST_F(Gate, WhatTheOwnerClosesMakesRoom) {
  const ConnectionGate gate(listener_.number(), limits(5, 5));
  const auto first = raw_connections(port_, 5);
  accept_all();
  accepted_.clear();
  const auto second = raw_connections(port_, 5);
  EXPECT_EQ(accept_all(), 5);
}

TEST_F(Gate, TheOldestUnprovenConnectionMakesRoomAndAProvenOneStays) {
  ConnectionGate gate(listener_.number(), limits(10, 3));
  std::vector<FileDescriptor> clients = raw_connections(port_, 1);
  accept_all();
  gate.prove(accepted_.front().number());
  for (FileDescriptor& client : raw_connections(port_, 5)) clients.push_back(std::move(client));
  EXPECT_EQ(accept_all(), 5);
  EXPECT_FALSE(is_closed_by_peer(clients[0]));
  EXPECT_TRUE(is_closed_by_peer(clients[1]));
  EXPECT_TRUE(is_closed_by_peer(clients[2]));
  EXPECT_EQ(closed(clients), 2u);
}

TEST_F(Gate, OnePeersUnprovenConnectionsMakeNoRoomOfAnothers) {
  ConnectionGate gate(listener_.number(), limits(100, 3));
  const FileDescriptor other = raw_connection(port_, "127.0.0.2");
  accept_all();
  const auto clients = raw_connections(port_, 20);
  accept_all();
  EXPECT_FALSE(is_closed_by_peer(other));
  EXPECT_EQ(closed(clients), 17u);
}

// However long a call takes: others of that time are idle, and it is not.
TEST_F(Gate, WhoseCallIsWorkedOnIsCutNeitherForRoomNorForBeingIdle) {
  GateLimits bounds = limits(3, 3);
  bounds.idle_max = seconds(60);
  ConnectionGate gate(listener_.number(), bounds);
  const auto first = raw_connections(port_, 3);
  accept_all();
  {
    const ConnectionGate::Activity call(gate, accepted_.front().number());
    const ConnectionGate::Activity another(gate, accepted_.front().number());
  }
  for (const FileDescriptor& accepted : accepted_) gate.prove(accepted.number());
  std::optional<ConnectionGate::Activity> call(std::in_place, gate, accepted_.front().number());
  std::vector<FileDescriptor> later;
  for (int i = 0; i < 2; ++i) {
    later.push_back(std::move(raw_connections(port_, 1).front()));
    while (accept_all() == 0) std::erase_if(accepted_, is_closed_by_peer);
    gate.prove(accepted_.back().number());
  }
  EXPECT_FALSE(is_closed_by_peer(first[0])) << "the oldest, and at work";
  EXPECT_TRUE(is_closed_by_peer(first[1]));
  EXPECT_TRUE(is_closed_by_peer(first[2]));
  const auto after = [](int count) { return ConnectionGate::Clock::now() + seconds(count); };
  gate.sweep(after(61));
  EXPECT_FALSE(is_closed_by_peer(first[0]));
  call.reset();
  gate.sweep(after(59));
  EXPECT_FALSE(is_closed_by_peer(first[0])) << "it is idle since the call's end";
  gate.sweep(after(61));
  EXPECT_TRUE(is_closed_by_peer(first[0]));
}

TEST_F(Gate, WhoProvesNothingInTimeIsCutAndSoIsWhoIsIdle) {
  GateLimits bounds = limits(100, 100);
  bounds.proof_timeout = seconds(10);
  bounds.idle_max = seconds(60);
  ConnectionGate gate(listener_.number(), bounds);
  const auto clients = raw_connections(port_, 2);
  accept_all();
  gate.prove(accepted_[1].number());
  const auto now = ConnectionGate::Clock::now();
  gate.sweep(now + seconds(9));
  EXPECT_EQ(closed(clients), 0u);
  gate.sweep(now + seconds(11));
  EXPECT_TRUE(is_closed_by_peer(clients[0]));
  EXPECT_FALSE(is_closed_by_peer(clients[1]));
  gate.sweep(now + seconds(61));
  EXPECT_TRUE(is_closed_by_peer(clients[1]));
  EXPECT_EQ(gate.figures().cut, 2u);
}

TEST_F(Gate, ARefusedPeerIsCutAfterAPause) {
  ConnectionGate gate(listener_.number(), limits(100, 100));
  const FileDescriptor other = raw_connection(port_, "127.0.0.2");
  const auto clients = raw_connections(port_, 2);
  accept_all();
  gate.prove(accepted_[2].number());
  gate.refuse_unproven("127.0.0.1");
  const auto now = ConnectionGate::Clock::now();
  gate.sweep(now);
  EXPECT_EQ(closed(clients), 0u);
  gate.sweep(now + seconds(1));
  EXPECT_EQ(closed(clients), 1u);
  EXPECT_TRUE(is_closed_by_peer(clients[0]));
  EXPECT_FALSE(is_closed_by_peer(other));
}

// Descriptors of this process are lowered to what it has, so that accept(2) finds none.
TEST_F(Gate, WithoutDescriptorsConnectionsAreRefusedRatherThanLeftInTheQueue) {
  ConnectionGate gate(listener_.number(), limits(1'000, 1'000));
  const auto clients = raw_connections(port_, 40);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const FileDescriptor highest(::fcntl(listener_.number(), F_DUPFD_CLOEXEC, 0));
  rlimit none = before;
  none.rlim_cur = static_cast<rlim_t>(highest.number()) + 1;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  const int accepted = accept_all();
  const int reason = errno;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_EQ(accepted, 0);
  EXPECT_EQ(reason, EAGAIN);
  EXPECT_EQ(gate.figures().refused, 40u);
  const FileDescriptor later = raw_connection(port_);
  EXPECT_EQ(accept_all(), 1);
}

}  // namespace
}  // namespace tracebed::test
