// Peers that no task is: without the right token, silent, slow, or talking nonsense.
#include <cstring>
#include <gtest/gtest.h>
#include <thread>

#include "agents/shuffle/shuffle_fixture.h"
#include "protocol/hdfs/chunk_checksums.h"
#include "support/raw_connections.h"

namespace tracebed {
namespace {

using namespace test;
using shuffle::Frame;

constexpr std::size_t answer_bytes = shuffle::head_bytes + 16 + 32;
constexpr std::size_t greeting_bytes = shuffle::head_bytes + 16;

// A peer that says what a test has it say.
class RawPeer {
 public:
  explicit RawPeer(const TestShuffle& shuffle) : socket_(raw_connection(shuffle.endpoint().port)) {
    const std::string greeting = receive(greeting_bytes);
    if (greeting.size() == greeting_bytes) {
      std::memcpy(nonce_.data(), greeting.data() + shuffle::head_bytes, nonce_.size());
    }
  }
  bool send(shuffle::Bytes bytes) {
    return ::send(socket_.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
           static_cast<ssize_t>(bytes.size());
  }
  // Fewer only if the server closes before.
  std::string receive(std::size_t bytes) {
    std::string text(bytes, '\0');
    std::size_t got = 0;
    while (got < bytes) {
      const ssize_t count = ::recv(socket_.number(), text.data() + got, bytes - got, 0);
      if (count <= 0) break;
      got += static_cast<std::size_t>(count);
    }
    text.resize(got);
    return text;
  }
  void end_sending() { ::shutdown(socket_.number(), SHUT_WR); }
  bool is_closed() { return receive(1).empty(); }
  const shuffle::Nonce& nonce() const { return nonce_; }

 private:
  FileDescriptor socket_;
  shuffle::Nonce nonce_{};
};

bool is_denial(const std::string& reply) {
  return reply.size() == shuffle::head_bytes &&
         reply[1] == static_cast<char>(shuffle::FrameKind::denial);
}

class ShuffleViolations : public testing::Test {
 protected:
  ShuffleViolations() { EXPECT_TRUE(shuffle_.put(1, 10)); }

  Frame fetch_frame(const RawPeer& peer, std::uint64_t number = 0) {
    const shuffle::JobToken token = shuffle_.token();
    return shuffle::frame_of(shuffle::Fetch{job, {{1, 0, 10}}}, {token, peer.nonce(), number});
  }
  static constexpr std::size_t fetched_bytes = answer_bytes + shuffle::chunk_head_bytes + 10;

  TestShuffle shuffle_;
};

TEST_F(ShuffleViolations, AWrongTokenIsDenied) {
  const auto other = shuffle::job_token(run_key(2), job);
  shuffle::ShuffleFetcher fetcher(other, job, TestShuffle::connections());
  EXPECT_EQ(shuffle_.fetch(fetcher, {{1, 0, 10}}).failure(), FailureKind::denied);
  const auto writer = shuffle::MapOutputWriter::open(shuffle_.endpoint(), other, {job, 2},
                                                     TestShuffle::connections());
  EXPECT_EQ(writer.error().kind, FailureKind::denied);
  EXPECT_FALSE(writer.error().may_retry());
  EXPECT_EQ(shuffle_->figures().denied, 2);
  EXPECT_EQ(shuffle_->figures().bytes_got, 0);
}

TEST_F(ShuffleViolations, TheTokenOfAnotherJobIsDenied) {
  ASSERT_TRUE(shuffle_.put(1, 10, job + 1));
  shuffle::ShuffleFetcher fetcher(shuffle_.token(job + 1), job, TestShuffle::connections());
  EXPECT_EQ(shuffle_.fetch(fetcher, {{1, 0, 10}}).failure(), FailureKind::denied);
}

TEST_F(ShuffleViolations, ARequestIsServedOnceOnItsConnection) {
  RawPeer peer(shuffle_);
  const Frame frame = fetch_frame(peer);
  ASSERT_TRUE(peer.send(frame));
  EXPECT_EQ(peer.receive(fetched_bytes).size(), fetched_bytes);
  ASSERT_TRUE(peer.send(frame));
  EXPECT_TRUE(is_denial(peer.receive(shuffle::head_bytes)));
  EXPECT_TRUE(peer.is_closed());
}

TEST_F(ShuffleViolations, ARequestIsNotServedOnAnotherConnection) {
  const RawPeer first(shuffle_);
  RawPeer second(shuffle_);
  EXPECT_NE(first.nonce(), second.nonce());
  ASSERT_TRUE(second.send(fetch_frame(first)));
  EXPECT_TRUE(is_denial(second.receive(shuffle::head_bytes)));
}

TEST_F(ShuffleViolations, ADropByAnotherTokenDropsNothing) {
  ASSERT_TRUE(shuffle_.put(shuffle::Put{job, 1, 1}, 10));
  RawPeer peer(shuffle_);
  const shuffle::JobToken other = shuffle_.token(job + 1);
  ASSERT_TRUE(peer.send(shuffle::frame_of(shuffle::Drop{job, 1}, {other, peer.nonce(), 0})));
  EXPECT_TRUE(is_denial(peer.receive(shuffle::head_bytes)));
  EXPECT_FALSE(shuffle_.fetch({{1, 0, 10, 1}}).failure());
}

TEST_F(ShuffleViolations, ARequestIsServedOnlyWithItsNumber) {
  RawPeer peer(shuffle_);
  ASSERT_TRUE(peer.send(fetch_frame(peer, 1)));
  EXPECT_TRUE(is_denial(peer.receive(shuffle::head_bytes)));
}

// Whichever byte is another, nothing is served.
TEST_F(ShuffleViolations, ARequestWithAnotherByteIsRefused) {
  const std::size_t size = fetch_frame(RawPeer(shuffle_)).size();
  for (std::size_t at = 0; at < size; ++at) {
    RawPeer peer(shuffle_);
    Frame frame = fetch_frame(peer);
    frame[at] ^= std::byte{1};
    ASSERT_TRUE(peer.send(frame));
    // A length that is another is not waited for.
    const std::string reply = peer.receive(fetched_bytes);
    EXPECT_TRUE(reply.empty() || is_denial(reply)) << at;
  }
  const ShuffleFigures figures = shuffle_->figures();
  EXPECT_EQ(figures.denied + figures.malformed, size);
  EXPECT_GE(figures.malformed, 8u);
  EXPECT_EQ(figures.bytes_got, 0u);
}

// So is one of the frames of a put.
TEST_F(ShuffleViolations, APutWithAnotherByteIsNotCommitted) {
  const shuffle::JobToken token = shuffle_.token();
  const auto data = content(2, 0, 5);
  const auto frames_of = [&](const RawPeer& peer) {
    std::vector<Frame> frames = {shuffle::frame_of(shuffle::Put{job, 2}, {token, peer.nonce(), 0})};
    const auto head = shuffle::chunk_head(data);
    frames.emplace_back(head.begin(), head.end());
    frames.back().insert(frames.back().end(), data.begin(), data.end());
    frames.push_back(
        shuffle::frame_of(shuffle::Commit{5, hdfs::crc32c(data)}, {token, peer.nonce(), 1}));
    return frames;
  };
  const auto sizes = frames_of(RawPeer(shuffle_));
  for (std::size_t changed = 0; changed < sizes.size(); ++changed) {
    for (std::size_t at = 0; at < sizes[changed].size(); ++at) {
      RawPeer peer(shuffle_);
      auto frames = frames_of(peer);
      frames[changed][at] ^= std::byte{1};
      for (const Frame& frame : frames) (void)peer.send(frame);
      peer.end_sending();  // so that nothing is waited for that a changed length announces
      while (!peer.is_closed()) {
      }
      EXPECT_EQ(shuffle_.fetch({{2, 0, 5}}).failure(), FailureKind::unknown_output)
          << changed << ", " << at;
    }
  }
  RawPeer peer(shuffle_);
  for (const Frame& frame : frames_of(peer)) ASSERT_TRUE(peer.send(frame));
  EXPECT_EQ(peer.receive(2 * answer_bytes).size(), 2 * answer_bytes);
  EXPECT_FALSE(shuffle_.fetch({{2, 0, 5}}).failure());
}

TEST_F(ShuffleViolations, FramesThatAreOutOfPlaceEndTheConnection) {
  const shuffle::JobToken token = shuffle_.token();
  const auto data = content(1, 0, 5);
  const auto head = shuffle::chunk_head(data);
  Frame chunk(head.begin(), head.end());
  chunk.insert(chunk.end(), data.begin(), data.end());
  {
    RawPeer peer(shuffle_);
    ASSERT_TRUE(peer.send(chunk));
    EXPECT_TRUE(peer.is_closed());
  }
  {
    RawPeer peer(shuffle_);
    ASSERT_TRUE(peer.send(shuffle::frame_of(shuffle::Commit{0, 0}, {token, peer.nonce(), 0})));
    EXPECT_TRUE(peer.is_closed());
  }
  {
    RawPeer peer(shuffle_);
    ASSERT_TRUE(peer.send(shuffle::frame_of(shuffle::Put{job, 2}, {token, peer.nonce(), 0})));
    EXPECT_EQ(peer.receive(answer_bytes).size(), answer_bytes);
    ASSERT_TRUE(peer.send(fetch_frame(peer, 1)));
    EXPECT_TRUE(peer.is_closed());
  }
  {
    RawPeer peer(shuffle_);
    ASSERT_TRUE(peer.send(shuffle::frame_of(shuffle::Greeting{})));
    EXPECT_TRUE(peer.is_closed());
  }
  EXPECT_EQ(shuffle_->figures().malformed, 4);
}

// A commit by the token of another job than that of the put.
TEST_F(ShuffleViolations, ACommitIsOfTheJobOfItsPut) {
  const shuffle::JobToken token = shuffle_.token();
  const shuffle::JobToken other = shuffle_.token(job + 1);
  RawPeer peer(shuffle_);
  ASSERT_TRUE(peer.send(shuffle::frame_of(shuffle::Put{job, 2}, {token, peer.nonce(), 0})));
  EXPECT_EQ(peer.receive(answer_bytes).size(), answer_bytes);
  ASSERT_TRUE(peer.send(shuffle::frame_of(shuffle::Commit{0, 0}, {other, peer.nonce(), 1})));
  EXPECT_TRUE(is_denial(peer.receive(shuffle::head_bytes)));
  EXPECT_EQ(shuffle_.fetch({{2, 0, 0}}).failure(), FailureKind::unknown_output);
}

TEST(ShufflePeers, ThatSayNothingAreDisconnected) {
  constexpr std::chrono::milliseconds soon(20);
  TestShuffle shuffle({.read_timeout = soon, .keepalive = soon, .put_timeout = soon});
  const shuffle::JobToken token = shuffle.token();
  RawPeer at_first(shuffle);
  EXPECT_TRUE(at_first.is_closed());
  RawPeer in_a_frame(shuffle);
  const Frame frame = shuffle::frame_of(shuffle::Put{job, 1}, {token, in_a_frame.nonce(), 0});
  ASSERT_TRUE(in_a_frame.send(shuffle::Bytes(frame).first(9)));
  EXPECT_TRUE(in_a_frame.is_closed());
  RawPeer in_a_put(shuffle);
  ASSERT_TRUE(in_a_put.send(shuffle::frame_of(shuffle::Put{job, 1}, {token, in_a_put.nonce(), 0})));
  (void)in_a_put.receive(answer_bytes);
  EXPECT_TRUE(in_a_put.is_closed());
  EXPECT_TRUE(eventually([&] { return shuffle->figures().connections == 0; }));
  EXPECT_EQ(shuffle->figures().malformed, 0);
}

// Much more than fits into the buffers of the sockets.
TEST(ShufflePeers, ThatTakeNothingAreDisconnected) {
  TestShuffle shuffle({.write_timeout = std::chrono::milliseconds(20)});
  constexpr std::uint64_t length = 64 << 20;
  ASSERT_TRUE(shuffle.put(1, length));
  RawPeer peer(shuffle);
  const shuffle::JobToken token = shuffle.token();
  ASSERT_TRUE(peer.send(
      shuffle::frame_of(shuffle::Fetch{job, {{1, 0, length}}}, {token, peer.nonce(), 0})));
  EXPECT_TRUE(eventually([&] { return shuffle->figures().connections == 0; }));
  EXPECT_LT(shuffle->figures().bytes_got, length);
}

// A connection that the server has closed meanwhile is made anew.
TEST(ShufflePeers, ThatComeLateConnectAgain) {
  TestShuffle shuffle({.keepalive = std::chrono::milliseconds(1)});
  ASSERT_TRUE(shuffle.put(1, 10));
  auto fetcher = shuffle.fetcher();
  for (int i = 0; i < 5; ++i) {
    EXPECT_FALSE(shuffle.fetch(fetcher, {{1, 0, 10}}).failure());
    EXPECT_TRUE(eventually([&] { return shuffle->figures().connections == 0; }));
  }
}

TEST(ShufflePeers, BeyondTheBoundAreRefused) {
  TestShuffle shuffle({.connections_max = 3});
  ASSERT_TRUE(shuffle.put(1, 10));
  EXPECT_TRUE(eventually([&] { return shuffle->figures().connections == 0; }));
  auto held = raw_connections(shuffle.endpoint().port, 3);
  EXPECT_TRUE(eventually([&] { return shuffle->figures().connections == 3; }));
  const auto fetched = shuffle.fetch({{1, 0, 10}});
  EXPECT_EQ(fetched.failure(), FailureKind::connection);
  EXPECT_TRUE(fetched.ranges[0].failure->may_retry());
  EXPECT_GE(shuffle->figures().refused, 1);
  held.clear();
  EXPECT_TRUE(eventually([&] { return !shuffle.fetch({{1, 0, 10}}).failure(); }));
}

}  // namespace
}  // namespace tracebed
