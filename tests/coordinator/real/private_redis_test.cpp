#include "coordinator/real/private_redis.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <optional>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "coordinator/real/redis_connection.h"
#include "core/input_error.h"
#include "support/eventually.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

// A zombie whose new parent has not noticed yet runs no more.
bool runs(pid_t process) {
  std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
  std::string number, name, state;
  stat >> number >> name >> state;
  return stat && state != "Z";
}

TEST(PrivateRedis, LeavesNothingBehind) {
  std::filesystem::path folder;
  pid_t keeper = 0;
  {
    PrivateRedis redis(RedisPersistence::always);
    folder = redis.folder();
    keeper = redis.keeper();
    EXPECT_TRUE(std::filesystem::exists(folder));
    EXPECT_TRUE(runs(keeper));
    RedisConnection connection(redis.address());
    EXPECT_STREQ(connection.ask({"CONFIG", "GET", "appendfsync"})->element[1]->str, "always");
    EXPECT_STREQ(connection.ask({"CONFIG", "GET", "port"})->element[1]->str, "0");
  }
  EXPECT_FALSE(std::filesystem::exists(folder));
  EXPECT_FALSE(runs(keeper));
}

// TMPDIR and the working folder for as long as this lives.
class Surroundings {
 public:
  Surroundings(const std::string& temporary, const std::filesystem::path& working)
      : working_(std::filesystem::current_path()) {
    if (const char* const set = std::getenv("TMPDIR")) temporary_ = set;
    setenv("TMPDIR", temporary.c_str(), 1);
    std::filesystem::current_path(working);
  }
  ~Surroundings() {
    std::filesystem::current_path(working_);
    if (temporary_) setenv("TMPDIR", temporary_->c_str(), 1);
    if (!temporary_) unsetenv("TMPDIR");
  }
  Surroundings(const Surroundings&) = delete;
  Surroundings& operator=(const Surroundings&) = delete;

 private:
  std::filesystem::path working_;
  std::optional<std::string> temporary_;
};

TEST(PrivateRedis, TakesARelativeTemporaryFolder) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "below");
  const Surroundings surroundings("below", folder.path());
  const PrivateRedis redis(RedisPersistence::none);
  EXPECT_TRUE(redis.folder().is_absolute());
  EXPECT_EQ(redis.folder().parent_path(), folder.path() / "below");
  RedisConnection connection(redis.address());
  EXPECT_STREQ(connection.ask({"PING"})->str, "PONG");
}

TEST(PrivateRedis, SaysThatTheTemporaryFolderIsTooLongOrNone) {
  const TemporaryFolder folder;
  const std::filesystem::path deep = folder.path() / std::string(90, 'x');
  std::filesystem::create_directory(deep);
  const auto start = [] { const PrivateRedis redis(RedisPersistence::none); };
  {
    const Surroundings surroundings(deep.string(), folder.path());
    EXPECT_THAT(start, ThrowsMessage<EnvironmentError>(
                           HasSubstr("TMPDIR: expected a path of at most 74 bytes")));
  }
  const Surroundings surroundings(folder.file("none"), folder.path());
  EXPECT_THAT(start,
              ThrowsMessage<EnvironmentError>(HasSubstr(
                  "TMPDIR: expected a folder for temporary files, got " + folder.file("none"))));
}

// The owner is killed without a chance to clean up; the keeper does it.
TEST(PrivateRedis, LeavesNothingBehindWhenItsOwnerIsKilled) {
  int report[2];
  ASSERT_EQ(pipe(report), 0);
  const pid_t owner = fork();
  if (owner == 0) {
    PrivateRedis redis(RedisPersistence::none);
    RedisConnection connection(redis.address());
    const std::string info = connection.ask({"INFO", "server"})->str;
    const pid_t ids[2] = {redis.keeper(), std::stoi(info.substr(info.find("process_id:") + 11))};
    if (write(report[1], ids, sizeof(ids)) != sizeof(ids)) _exit(1);
    const std::string folder = redis.folder();
    if (write(report[1], folder.data(), folder.size()) < 0) _exit(1);
    kill(getpid(), SIGKILL);
  }
  pid_t ids[2] = {};
  ASSERT_EQ(read(report[0], ids, sizeof(ids)), static_cast<ssize_t>(sizeof(ids)));
  char folder[200] = {};
  ASSERT_GT(read(report[0], folder, sizeof(folder) - 1), 0);
  waitpid(owner, nullptr, 0);
  EXPECT_TRUE(eventually([&] { return !runs(ids[0]) && !runs(ids[1]); }));
  EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST(PrivateRedis, TheServerEndsWhenItsKeeperIsKilled) {
  PrivateRedis redis(RedisPersistence::none);
  RedisConnection connection(redis.address());
  kill(redis.keeper(), SIGKILL);
  EXPECT_TRUE(eventually([&] {
    try {
      connection.ask({"PING"});
      return false;
    } catch (const EnvironmentError&) {
      return true;
    }
  }));
}

TEST(PrivateRedis, ServersOfTwoRunsDoNotMeet) {
  PrivateRedis one(RedisPersistence::none);
  PrivateRedis other(RedisPersistence::none);
  RedisConnection to_one(one.address());
  RedisConnection to_other(other.address());
  to_one.ask({"SET", "key", "value"});
  EXPECT_EQ(to_other.ask({"EXISTS", "key"})->integer, 0);
}

TEST(PrivateRedis, AMissingProgramIsNamed) {
  const std::string path = getenv("PATH");
  TemporaryFolder empty;
  setenv("PATH", empty.file("").c_str(), 1);
  EXPECT_THAT([] { PrivateRedis redis(RedisPersistence::none); },
              ThrowsMessage<EnvironmentError>(HasSubstr("redis-server did not start")));
  setenv("PATH", path.c_str(), 1);
}

}  // namespace
}  // namespace tracebed
