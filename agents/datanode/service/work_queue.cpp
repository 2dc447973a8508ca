#include "agents/datanode/service/work_queue.h"

#include <utility>

namespace tracebed {

WorkQueue::WorkQueue(std::size_t threads, std::size_t waiting_max) : waiting_max_(waiting_max) {
  for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { run(); });
}

WorkQueue::~WorkQueue() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
    changed_.notify_all();
  }
  threads_.clear();
}

bool WorkQueue::add(std::function<void()> work) {
  const std::lock_guard lock(mutex_);
  if (waiting_.size() == waiting_max_) return false;
  waiting_.push_back(std::move(work));
  changed_.notify_one();
  return true;
}

void WorkQueue::run() {
  for (;;) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_ending_ || !waiting_.empty(); });
    if (is_ending_) return;
    const std::function<void()> work = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    work();
  }
}

}  // namespace tracebed
