#include "coordinator/real/scheduler_threads.h"

#include <fmt/format.h>
#include <system_error>
#include <utility>

#include "core/check.h"
#include "core/input_error.h"
#include "system/thread_without_signals.h"

namespace tracebed {

void SchedulerThreads::begin(std::size_t scheduler, std::uint64_t decision,
                             std::function<void()> decide) {
  const std::lock_guard lock(mutex_);
  TRACEBED_CHECK(!is_over_, "nothing is decided after the end");
  while (workers_.size() <= scheduler) workers_.emplace_back();
  Worker& worker = workers_[scheduler];
  TRACEBED_CHECK(!worker.decide, "a scheduler decides one thing at a time");
  worker.decide = std::move(decide);
  worker.made = {static_cast<std::uint32_t>(scheduler), decision};
  if (worker.thread.joinable()) return worker.changed.notify_one();
  try {
    worker.thread = thread_without_signals([this, &worker] { work(worker); });
  } catch (const std::system_error& error) {
    throw EnvironmentError(
        fmt::format("expected a thread for scheduler {}, got: {}", scheduler + 1, error.what()));
  }
}

void SchedulerThreads::work(Worker& worker) {
  std::unique_lock lock(mutex_);
  for (;;) {
    worker.changed.wait(lock, [&] { return worker.decide || is_over_; });
    if (!worker.decide) return;
    const std::function<void()> decide = worker.decide;
    lock.unlock();
    decide();
    lock.lock();
    worker.decide = nullptr;
    made_.push_back(worker.made);
    are_made_.ring();
  }
}

std::vector<DecisionMade> SchedulerThreads::take_made() {
  const std::lock_guard lock(mutex_);
  are_made_.clear();
  return std::exchange(made_, {});
}

void SchedulerThreads::stop() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
    for (Worker& worker : workers_) worker.changed.notify_one();
  }
  for (Worker& worker : workers_) {
    if (worker.thread.joinable()) worker.thread.join();
  }
}

}  // namespace tracebed
