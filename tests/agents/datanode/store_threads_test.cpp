#include <atomic>
#include <thread>

#include "agents/datanode/store_fixture.h"

namespace tracebed::test {
namespace {

class StoreThreads : public StoreFixture {
 protected:
  StoreThreads() { start(options(StoreKind::generated)); }
};

TEST_F(StoreThreads, ReadWhatOneWriterHasPublished) {
  const Bytes bytes = random_bytes(200'000);
  ReplicaWriter written = writer();
  std::atomic<bool> is_done = false;
  std::vector<std::jthread> readers;
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&] {
      while (!is_done) {
        const Bytes seen = read();
        ASSERT_TRUE(std::equal(seen.begin(), seen.end(), bytes.begin()));
      }
    });
  }
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t count = std::min<std::size_t>(700, bytes.size() - at);
    ASSERT_TRUE(written.append(at, std::span(bytes).subspan(at, count)));
    at += count;
  }
  ASSERT_TRUE(written.finalize());
  is_done = true;
  readers.clear();
  EXPECT_EQ(read(), bytes);
}

TEST_F(StoreThreads, AddReadAndRemoveAtTheSameTime) {
  std::vector<std::jthread> threads;
  for (std::uint64_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (std::uint64_t turn = 0; turn < 100; ++turn) {
        const std::uint64_t id = turn % 3;
        (void)store_->add(std::vector<OrderedReplica>{{id, stamp, 1'000}});
        if (const auto reader = store_->open(id)) {
          EXPECT_EQ(read(*reader), generated_bytes(id, 1'000));
        }
        if (turn % 4 == thread) (void)store_->remove(id, stamp);
      }
    });
  }
  threads.clear();
  EXPECT_EQ(store_->figures().used, 1'000 * store_->list().size());
}

TEST_F(StoreThreads, TakeOverFromAWriterThatEnds) {
  StoreOptions patient = options(StoreKind::generated);
  patient.writer_end_timeout = std::chrono::minutes(10);
  start(patient);
  std::atomic<bool> has_begun = false;
  std::jthread first([&] {
    ReplicaWriter written = writer();
    has_begun = true;
    std::uint64_t length = 0;
    while (written.append(length, random_bytes(1))) ++length;
  });
  while (!has_begun) std::this_thread::yield();
  EXPECT_TRUE(store_->resume(block, stamp + 1, 0, ~std::uint64_t{0}, 10));
  EXPECT_EQ(info().length, 0u);  // nothing was acknowledged
}

}  // namespace
}  // namespace tracebed::test
