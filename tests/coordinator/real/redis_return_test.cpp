// A Redis that goes away in a run and comes back, and who looks whether it is there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mutex>
#include <optional>
#include <signal.h>

#include "coordinator/real/child_process.h"
#include "coordinator/real/redis_connection.h"
#include "coordinator/real/redis_monitor.h"
#include "coordinator/real/redis_round_log.h"
#include "core/input_error.h"
#include "protocol/random_rounds.h"
#include "support/eventually.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

// A server of one folder that ends and is started again, as a service's is. With a file it syncs
// each write, as a run's own does: with Redis' default it answers before it has written while an
// earlier sync is not over, and loses what it answered when it is killed then.
class ServedRedis {
 public:
  explicit ServedRedis(bool keeps_file) : keeps_file_(keeps_file) { start(); }
  void start() {
    server_.emplace(ChildProcess::Start{
        .program = "redis-server",
        .arguments = {"--port", "0", "--unixsocket", folder_.file("socket"), "--dir",
                      folder_.path().string(), "--save", "", "--appendonly",
                      keeps_file_ ? "yes" : "no", "--appendfsync", "always"},
        .output = folder_.file("log")});
    ASSERT_TRUE(eventually([&] {
      try {
        RedisConnection connection(address());
        return true;
      } catch (const EnvironmentError&) {
        return false;
      }
    }));
  }
  void end(int signal) {
    server_->signal(signal);
    EXPECT_TRUE(server_->wait(std::chrono::seconds(10)));
    server_.reset();
  }
  std::string address() const { return "unix:" + folder_.file("socket"); }

 private:
  TemporaryFolder folder_;
  bool keeps_file_;
  std::optional<ChildProcess> server_;
};

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
              ThrowsMessage<EnvironmentError>(HasSubstr("returned with 1 of the log's 6 pieces")));
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
