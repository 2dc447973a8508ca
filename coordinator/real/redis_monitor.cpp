#include "coordinator/real/redis_monitor.h"

#include <exception>
#include <utility>

#include "coordinator/real/redis_runs.h"

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

// Why it is of no use; empty if it is. What it holds is counted into `contents`, if that is given.
std::string RedisMonitor::look(State* contents) const {
  const auto look_at_end = [this] {
    const std::lock_guard lock(mutex_);
    if (is_ending_) throw WatchEnds();
  };
  try {
    RedisConnection connection(address_, login_, {{}, {}, look_at_end, {}});
    if (contents == nullptr) return {};
    for (const auto& [run, entry] : RedisRuns(connection).entries()) {
      ++contents->runs;
      contents->keys += entry.keys;
      contents->log_bytes += entry.log_bytes;
    }
    return {};
  } catch (const WatchEnds&) {
    throw;
  } catch (const std::exception& error) {
    return error.what();
  }
}

void RedisMonitor::note(const std::string& trouble) {
  std::unique_lock lock(mutex_);
  const std::string before = std::exchange(state_.trouble, trouble);
  state_.is_known = true;
  state_.is_up = trouble.empty();
  lock.unlock();
  if (before == trouble) return;
  if (trouble.empty()) {
    tell_("Redis at " + address_ + " answers again");
  } else {
    warn_(trouble + "; runs on the cluster need it");
  }
}

std::string RedisMonitor::look_now() {
  std::string trouble;
  try {
    trouble = look(nullptr);
    note(trouble);
  } catch (const WatchEnds&) {
  }
  return trouble;
}

void RedisMonitor::work() {
  constexpr std::chrono::minutes count_period{1};
  std::chrono::steady_clock::time_point next_count;
  for (;;) {
    State contents;
    const auto now = std::chrono::steady_clock::now();
    const bool counts = now >= next_count;
    try {
      const std::string trouble = look(counts ? &contents : nullptr);
      note(trouble);
      if (trouble.empty() && counts) next_count = now + count_period;
    } catch (const WatchEnds&) {
      return;
    }
    std::unique_lock lock(mutex_);
    if (counts && state_.is_up) {
      state_.runs = contents.runs;
      state_.keys = contents.keys;
      state_.log_bytes = contents.log_bytes;
    }
    if (ends_.wait_for(lock, period_, [this] { return is_ending_; })) return;
  }
}

}  // namespace tracebed
