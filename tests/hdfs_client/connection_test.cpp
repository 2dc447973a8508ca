#include "hdfs_client/connection.h"

#include <gtest/gtest.h>
#include <vector>

#include "hdfs_client/loopback_peer.h"
#include "hdfs_client/receive_buffer.h"

namespace tracebed::hdfs {
namespace {

using std::chrono::milliseconds;
using test::LoopbackPeer;
using test::PeerConnection;

const Endpoint nowhere{"127.0.0.1", 1};

Deadline soon() {
  return Deadline::after(milliseconds(50));
}
Deadline late() {
  return Deadline::after(std::chrono::seconds(100));
}

Connection connected(const LoopbackPeer& peer, const ConnectionOptions& options = {}) {
  ClientResult<Connection> connection = Connection::open(peer.endpoint(), options);
  EXPECT_TRUE(connection) << connection.error().message;
  return *std::move(connection);
}

TEST(Connection, ExchangesBytes) {
  LoopbackPeer echo([](PeerConnection& client, int) {
    while (client.receive(1)) {
      if (!client.send(client.unread())) return;
      client.consume(client.unread().size());
    }
  });
  Connection connection = connected(echo);
  const std::vector<std::byte> sent(1 << 20, std::byte{7});
  ReceiveBuffer received(16);
  // In pieces, so that neither side's buffers fill.
  for (int i = 0; i < 16; ++i) {
    ASSERT_TRUE(connection.send(Bytes(sent).first(1 << 16), late()));
    ASSERT_TRUE(received.receive(connection, 1 << 16, late()));
    EXPECT_TRUE(std::equal(sent.begin(), sent.begin() + (1 << 16), received.unread().begin()));
    received.consume(1 << 16);
  }
}

TEST(Connection, ComesFromTheAddressThatItIsToldTo) {
  LoopbackPeer peer([](PeerConnection& client, int) { client.send("x"); });
  Connection connection = connected(peer, {.local_address = "127.0.1.17"});
  ReceiveBuffer received(16);
  ASSERT_TRUE(received.receive(connection, 1, late()));
  EXPECT_EQ(peer.client_address(), "127.0.1.17");
}

TEST(Connection, ThatIsRefusedOrImpossibleIsAFailureWithThePeersName) {
  const auto refused = Connection::open(nowhere, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ClientFailureKind::connection);
  EXPECT_EQ(refused.error().message, "127.0.0.1:1: connect: Connection refused");
  EXPECT_FALSE(Connection::open({"a.name", 1}, {}));
  EXPECT_FALSE(Connection::open(nowhere, {.local_address = "1.2.3"}));
  EXPECT_FALSE(Connection::open(nowhere, {.local_address = "192.0.2.1"}));
}

// A listener whose queue is full lets later clients wait without an answer.
TEST(Connection, ThatIsNotAcceptedTimesOut) {
  const FileDescriptor listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in place{};
  place.sin_family = AF_INET;
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(place);
  ASSERT_EQ(::bind(listener.number(), reinterpret_cast<sockaddr*>(&place), size), 0);
  ASSERT_EQ(::listen(listener.number(), 0), 0);
  ASSERT_EQ(::getsockname(listener.number(), reinterpret_cast<sockaddr*>(&place), &size), 0);
  const Endpoint full{"127.0.0.1", ntohs(place.sin_port)};
  std::vector<Connection> queued;
  while (true) {
    auto next = Connection::open(full, {.connect_timeout = milliseconds(50)});
    if (!next) {
      EXPECT_EQ(next.error().kind, ClientFailureKind::timeout);
      break;
    }
    queued.push_back(*std::move(next));
    ASSERT_LT(queued.size(), 100u);
  }
}

TEST(Connection, ToAPeerThatHangsTimesOutInBothDirections) {
  LoopbackPeer frozen([](PeerConnection& client, int) { client.freeze(); });
  Connection connection = connected(frozen);
  std::array<std::byte, 16> out{};
  const auto received = connection.receive(out, soon());
  ASSERT_FALSE(received);
  EXPECT_EQ(received.error().kind, ClientFailureKind::timeout);
  const std::vector<std::byte> more_than_buffers(std::size_t{64} << 20);
  const ClientStatus sent = connection.send(more_than_buffers, soon());
  ASSERT_FALSE(sent);
  EXPECT_EQ(sent.error().kind, ClientFailureKind::timeout);
}

TEST(Connection, ToAPeerThatSendsAByteNowAndThenTimesOutAsAWhole) {
  LoopbackPeer dripping([](PeerConnection& client, int) {
    while (client.send("x")) std::this_thread::sleep_for(milliseconds(10));
  });
  Connection connection = connected(dripping);
  ReceiveBuffer received(16);
  const ClientStatus status = received.receive(connection, 1 << 20, soon());
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ClientFailureKind::timeout);
}

TEST(Connection, ThatIsClosedIsAFailure) {
  LoopbackPeer closing([](PeerConnection&, int) {});
  Connection connection = connected(closing);
  std::array<std::byte, 16> out{};
  const auto received = connection.receive(out, late());
  ASSERT_FALSE(received);
  EXPECT_EQ(received.error().kind, ClientFailureKind::connection);
}

TEST(Connection, IsInterruptedWhileItWaits) {
  LoopbackPeer frozen([](PeerConnection& client, int) { client.freeze(); });
  const EventDescriptor interrupt;
  Connection connection = connected(frozen, {.interrupt = interrupt.number()});
  std::thread ringing([&] { interrupt.ring(); });
  std::array<std::byte, 16> out{};
  const auto received = connection.receive(out, late());
  ringing.join();
  ASSERT_FALSE(received);
  EXPECT_EQ(received.error().kind, ClientFailureKind::interrupted);
  EXPECT_EQ(pause(std::chrono::seconds(100), interrupt.number()).error().kind,
            ClientFailureKind::interrupted);
  EXPECT_FALSE(Connection::open(frozen.endpoint(), {.interrupt = interrupt.number()}));
}

}  // namespace
}  // namespace tracebed::hdfs
