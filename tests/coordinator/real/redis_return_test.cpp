// A Redis that goes away in a run and comes back, and who looks whether it is there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mutex>
#include <signal.h>

#include "coordinator/real/redis_connection.h"
#include "coordinator/real/redis_monitor.h"
#include "coordinator/real/redis_round_log.h"
#include "coordinator/real/redis_runs.h"
#include "coordinator/real/served_redis.h"
#include "core/input_error.h"
#include "protocol/random_rounds.h"
#include "support/eventually.h"

namespace tracebed {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

class RedisReturnTest : public ::testing::TestWithParam<int> {
 protected:
  void append(RoundLog& log, int count) {
    Round round;
    for (int i = 0; i < count; ++i) {
      rounds_.fill(round);
      log.append(round);
      log.commit();
      written_.push_back(test::describe(round));
    }
  }

  Names names_;
  test::RandomRounds rounds_{22, names_};
  std::vector<std::string> written_;
  std::vector<std::string> told_;
  RedisReturn back_{std::chrono::seconds(20),
                    [this](const std::string& message) { told_.push_back(message); }};
};

// Whether it ends in order or not, what it had not answered is sent again, and nothing twice.
TEST_P(RedisReturnTest, TheLogGoesOnWhereItWas) {
  ServedRedis redis(true);
  RedisConnection connection(redis.address(), {}, back_);
  RedisRoundLog log(connection, "run-1", names_, RedisDurability::sent);
  append(log, 300);
  redis.end(GetParam());
  redis.start();
  append(log, 300);
  log.finish();
  EXPECT_EQ(connection.returns(), 1u);
  ASSERT_THAT(told_, testing::SizeIs(1));
  EXPECT_THAT(told_[0],
              AllOf(HasSubstr("lost the connection"), HasSubstr("commands were sent again")));
  Names read;
  RedisRoundSource source(connection, "run-1", read);
  Round round;
  for (const std::string& expected : written_) {
    ASSERT_TRUE(source.next(round));
    ASSERT_EQ(test::describe(round), expected);
  }
  EXPECT_FALSE(source.next(round));
  EXPECT_TRUE(source.is_whole());
}

INSTANTIATE_TEST_SUITE_P(Ends, RedisReturnTest, ::testing::Values(SIGTERM, SIGKILL));

TEST_F(RedisReturnTest, ALogWithoutItsBeginningIsNoLog) {
  ServedRedis redis(false);
  RedisConnection connection(redis.address(), {}, back_);
  RedisRoundLog log(connection, "run-1", names_, RedisDurability::acknowledged);
  append(log, 5);
  redis.end(SIGTERM);
  redis.start();
  EXPECT_THAT([&] { append(log, 1); },
              ThrowsMessage<EnvironmentError>(
                  AllOf(HasSubstr("returned with 1 of the log's 6 pieces: it lost what it had "),
                        Not(HasSubstr("those after")))));
}

TEST_F(RedisReturnTest, ARedisThatDoesNotComeBackIsGivenUp) {
  ServedRedis redis(false);
  back_.timeout = std::chrono::milliseconds(300);
  RedisConnection connection(redis.address(), {}, back_);
  redis.end(SIGKILL);
  EXPECT_THAT([&] { connection.ask({"PING"}); },
              ThrowsMessage<EnvironmentError>(
                  AllOf(HasSubstr("did not return"), HasSubstr("1 commands had no answer"))));
}

TEST_F(RedisReturnTest, ItsLossIsSaidWhileItIsWaitedFor) {
  ServedRedis redis(true);
  std::vector<std::string> lost;
  back_.lost = [&](const std::string& message) {
    lost.push_back(message);
    redis.start();
  };
  RedisConnection connection(redis.address(), {}, back_);
  redis.end(SIGKILL);
  connection.ask({"PING"});
  ASSERT_EQ(lost.size(), 1u);
  EXPECT_THAT(lost[0], AllOf(HasSubstr("lost the connection"), HasSubstr(redis.address())));
}

TEST_F(RedisReturnTest, OneThatIsAwayAtFirstIsWaitedForLikewise) {
  ServedRedis redis(true);
  redis.end(SIGTERM);
  std::vector<std::string> lost;
  back_.lost = [&](const std::string& message) {
    lost.push_back(message);
    redis.start();
  };
  RedisConnection connection(redis.address(), {}, back_);
  EXPECT_EQ(std::string(connection.ask({"PING"})->str), "PONG");
  ASSERT_EQ(lost.size(), 1u);
  EXPECT_THAT(lost[0], AllOf(HasSubstr("no Redis answers"), HasSubstr("waits 20 s for it")));
  ASSERT_EQ(told_.size(), 1u);
  EXPECT_THAT(told_[0],
              AllOf(HasSubstr("did not answer; it returned after"), Not(HasSubstr("sent again"))));
}

TEST_F(RedisReturnTest, OneThatDoesNotComeIsGivenUp) {
  ServedRedis redis(false);
  redis.end(SIGKILL);
  back_.timeout = std::chrono::milliseconds(300);
  EXPECT_THAT([&] { RedisConnection(redis.address(), {}, back_); },
              ThrowsMessage<EnvironmentError>(
                  AllOf(HasSubstr("did not return"), HasSubstr("no Redis answers"))));
}

TEST_F(RedisReturnTest, AWrongPasswordIsNotWaitedFor) {
  ServedRedis redis(false);
  back_.lost = [](const std::string& message) { FAIL() << message; };
  EXPECT_THAT(
      [&] {
        RedisConnection(redis.address(), {"nobody", "wrong"}, back_);
      },
      ThrowsMessage<EnvironmentError>(HasSubstr("WRONGPASS")));
}

TEST_F(RedisReturnTest, AWatchIsAskedNowWhateverItsPeriod) {
  ServedRedis redis(true);
  const auto ignore = [](const std::string&) {};
  RedisMonitor watch(redis.address(), {}, ignore, ignore, std::chrono::hours(1));
  EXPECT_EQ(watch.look_now(), "");
  redis.end(SIGKILL);
  EXPECT_THAT(watch.look_now(), HasSubstr("no Redis answers"));
  EXPECT_FALSE(watch.state().is_up);
  redis.start();
  EXPECT_EQ(watch.look_now(), "");
  EXPECT_TRUE(watch.state().is_up);
}

TEST_F(RedisReturnTest, AWatchCountsWhatRunsHaveLeft) {
  ServedRedis redis(true);
  RedisConnection connection(redis.address());
  RedisRuns(connection).add("run-1", {.owner = "lab", .keys = 7, .log_bytes = 1'000});
  RedisRuns(connection).add("run-2", {.owner = "me", .keys = 5, .log_bytes = 10});
  const auto ignore = [](const std::string&) {};
  const RedisMonitor watch(redis.address(), {}, ignore, ignore, std::chrono::milliseconds(5));
  EXPECT_TRUE(eventually([&] { return watch.state().runs == 2; }));
  EXPECT_EQ(watch.state().keys, 12);
  EXPECT_EQ(watch.state().log_bytes, 1'010);
}

TEST_F(RedisReturnTest, AWatchSaysThatRedisIsGoneAndThatItIsBack) {
  ServedRedis redis(true);
  std::mutex mutex;
  std::vector<std::string> warnings;
  std::vector<std::string> news;
  const auto into = [&](std::vector<std::string>& list) {
    return [&](const std::string& message) {
      const std::lock_guard lock(mutex);
      list.push_back(message);
    };
  };
  const RedisMonitor watch(redis.address(), {}, into(warnings), into(news),
                           std::chrono::milliseconds(5));
  EXPECT_TRUE(eventually([&] { return watch.state().is_up; }));
  redis.end(SIGKILL);
  EXPECT_TRUE(eventually([&] { return !watch.state().is_up; }));
  EXPECT_THAT(watch.state().trouble, HasSubstr(redis.address()));
  redis.start();
  EXPECT_TRUE(eventually([&] {
    const std::lock_guard lock(mutex);
    return news.size() == 1;
  }));
  EXPECT_TRUE(watch.state().is_up);
  const RedisMonitor stranger(redis.address(), {"nobody", "wrong"}, into(warnings), into(news),
                              std::chrono::milliseconds(5));
  EXPECT_TRUE(eventually([&] { return !stranger.state().trouble.empty(); }));
  EXPECT_THAT(stranger.state().trouble, HasSubstr("WRONGPASS"));
}

}  // namespace
}  // namespace tracebed
