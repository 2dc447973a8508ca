#include "coordinator/real/redis_monitor.h"

#include <exception>
#include <utility>

namespace tracebed {
namespace {

// Ends a look that is under way.
struct WatchEnds : std::exception {};

}  // namespace

RedisMonitor::RedisMonitor(std::string address, RedisLogin login, Warn warn, Warn tell,
                           std::chrono::milliseconds period)
    : address_(std::move(address)),
      login_(std::move(login)),
      warn_(std::move(warn)),
      tell_(std::move(tell)),
      period_(period),
      thread_([this] { work(); }) {}

RedisMonitor::~RedisMonitor() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  ends_.notify_all();
  thread_.join();
}

RedisMonitor::State RedisMonitor::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

// Why it is of no use; empty if it is.
std::string RedisMonitor::look() const {
  const auto look_at_end = [this] {
    const std::lock_guard lock(mutex_);
    if (is_ending_) throw WatchEnds();
  };
  try {
    const RedisConnection connection(address_, login_, {{}, {}, look_at_end, {}});
    return {};
  } catch (const WatchEnds&) {
    throw;
  } catch (const std::exception& error) {
    return error.what();
  }
}

void RedisMonitor::work() {
  for (;;) {
    std::string trouble;
    try {
      trouble = look();
    } catch (const WatchEnds&) {
      return;
    }
    std::unique_lock lock(mutex_);
    const State before = std::exchange(state_, State{true, trouble.empty(), trouble});
    const bool is_news = before.trouble != trouble;
    lock.unlock();
    if (is_news && !trouble.empty()) warn_(trouble + "; runs on the cluster need it");
    if (is_news && trouble.empty()) tell_("Redis at " + address_ + " answers again");
    lock.lock();
    if (ends_.wait_for(lock, period_, [this] { return is_ending_; })) return;
  }
}

}  // namespace tracebed
