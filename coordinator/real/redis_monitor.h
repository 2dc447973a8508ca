// Checks every few seconds whether the Redis of a coordinator answers and accepts its login, in a
// thread of its own, so that the administrator is notified before a run fails because of it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "coordinator/real/real_options.h"
#include "coordinator/real/redis_connection.h"

namespace tracebed {

class RedisMonitor {
 public:
  struct State {
    bool is_known = false;  // it has been checked
    bool is_up = false;
    std::string trouble;  // why it is down, with its address
    // What it holds, at most a minute old: runs of all who share it, their keys, and the memory
    // that their logs take (RedisRuns).
    std::int64_t runs = 0;
    std::int64_t keys = 0;
    std::int64_t log_bytes = 0;
  };

  // `warn` is called when it goes down, `tell` when it is up again, by the monitor's thread or the
  // one that looks. Throws nothing: an invalid address is reported like any other trouble.
  RedisMonitor(std::string address, RedisLogin login, Warn warn, Warn tell,
               std::chrono::milliseconds period = std::chrono::seconds(5));
  ~RedisMonitor();
  RedisMonitor(const RedisMonitor&) = delete;
  RedisMonitor& operator=(const RedisMonitor&) = delete;

  const std::string& address() const { return address_; }
  State state() const;
  // Looks now: why it is of no use, empty if it is. Takes ten seconds at most.
  std::string look_now();

 private:
  void work();
  std::string look(State* contents) const;
  void note(const std::string& trouble);

  const std::string address_;
  const RedisLogin login_;
  const Warn warn_;
  const Warn tell_;
  const std::chrono::milliseconds period_;
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable ends_;
  bool is_ending_ = false;
  State state_;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace tracebed
