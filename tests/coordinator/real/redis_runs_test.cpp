// The index of runs whose state a Redis holds, and the removal of their keys.
#include "coordinator/real/redis_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/real/private_redis.h"
#include "coordinator/real/redis_round_log.h"

namespace tracebed {
namespace {

class RedisRunsTest : public ::testing::Test {
 protected:
  long long count_keys() { return connection_.ask({"DBSIZE"})->integer; }
  void fill(std::string_view run, int jobs) {
    for (int i = 0; i < jobs; ++i) {
      connection_.send({"HSET", redis_key(run, "job:" + std::to_string(i)), "name", "a"});
    }
    connection_.ask({"XADD", redis_key(run, "log"), "1-0", "piece", "bytes"});
  }

  PrivateRedis redis_{RedisPersistence::none};
  RedisConnection connection_{redis_.address()};
  RedisRuns runs_{connection_};
};

TEST_F(RedisRunsTest, ListsWhatWasAddedAndNothingElse) {
  EXPECT_TRUE(runs_.entries().empty());
  const RedisRun first{.owner = "0123", .folder = "7/fcfs/r1", .began = 5};
  const RedisRun second{.owner = "lab0", .folder = "/data/\"me\"/\xff", .began = 6};
  runs_.add("a-1", first);
  runs_.add("b-2", second);
  for (const char* junk : {"", "7", "[]", "{}", R"({"owner": 7, "folder": "x"})",
                           R"({"owner":"x","folder":"x","began":"x","ended":0,"keys":0})"}) {
    connection_.ask({"HSET", "tracebed:runs", std::string("junk") + junk, junk});
  }
  const RedisRuns::Entries entries = runs_.entries();
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries.at("a-1"), first);
  EXPECT_EQ(entries.at("b-2").began, 6);
}

TEST_F(RedisRunsTest, ARunThatHasEndedStatesItsSize) {
  const RedisRun entry{.owner = "0123", .folder = "7/fcfs", .began = 5};
  runs_.add("a-1", entry);
  fill("a-1", 3);
  runs_.end("a-1", entry, 4);
  const RedisRun ended = runs_.entries().at("a-1");
  EXPECT_EQ(ended.keys, 4);
  EXPECT_GT(ended.log_bytes, 5);
  EXPECT_GE(ended.ended, 1'700'000'000);
  EXPECT_EQ(ended.folder, "7/fcfs");
}

TEST_F(RedisRunsTest, RemovesAllKeysOfTheRunsAndNoOthers) {
  constexpr int more_than_a_step = 2'500;
  for (const char* run : {"a-1", "a-2", "a-10"}) {
    runs_.add(run, {.owner = "0123"});
    fill(run, more_than_a_step);
  }
  connection_.ask({"SET", "tracebed:{a-1", "no run's"});
  connection_.ask({"SET", "other:{a-1}:job", "not ours"});
  EXPECT_EQ(runs_.remove({"a-1", "a-2", "unknown"}), 2 * (more_than_a_step + 1));
  EXPECT_EQ(count_keys(), more_than_a_step + 1 + /*index*/ 1 + /*others*/ 2);
  ASSERT_EQ(runs_.entries().size(), 1u);
  EXPECT_EQ(runs_.entries().begin()->first, "a-10");
  EXPECT_EQ(runs_.remove({}), 0);
}

// However often a page of a hash or of the keys comes, its size is bounded by what Redis returns.
TEST_F(RedisRunsTest, ListsMoreThanAStep) {
  constexpr std::size_t count = 3'000;
  for (std::size_t i = 0; i < count; ++i) runs_.add("run-" + std::to_string(i), {.owner = "me"});
  EXPECT_EQ(runs_.entries().size(), count);
}

}  // namespace
}  // namespace tracebed
