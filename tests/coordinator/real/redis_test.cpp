#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <signal.h>
#include <unistd.h>

#include "coordinator/real/private_redis.h"
#include "coordinator/real/redis_connection.h"
#include "coordinator/real/redis_round_log.h"
#include "coordinator/real/redis_views.h"
#include "core/input_error.h"
#include "protocol/log_file.h"
#include "protocol/random_rounds.h"
#include "support/eventually.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::ThrowsMessage;
using ::testing::UnorderedElementsAre;

class RedisTest : public ::testing::Test {
 protected:
  std::map<std::string, std::string> hash(const std::string& part) {
    const RedisReply reply = connection_.ask({"HGETALL", redis_key("run-1", part)});
    std::map<std::string, std::string> fields;
    for (std::size_t i = 0; i + 1 < reply->elements; i += 2) {
      fields[reply->element[i]->str] = reply->element[i + 1]->str;
    }
    return fields;
  }
  // Appends `count` random rounds with a commit after each, and remembers them.
  void append(RoundLog& log, int count) {
    Round round;
    for (int i = 0; i < count; ++i) {
      rounds_.fill(round);
      log.append(round);
      log.commit();
      written_.push_back(test::describe(round));
    }
  }
  void expect_written(RoundSource& source) {
    Round round;
    for (const std::string& expected : written_) {
      ASSERT_TRUE(source.next(round));
      ASSERT_EQ(test::describe(round), expected);
    }
    EXPECT_FALSE(source.next(round));
  }
  // The server's process: the keeper's child that the socket's peer names.
  pid_t server() {
    const RedisReply reply = connection_.ask({"INFO", "server"});
    const std::string info = reply->str;
    return std::stoi(info.substr(info.find("process_id:") + 11));
  }

  PrivateRedis redis_{RedisPersistence::none};
  RedisConnection connection_{redis_.address()};
  Names names_;
  test::RandomRounds rounds_{21, names_};
  std::vector<std::string> written_;
};

class RedisLogTest : public RedisTest, public ::testing::WithParamInterface<RedisDurability> {};

TEST_P(RedisLogTest, ComesBackFromRedis) {
  RedisRoundLog log(connection_, "run-1", names_, GetParam());
  append(log, 200);
  log.finish();
  Names read;
  RedisRoundSource source(connection_, "run-1", read);
  expect_written(source);
  EXPECT_TRUE(source.is_whole());
  EXPECT_EQ(read.users.size(), names_.users.size());
}

INSTANTIATE_TEST_SUITE_P(Durabilities, RedisLogTest,
                         ::testing::Values(RedisDurability::sent, RedisDurability::acknowledged));

TEST_F(RedisTest, TheCopyOfALogIsALogFileWithTheSameRounds) {
  TemporaryFolder folder;
  {
    PieceFileWriter copy(folder.file("rounds.log"), "run-1", LogCompression::none);
    RedisRoundLog log(connection_, "run-1", names_, RedisDurability::sent, &copy);
    append(log, 100);
    log.finish();
  }
  Names read;
  LogFileReader reader(folder.file("rounds.log"), read);
  EXPECT_EQ(reader.run(), "run-1");
  expect_written(reader);
  EXPECT_EQ(reader.loss(), std::nullopt);
}

// What Redis may not have is in the copy: it is written first.
TEST_F(RedisTest, TheCopyHasTheRoundsThatRedisDidNotTake) {
  TemporaryFolder folder;
  {
    PieceFileWriter copy(folder.file("rounds.log"), "run-1", LogCompression::none);
    RedisRoundLog log(connection_, "run-1", names_, RedisDurability::acknowledged, &copy);
    append(log, 10);
    kill(server(), SIGKILL);
    Round round;
    rounds_.fill(round);
    log.append(round);
    EXPECT_THROW(log.commit(), EnvironmentError);
    written_.push_back(test::describe(round));
    log.finish_copy();
  }
  Names read;
  LogFileReader reader(folder.file("rounds.log"), read);
  expect_written(reader);
  EXPECT_EQ(reader.loss(), std::nullopt);
}

// A Redis that stands still: what `look` throws ends the wait, however long it was to be.
TEST_F(RedisTest, AWaitForAnswersIsLeftWhenItsUserSaysSo) {
  struct Left : std::exception {};
  bool leaves = false;
  RedisConnection connection(redis_.address(), {},
                             {{},
                              {},
                              [&] {
                                if (leaves) throw Left();
                              },
                              {}});
  const pid_t process = server();
  ::kill(process, SIGSTOP);
  leaves = true;
  EXPECT_THROW(connection.ask({"PING"}), Left);
  EXPECT_THROW(RedisConnection(redis_.address(), {}, {{}, {}, [] { throw Left(); }, {}}), Left);
  ::kill(process, SIGCONT);
  EXPECT_EQ(connection_.ask({"PING"})->type, REDIS_REPLY_STATUS);
}

// Its owner and its keeper were killed with it. A young folder may be of a server that is about to
// listen, and that of a living one is in use.
TEST_F(RedisTest, TheFoldersOfDeadServersAreRemovedByTheNext) {
  const std::filesystem::path parent = redis_.folder().parent_path();
  const std::filesystem::path dead = parent / "tracebed-redis-dead-for-long";
  const std::filesystem::path young = parent / "tracebed-redis-young";
  const auto long_ago = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
  std::filesystem::create_directory(dead);
  std::filesystem::create_directory(young);
  std::filesystem::last_write_time(dead, long_ago);
  std::filesystem::last_write_time(redis_.folder(), long_ago);
  const PrivateRedis next(RedisPersistence::none);
  EXPECT_FALSE(std::filesystem::exists(dead));
  EXPECT_TRUE(std::filesystem::exists(young));
  EXPECT_TRUE(std::filesystem::exists(redis_.folder()));
  std::filesystem::remove(young);
}

TEST_F(RedisTest, ALogWithoutItsEndIsReadAndSaysSo) {
  RedisRoundLog log(connection_, "run-1", names_, RedisDurability::acknowledged);
  append(log, 10);
  Names read;
  RedisRoundSource source(connection_, "run-1", read);
  expect_written(source);
  EXPECT_FALSE(source.is_whole());
}

TEST_F(RedisTest, AMissingEntryAndAForeignStreamAreRefused) {
  RedisRoundLog log(connection_, "run-1", names_, RedisDurability::acknowledged);
  append(log, 10);
  connection_.ask({"XDEL", redis_key("run-1", "log"), "4-0"});
  Names read;
  RedisRoundSource source(connection_, "run-1", read);
  EXPECT_THAT([&] { expect_written(source); },
              ThrowsMessage<InputError>(AllOf(HasSubstr("run run-1 is damaged"),
                                              HasSubstr("expected entry 4-0"), HasSubstr("5-0"))));
  connection_.ask({"XADD", redis_key("run-2", "log"), "1-0", "piece", "not a piece"});
  Names none;
  RedisRoundSource foreign(connection_, "run-2", none);
  Round round;
  EXPECT_THAT([&] { foreign.next(round); },
              ThrowsMessage<InputError>(HasSubstr("run run-2 is damaged")));
}

TEST_F(RedisTest, ARunIsLoggedOnlyOnce) {
  RedisRoundLog log(connection_, "run-1", names_, RedisDurability::acknowledged);
  append(log, 1);
  EXPECT_THAT([&] { RedisRoundLog(connection_, "run-1", names_, RedisDurability::sent); },
              ThrowsMessage<EnvironmentError>(HasSubstr("already has a log of run run-1")));
}

TEST_F(RedisTest, WhenRedisDiesTheRunIsToldWhereAndWhatMayBeLost) {
  RedisRoundLog log(connection_, "run-1", names_, RedisDurability::acknowledged);
  append(log, 3);
  kill(server(), SIGKILL);
  EXPECT_THAT(
      [&] { append(log, 1); },
      ThrowsMessage<EnvironmentError>(
          AllOf(HasSubstr("lost the connection to Redis at " + redis_.address()),
                HasSubstr("Of the 4 rounds of this run, those after the first 3 may be missing"))));
}

TEST_F(RedisTest, CommandsInFlightAreBounded) {
  // So small that the gathered bytes alone would let more of them wait.
  for (int i = 0; i < 20'000; ++i) {
    connection_.send({"PING"});
    ASSERT_LE(connection_.commands_sent() - connection_.commands_answered(),
              RedisConnection::in_flight_max);
  }
  connection_.wait_for_replies();
  EXPECT_EQ(connection_.commands_sent(), connection_.commands_answered());
}

TEST_F(RedisTest, ARefusedCommandIsAnError) {
  connection_.ask({"SET", "key", "a string"});
  connection_.send({"HSET", "key", "field", "value"});
  EXPECT_THAT(
      [&] { connection_.wait_for_replies(); },
      ThrowsMessage<EnvironmentError>(AllOf(HasSubstr(redis_.address()), HasSubstr("WRONGTYPE"))));
}

TEST(RedisConnection, AnAddressThatIsNoneIsRefusedAndOneWithoutRedisIsNamed) {
  for (const char* address : {"", "localhost", "host:", "host:99999", ":6379", "host:12x"}) {
    EXPECT_THAT([&] { RedisConnection connection(address); },
                ThrowsMessage<InputError>(HasSubstr("HOST:PORT")))
        << address;
  }
  EXPECT_THAT([] { RedisConnection connection("unix:/nonexistent/redis.sock"); },
              ThrowsMessage<EnvironmentError>(
                  HasSubstr("no Redis answers at unix:/nonexistent/redis.sock")));
}

TEST_F(RedisTest, ViewsTellOfDrainedNodesAndOfWhatWasWantedBack) {
  RedisViews views(connection_, "run-1", names_);
  Round round;
  round.machines.push_back({.name = "node-3", .rack = "/r", .capacity = Resources(8'000, 900)});
  round.arrivals.push_back(NodeJoined{NodeId(0u), 0});
  round.arrivals.push_back(
      AdministratorCommand{.kind = AdministratorCommandKind::drain, .node = NodeId(0u)});
  round.arrivals.push_back(
      AdministratorCommand{.kind = AdministratorCommandKind::drain, .node = NodeId(9u)});
  views.arrived(round);
  PreemptionRecord record;
  record.job = JobId(7u);
  record.queue = names_.queues.intern("batch");
  record.end = PreemptionEnd::forced;
  views.preemption_ended(record);
  views.preemption_ended(record);
  record.end = PreemptionEnd::checkpointed;
  views.preemption_ended(record);
  connection_.wait_for_replies();
  EXPECT_EQ(hash("node:node-3")["drained"], "1");
  const auto counts =
      UnorderedElementsAre(Pair("preemptions_forced", "2"), Pair("preemptions_checkpointed", "1"));
  EXPECT_THAT(hash("job:7"), counts);
  EXPECT_THAT(hash("queue:batch"), counts);
  round.arrivals = {
      AdministratorCommand{.kind = AdministratorCommandKind::undrain, .node = NodeId(0u)}};
  views.arrived(round);
  connection_.wait_for_replies();
  EXPECT_EQ(hash("node:node-3")["drained"], "0");
}

TEST_F(RedisTest, ViewsFollowAJobFromSubmissionToItsEnd) {
  RedisViews views(connection_, "run-1", names_);
  Round round;
  test::fill_with_simple_job(round, 7, names_.users.intern("ann"), names_.queues.intern("batch"));
  round.arrivals.resize(1);
  round.machines.push_back({.name = "node-3", .rack = "/r", .capacity = Resources(8'000, 900)});
  round.arrivals.push_back(NodeJoined{NodeId(2u), 0});
  round.arrivals.push_back(NodeHeartbeat{NodeId(2u), Resources(700, 90)});
  views.arrived(round);
  LaunchContainer launch;
  launch.container = ContainerId(5u);
  launch.node = NodeId(2u);
  launch.application = ApplicationId(0u);
  launch.limits = Resources(4'000, 100);
  launch.is_held = true;
  views.commanded(std::vector<Command>{launch});
  connection_.wait_for_replies();
  // Use of whatever ran there before it joined is not the run's.
  EXPECT_EQ(hash("node:node-3")["used_milli_vcores"], "0");
  round.arrivals = {NodeHeartbeat{NodeId(2u), Resources(700, 90)}};
  views.arrived(round);
  connection_.wait_for_replies();
  EXPECT_THAT(hash("job:7"), UnorderedElementsAre(Pair("name", "job-1234"), Pair("user", "ann"),
                                                  Pair("queue", "batch"), Pair("submitted", "7000"),
                                                  Pair("tasks", "4"), Pair("state", "open"),
                                                  Pair("containers", "1")));
  EXPECT_THAT(hash("container:5"),
              UnorderedElementsAre(Pair("job", "7"), Pair("task", "0/0"), Pair("attempt", "1"),
                                   Pair("node", "node-3"), Pair("milli_vcores", "4000"),
                                   Pair("memory_mib", "100"), Pair("state", "held")));
  EXPECT_THAT(
      hash("node:node-3"),
      UnorderedElementsAre(Pair("rack", "/r"), Pair("milli_vcores", "8000"),
                           Pair("memory_mib", "900"), Pair("state", "alive"), Pair("since", "7000"),
                           Pair("containers", "1"), Pair("heartbeat", "7000"),
                           Pair("used_milli_vcores", "700"), Pair("used_memory_mib", "90")));
  EXPECT_THAT(hash("queue:batch"),
              UnorderedElementsAre(Pair("jobs_open", "1"), Pair("jobs_ended", "0"),
                                   Pair("containers", "1")));

  views.commanded(std::vector<Command>{ContinueContainer{ContainerId(5u), NodeId(2u)}});
  connection_.wait_for_replies();
  EXPECT_EQ(hash("container:5")["state"], "running");
  views.commanded(std::vector<Command>{CheckpointContainer{ContainerId(5u), NodeId(2u)}});
  connection_.wait_for_replies();
  EXPECT_EQ(hash("container:5")["state"], "checkpointing");
  views.commanded(std::vector<Command>{KillContainer{ContainerId(5u), NodeId(2u)}});
  connection_.wait_for_replies();
  EXPECT_EQ(hash("container:5")["state"], "being killed");

  AttemptRecord attempt;
  attempt.container = ContainerId(5u);
  attempt.application = ApplicationId(0u);
  attempt.node = NodeId(2u);
  attempt.launched = true;
  views.attempt_ended(attempt);
  connection_.wait_for_replies();
  EXPECT_EQ(hash("node:node-3")["used_milli_vcores"], "0");
  EXPECT_EQ(hash("node:node-3")["used_memory_mib"], "0");
  JobRecord job;
  job.job = JobId(7u);
  job.queue = QueueId(0u);
  job.outcome = JobOutcome::killed;
  job.finished = trace_time(9'000);
  job.attempts = 1;
  views.job_ended(job);
  views.sampled({.at = trace_time(9'000), .jobs_open = 0});
  round.clear();
  round.now = trace_time(10'000);
  round.arrivals.push_back(NodeLost{NodeId(2u)});
  views.arrived(round);
  connection_.wait_for_replies();
  EXPECT_THAT(hash("container:5"), IsEmpty());
  EXPECT_EQ(hash("job:7")["state"], "killed");
  EXPECT_EQ(hash("job:7")["finished"], "9000");
  EXPECT_EQ(hash("job:7")["containers"], "0");
  EXPECT_THAT(hash("queue:batch"),
              UnorderedElementsAre(Pair("jobs_open", "0"), Pair("jobs_ended", "1"),
                                   Pair("containers", "0")));
  EXPECT_EQ(hash("node:node-3")["state"], "lost");
  EXPECT_EQ(hash("node:node-3")["containers"], "0");
  EXPECT_EQ(hash("run")["now"], "9000");
}

}  // namespace
}  // namespace tracebed
