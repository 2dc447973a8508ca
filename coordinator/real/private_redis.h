// A Redis of the run's own: on a UNIX socket in a private folder, gone with the run.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "coordinator/real/child_process.h"

namespace tracebed {

// What Redis' append-only file guarantees for commands that Redis has answered.
enum class RedisPersistence : std::uint8_t {
  none,          // it is in Redis' memory
  every_second,  // it is on the disk a second later
  always,        // it is on the disk
};

class PrivateRedis {
 public:
  // Starts the server in a new folder below the temporary one and waits until it answers. Removes
  // the folders of servers that died without cleaning up. Throws EnvironmentError, with the
  // server's output, if it does not answer.
  explicit PrivateRedis(RedisPersistence persistence);
  // Ends the server and removes the folder. When this process is killed instead, a keeper process
  // does the same.
  ~PrivateRedis();
  PrivateRedis(const PrivateRedis&) = delete;
  PrivateRedis& operator=(const PrivateRedis&) = delete;

  // For RedisConnection.
  std::string address() const { return "unix:" + socket(); }
  const std::filesystem::path& folder() const { return folder_; }
  // Of the keeper, whose child the server is.
  pid_t keeper() const { return keeper_->id(); }

 private:
  std::string socket() const { return (folder_ / "redis.sock").string(); }
  void start(RedisPersistence persistence);
  void wait_until_it_answers();
  std::string last_words() const;

  std::filesystem::path folder_;
  FileDescriptor log_;  // its file is removed with the folder, its contents are not
  Lifeline lifeline_;
  std::optional<ChildProcess> keeper_;
};

}  // namespace tracebed
