#include "schedulers/hadoop1/capacity/reclaim.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tracebed {
namespace {

// CapacityTaskScheduler.HEARTBEATS_LEFT_BEFORE_KILLING.
constexpr std::int64_t heartbeats_left = 3;

}  // namespace

void ReclaimRequests::got_one() {
  if (waiting_.empty()) return;
  Request& oldest = waiting_.front();
  if (--oldest.left > 0) return;
  expiring_.push_back(oldest);
  waiting_.pop_front();
}

std::int64_t ReclaimRequests::check(const Figures& figures, TraceTime now, TraceTime next,
                                    Duration heartbeat, bool may_file) {
  std::int64_t to_kill = 0;
  if (!waiting_.empty() && waiting_.front().kill_at < next) {
    to_kill = waiting_.front().left;
    expiring_.push_back(waiting_.front());
    waiting_.pop_front();
  }
  if (!expiring_.empty() && expiring_.front().expires <= now) {
    asked_ -= expiring_.front().original;
    expiring_.pop_front();
  }
  if (!may_file || figures.running >= figures.capacity) return to_kill;
  const std::int64_t amount =
      std::min(figures.capacity - figures.running - asked_, figures.pending - asked_);
  if (amount <= 0) return to_kill;
  const Duration until_kill =
      std::max(figures.limit - heartbeat * heartbeats_left, Duration::zero());
  waiting_.push_back({amount, amount, now + figures.limit, now + until_kill});
  asked_ += amount;
  return to_kill;
}

std::vector<std::int64_t> divide_kills(std::span<const std::int64_t> excess, std::int64_t slots) {
  std::vector<std::int64_t> kills(excess.size(), 0);
  const std::int64_t all = std::accumulate(excess.begin(), excess.end(), std::int64_t{0});
  if (all == 0) return kills;
  for (std::size_t i = 0; i < excess.size(); ++i) {
    const double part =
        static_cast<double>(excess[i]) * static_cast<double>(slots) / static_cast<double>(all);
    kills[i] = static_cast<std::int64_t>(std::floor(part + 0.5));  // as Java's Math.round
  }
  return kills;
}

}  // namespace tracebed
