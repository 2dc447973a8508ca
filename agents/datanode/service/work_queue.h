// Threads that do, in the order in which it comes, what must not hold up the caller.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tracebed {

// Any thread may add work.
class WorkQueue {
 public:
  WorkQueue(std::size_t threads, std::size_t waiting_max);
  // Drops what has not begun, and waits for what has.
  ~WorkQueue();
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;

  // False if too much waits: it is not done.
  bool add(std::function<void()> work);

 private:
  void run();

  const std::size_t waiting_max_;
  std::mutex mutex_;  // guards what follows, but not the threads
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  bool is_ending_ = false;
  std::vector<std::jthread> threads_;
};

}  // namespace tracebed
