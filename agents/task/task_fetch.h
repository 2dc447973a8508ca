// What a task fetches from tasks of earlier stages (core/shuffle.h): by threads of its own, from
// the start of its process on, from the shuffle servers of their machines. The bytes are verified
// and dropped: a usage profile has no use for them.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "agents/task/completion_events.h"
#include "agents/task/stop_order.h"
#include "agents/task/work_spec.h"
#include "core/fetch_schedule.h"
#include "core/read_bytes.h"
#include "core/result.h"
#include "hdfs_client/connection.h"
#include "protocol/shuffle/shuffle_frames.h"
#include "protocol/shuffle/shuffle_token.h"

namespace tracebed {

class TaskFetch {
 public:
  // Starts its threads. `stop`, to which a descriptor is given, outlives it, and so do the others.
  // Fails if a thread cannot be created.
  TaskFetch(const WorkSpec& spec, const shuffle::JobToken& token, StopOrder& stop);
  // Its threads end.
  ~TaskFetch();
  TaskFetch(const TaskFetch&) = delete;
  TaskFetch& operator=(const TaskFetch&) = delete;

  // Waits until at least `bytes` bytes have been fetched. False if fetching has failed; true, with
  // fewer bytes, if the task has been ordered to stop.
  bool wait_for(std::int64_t bytes);
  // No more is fetched from now on. Gives the order to stop unless it has everything.
  void end();

  std::int64_t length() const { return spec_.work.shuffle_length; }
  std::int64_t position() const;
  // The CPU time of its threads so far.
  std::int64_t cpu_ns() const { return cpu_ns_.load(std::memory_order_relaxed); }
  // Names host and output, and why they cannot be fetched.
  std::optional<Error> failure() const;
  ReadBytes fetched() const;

 private:
  using Host = FetchSchedule::Host;
  using Clock = std::chrono::steady_clock;
  // Where a source's output for the stage is.
  struct Location {
    Host host = 0;
    std::uint32_t container = 0;
    std::int64_t offset = 0;  // in the container's output
  };
  struct Server {
    hdfs::Endpoint endpoint;
    std::int64_t ReadBytes::*distance = nullptr;
    // Since when it fails, and until when it is left alone.
    std::optional<Clock::time_point> failing_since;
    Clock::time_point again_at{};
  };
  struct Received {
    std::vector<std::int64_t> bytes;  // of each range, from its begin on, that are right
    std::optional<std::string> failure;
  };

  void work();
  void fetch(std::unique_lock<std::mutex>& lock, const FetchSchedule::Request& request);
  Received receive(const Server& server, const std::vector<shuffle::OutputRange>& ranges) const;
  void ask_for_events(std::unique_lock<std::mutex>& lock);
  Host host_of(const std::string& address, std::uint16_t port, const std::string& rack);
  void add_ready(Clock::time_point now);
  bool is_over() const;
  void count_cpu_time(std::int64_t& counted_ns);

  const WorkSpec& spec_;
  const shuffle::JobToken& token_;
  StopOrder& stop_;
  const int interrupt_;
  std::atomic<std::int64_t> cpu_ns_ = 0;

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  FetchSchedule schedule_;
  std::vector<Server> servers_;                  // by Host
  std::map<std::uint32_t, Location> locations_;  // by source
  std::uint64_t next_event_ = 0;
  bool is_asking_ = false;  // so one thread has `events_`
  std::unique_ptr<CompletionEvents>
      events_;  // none before the first question, and after one that failed
  Clock::time_point ask_at_{};
  std::chrono::milliseconds ask_pause_{0};
  ReadBytes fetched_;
  bool has_ended_ = false;
  std::optional<Error> failure_;
  std::vector<std::thread> threads_;
};

}  // namespace tracebed
