#include "coordinator/real/storage_gate.h"

#include <atomic>
#include <gmock/gmock.h>
#include <poll.h>
#include <stdexcept>
#include <thread>

#include "support/at_seconds.h"
#include "support/eventually.h"

namespace tracebed {
namespace {

using testing::ElementsAre;

NamenodeOptions gate_options() {
  NamenodeOptions options;
  options.safe_mode.at_start = false;
  return options;
}

StorageCall mkdirs(const std::string& path) {
  return {{.user = "u", .group = {}, .client = {}, .address = {}, .node = {}, .identity = {}},
          MakeDirectories{path}};
}

bool is_readable(int descriptor) {
  pollfd poll{.fd = descriptor, .events = POLLIN, .revents = 0};
  return ::poll(&poll, 1, 0) == 1;
}

StorageFailureKind failure_of(const StorageReply& reply) {
  return std::get<StorageFailure>(reply).kind;
}

class StorageGateTest : public testing::Test {
 protected:
  void open() {
    gate_.open({.namenode = &namenode_,
                .pool = "BP-1",
                .now = [] { return at_seconds(5); },
                .times = {[](TraceTime) { return 0; }, [](std::int64_t) { return TraceTime(); }}});
  }
  // A round of the run: what waits is executed and answered.
  void step() {
    gate_.enter();
    for (const StorageCalled& called : gate_.take_calls(100)) {
      gate_.answer({called.ticket, namenode_.call(called.call, at_seconds(0))});
    }
    gate_.leave();
  }
  std::size_t inodes() const { return namenode_.state().tree.size(); }

  Namenode namenode_{gate_options(), at_seconds(0)};
  StorageGate gate_{3};
};

TEST_F(StorageGateTest, NothingIsReadWithoutARun) {
  EXPECT_FALSE(gate_.read([](const StorageGate::View&) { FAIL() << "there is nothing to see"; }));
}

TEST_F(StorageGateTest, ACallWithoutARunIsToBeTriedAgain) {
  StorageReply reply;
  gate_.call(mkdirs("/a"), [&](const StorageReply& given) { reply = given; });
  EXPECT_EQ(failure_of(reply), StorageFailureKind::retriable);
  EXPECT_FALSE(is_readable(gate_.descriptor()));
}

TEST_F(StorageGateTest, AReaderSeesTheRunAndItsDatanodes) {
  open();
  gate_.set_place(NodeId(1u), {.name = "host", .address = "127.0.1.2", .rack = "/r"});
  gate_.leave();
  EXPECT_TRUE(gate_.read([&](const StorageGate::View& view) {
    EXPECT_EQ(&view.state, &namenode_.state());
    EXPECT_EQ(view.pool, "BP-1");
    EXPECT_EQ(view.now, at_seconds(5));
    EXPECT_EQ(view.datanodes.at_address("127.0.1.2"), NodeId(1u));
    EXPECT_EQ(view.datanodes.at_address("127.0.1.3"), std::nullopt);
  }));
}

TEST_F(StorageGateTest, CallsAreTakenInTheirOrderAndAnsweredOnce) {
  open();
  gate_.leave();
  std::vector<int> answered;
  for (int i = 0; i < 3; ++i) {
    gate_.call(mkdirs("/" + std::to_string(i)),
               [&answered, i](const StorageReply&) { answered.push_back(i); });
  }
  EXPECT_TRUE(is_readable(gate_.descriptor()));
  const auto first = gate_.take_calls(2);
  EXPECT_TRUE(is_readable(gate_.descriptor())) << "one waits";
  const auto second = gate_.take_calls(2);
  EXPECT_FALSE(is_readable(gate_.descriptor()));
  ASSERT_EQ(first.size(), 2u);
  ASSERT_EQ(second.size(), 1u);
  gate_.answer({second[0].ticket, Done{}});
  gate_.answer({first[1].ticket, Done{}});
  gate_.answer({first[1].ticket, Done{}});
  gate_.answer({12'345, Done{}});
  gate_.answer({first[0].ticket, Done{}});
  EXPECT_THAT(answered, ElementsAre(2, 1, 0));
}

TEST_F(StorageGateTest, CallsBeyondTheLimitAreToBeTriedAgain) {
  open();
  gate_.leave();
  std::vector<StorageReply> replies;
  const auto keep = [&](const StorageReply& reply) { replies.push_back(reply); };
  for (int i = 0; i < 4; ++i) gate_.call(mkdirs("/a"), keep);
  ASSERT_EQ(replies.size(), 1u);
  EXPECT_EQ(failure_of(replies[0]), StorageFailureKind::retriable);
  step();
  EXPECT_EQ(replies.size(), 4u);
  gate_.call(mkdirs("/b"), keep);
  EXPECT_EQ(replies.size(), 4u) << "there is room again";
}

TEST_F(StorageGateTest, TheEndOfARunFailsItsCallsAndThoseThatFollow) {
  open();
  gate_.leave();
  std::vector<StorageReply> replies;
  const auto keep = [&](const StorageReply& reply) { replies.push_back(reply); };
  gate_.call(mkdirs("/taken"), keep);
  const auto taken = gate_.take_calls(1);
  gate_.call(mkdirs("/waits"), keep);
  gate_.close("the run has ended");
  gate_.call(mkdirs("/late"), keep);
  ASSERT_EQ(replies.size(), 3u);
  for (const StorageReply& reply : replies) {
    EXPECT_EQ(failure_of(reply), StorageFailureKind::retriable);
  }
  EXPECT_EQ(std::get<StorageFailure>(replies[0]).message, "the run has ended");
  EXPECT_FALSE(is_readable(gate_.descriptor()));
  EXPECT_FALSE(gate_.read([](const StorageGate::View&) {}));
  gate_.answer({taken[0].ticket, Done{}});
  EXPECT_EQ(replies.size(), 3u);
}

TEST_F(StorageGateTest, TheNextRunHasNothingOfTheLast) {
  open();
  gate_.set_place(NodeId(0u), {.name = "host", .address = "127.0.1.1"});
  gate_.leave();
  gate_.call(mkdirs("/a"), [](const StorageReply&) {});
  const std::uint64_t before = gate_.take_calls(1).at(0).ticket;
  gate_.close("end");
  open();
  gate_.leave();
  EXPECT_TRUE(gate_.read(
      [](const StorageGate::View& view) { EXPECT_EQ(view.datanodes.find(NodeId(0u)), nullptr); }));
  EXPECT_TRUE(gate_.take_calls(1).empty());
  EXPECT_GT(gate_.next_ticket(), before);
}

TEST_F(StorageGateTest, AReaderThatThrowsKeepsNobodyOut) {
  open();
  gate_.leave();
  EXPECT_THROW(gate_.read([](const StorageGate::View&) { throw std::runtime_error("odd"); }),
               std::runtime_error);
  gate_.enter();
  gate_.leave();
}

TEST_F(StorageGateTest, AReaderThatWaitsIsLetGoWhenTheRunEnds) {
  open();
  std::atomic<int> seen = -1;
  std::thread reader([&] { seen = gate_.read([](const StorageGate::View&) {}) ? 1 : 0; });
  gate_.close("end");
  reader.join();
  EXPECT_EQ(seen, 0);
}

// A round makes two directories; nobody sees one of them alone. Readers come without a pause, and
// the run's thread gets in nevertheless.
TEST_F(StorageGateTest, ReadersSeeWholeRoundsAndLetTheRunIn) {
  constexpr int rounds = 200;
  open();
  const std::size_t at_first = inodes();
  std::atomic<bool> has_ended = false;
  std::atomic<std::uint64_t> reads = 0;
  std::vector<std::thread> readers;
  for (int i = 0; i < 4; ++i) {
    readers.emplace_back([&] {
      while (!has_ended) {
        gate_.read([&](const StorageGate::View& view) {
          EXPECT_EQ((view.state.tree.size() - at_first) % 2, 0u);
          ++reads;
        });
      }
    });
  }
  for (int i = 0; i < rounds; ++i) {
    for (const char* side : {"left", "right"}) {
      namenode_.call(mkdirs("/" + std::to_string(i) + side), at_seconds(0));
    }
    gate_.leave();
    EXPECT_TRUE(i > 0 || eventually([&] { return reads > 0; }));
    gate_.enter();
  }
  has_ended = true;
  gate_.close("end");
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(inodes(), at_first + 2 * rounds);
}

// Those that find no room try again.
TEST_F(StorageGateTest, EveryCallOfManyThreadsIsExecutedOnceAndAnsweredOnce) {
  constexpr int threads = 4;
  constexpr int calls = 50;
  open();
  gate_.leave();
  std::atomic<int> answered = 0;
  std::vector<std::thread> callers;
  for (int thread = 0; thread < threads; ++thread) {
    callers.emplace_back([&, thread] {
      for (int i = 0; i < calls; ++i) {
        const std::string path = "/" + std::to_string(thread) + "-" + std::to_string(i);
        for (bool is_done = false; !is_done;) {
          std::atomic<int> outcome = 0;
          gate_.call(mkdirs(path), [&](const StorageReply& reply) {
            outcome = std::holds_alternative<StorageFailure>(reply) ? 1 : 2;
          });
          EXPECT_TRUE(eventually([&] { return outcome != 0; }));
          is_done = outcome == 2;
        }
        ++answered;
      }
    });
  }
  while (answered < threads * calls) step();
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(inodes(), 1u + threads * calls);
}

}  // namespace
}  // namespace tracebed
