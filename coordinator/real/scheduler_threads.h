// The threads of schedulers that decide side by side: one for each, from its first decision on.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "core/decision_threads.h"
#include "core/scheduler_events.h"
#include "system/event_descriptor.h"

namespace tracebed {

class SchedulerThreads final : public DecisionThreads {
 public:
  SchedulerThreads() = default;
  ~SchedulerThreads() override { stop(); }
  SchedulerThreads(const SchedulerThreads&) = delete;
  SchedulerThreads& operator=(const SchedulerThreads&) = delete;

  // ---- for the thread of the run ----

  // Throws EnvironmentError if the system has no room for a thread.
  void begin(std::size_t scheduler, std::uint64_t decision, std::function<void()> decide) override;
  // Readable when decisions are made.
  int descriptor() const { return are_made_.number(); }
  // Those made since the last call, in the order in which they were.
  std::vector<DecisionMade> take_made();
  // Returns when what has begun is decided; nothing begins after it.
  void stop();

 private:
  struct Worker {
    std::function<void()> decide;  // empty: there is nothing to do
    DecisionMade made;
    std::condition_variable changed;
    std::thread thread;
  };
  void work(Worker& worker);

  std::mutex mutex_;            // guards what follows, but no worker's thread
  std::deque<Worker> workers_;  // by scheduler
  std::vector<DecisionMade> made_;
  bool is_over_ = false;
  EventDescriptor are_made_;
};

}  // namespace tracebed
