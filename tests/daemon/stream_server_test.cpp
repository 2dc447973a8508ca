#include "daemon/stream_server.h"

#include <array>
#include <atomic>
#include <functional>
#include <gtest/gtest.h>
#include <string>

#include "support/eventually.h"
#include "support/raw_connections.h"
#include "system/event_descriptor.h"

namespace tracebed {
namespace {

using test::raw_connection;

// A request is a byte; what it does is the test's.
class ByteProtocol final : public StreamProtocol {
 public:
  using Answer = std::function<void(StreamConnection&, char)>;
  ByteProtocol(StreamConnection& stream, const Answer& answer) : stream_(stream), answer_(answer) {}
  std::size_t take(std::span<const std::byte> unread) override {
    if (unread.empty() || unread[0] == std::byte{'.'}) return 0;  // the beginning of a request
    stream_.prove();
    answer_(stream_, static_cast<char>(unread[0]));
    return 1;
  }

 private:
  StreamConnection& stream_;
  const Answer& answer_;
};

class StreamServerTest : public testing::Test {
 protected:
  StreamServerTest() {
    options_.purpose = "bytes";
    options_.connections.connections_max = 100;
    options_.connections.unproven_max = 100;
  }
  std::unique_ptr<StreamServer> make(ByteProtocol::Answer answer) {
    answer_ = std::move(answer);
    return std::make_unique<StreamServer>(options_, [this](StreamConnection& stream) {
      return std::make_unique<ByteProtocol>(stream, answer_);
    });
  }
  static void send(const FileDescriptor& socket, const std::string& bytes) {
    ASSERT_EQ(::send(socket.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
  }
  // Until so many bytes have come, or the server has closed.
  static std::string receive(const FileDescriptor& socket, std::size_t bytes) {
    std::string got;
    std::array<char, 65536> piece;
    while (got.size() < bytes) {
      const ssize_t count = ::recv(socket.number(), piece.data(), piece.size(), 0);
      if (count <= 0) break;
      got.append(piece.data(), static_cast<std::size_t>(count));
    }
    return got;
  }

  StreamServerOptions options_;
  ByteProtocol::Answer answer_;
};

constexpr std::size_t everything = std::size_t{1} << 40;

TEST_F(StreamServerTest, RequestsThatArriveTogetherAreAnsweredInTheirOrder) {
  const auto server = make([](StreamConnection& stream, char byte) { stream.out() += byte; });
  server->start();
  const FileDescriptor client = raw_connection(server->port());
  send(client, "abc");
  EXPECT_EQ(receive(client, 3), "abc");
  send(client, "d");
  EXPECT_EQ(receive(client, 1), "d");
}

TEST_F(StreamServerTest, AConnectionKnowsBothEnds) {
  const auto server = make([](StreamConnection& stream, char) {
    stream.out() += stream.address() + " " + stream.own_address();
    stream.end();
  });
  server->start();
  const FileDescriptor client = raw_connection(server->port(), "127.0.3.4");
  send(client, "a");
  EXPECT_EQ(receive(client, everything), "127.0.3.4 127.0.0.1");
}

// No more than the limit are asked for before replies come, which come from elsewhere.
TEST_F(StreamServerTest, RequestsWaitForRoomAmongAwaitedReplies) {
  options_.streams.awaited_replies_max = 2;
  std::atomic<int> asked = 0;
  std::atomic<std::uint64_t> number = 0;
  const EventDescriptor replies_come;
  const auto server = make([&](StreamConnection& stream, char) {
    number = stream.number();
    stream.await_reply();
    ++asked;
  });
  server->watch(replies_come.number(), [&] {
    replies_come.clear();
    StreamConnection* const stream = server->find(number);
    ASSERT_NE(stream, nullptr);
    stream->out() += "reply";
    server->reply(*stream, 1);
  });
  server->start();
  const FileDescriptor client = raw_connection(server->port());
  send(client, "abcd");
  EXPECT_TRUE(eventually([&] { return asked == 2; }));
  replies_come.ring();
  EXPECT_EQ(receive(client, 5), "reply");
  EXPECT_TRUE(eventually([&] { return asked == 3; }));
  ::shutdown(client.number(), SHUT_WR);
  for (int i = 0; i < 3; ++i) {
    replies_come.ring();
    EXPECT_EQ(receive(client, 5), "reply");
  }
  EXPECT_EQ(asked, 4);
  EXPECT_EQ(receive(client, 1), "") << "the client had ended, and has all replies";
}

// What the client sends after the last request is dropped, so that no reset takes the answer away.
TEST_F(StreamServerTest, TheLastAnswerArrivesAtAClientThatGoesOnSending) {
  const auto server = make([](StreamConnection& stream, char) {
    stream.out() += std::string(100'000, 'r');
    stream.end();
  });
  server->start();
  const FileDescriptor client = raw_connection(server->port());
  send(client, std::string(200'000, 'x'));
  EXPECT_EQ(receive(client, everything), std::string(100'000, 'r'));
}

TEST_F(StreamServerTest, WhoNeedsMoreThanAllMayHaveTogetherIsCut) {
  options_.streams.buffered_bytes_max = 300'000;
  const auto server =
      make([](StreamConnection& stream, char) { stream.out() += std::string(64'000'000, 'r'); });
  server->start();
  const FileDescriptor greedy = raw_connection(server->port());
  send(greedy, "a");  // and takes nothing
  EXPECT_TRUE(eventually([&] {
    const GateFigures figures = server->figures().connections;
    return figures.accepted == 1 && figures.connections == 0;
  }));
  EXPECT_LT(receive(greedy, everything).size(), 64'000'000u);
}

TEST_F(StreamServerTest, ARequestThatDoesNotArriveIsNotAwaitedForEver) {
  options_.streams.progress_timeout = std::chrono::milliseconds(20);
  const auto server = make([](StreamConnection& stream, char byte) { stream.out() += byte; });
  server->start();
  const FileDescriptor slow = raw_connection(server->port());
  const FileDescriptor idle = raw_connection(server->port());
  send(slow, "a.");
  send(idle, "b");
  EXPECT_EQ(receive(slow, everything), "a");
  EXPECT_EQ(receive(idle, 1), "b");
  EXPECT_TRUE(eventually([&] { return server->figures().too_slow == 1; }));
  send(idle, "c");
  EXPECT_EQ(receive(idle, 1), "c") << "who owes nothing may take its time";
}

TEST_F(StreamServerTest, NothingIsCalledOnceItHasStopped) {
  std::atomic<int> asked = 0;
  const auto server = make([&](StreamConnection&, char) { ++asked; });
  server->start();
  const FileDescriptor client = raw_connection(server->port());
  send(client, "a");
  EXPECT_TRUE(eventually([&] { return asked == 1; }));
  server->stop();
  send(client, "b");
  EXPECT_EQ(asked, 1);
}

}  // namespace
}  // namespace tracebed
