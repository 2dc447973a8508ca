// A Redis that a test starts, ends and starts again.
#pragma once

#include <chrono>
#include <gtest/gtest.h>
#include <optional>
#include <string>

#include "coordinator/real/child_process.h"
#include "coordinator/real/redis_connection.h"
#include "core/input_error.h"
#include "support/eventually.h"
#include "support/temporary_folder.h"

namespace tracebed {

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

}  // namespace tracebed
