#include "schedulers/yarn/capacity/queue_removal.h"

namespace tracebed {

// AbstractLeafQueue.isEligibleForAutoDeletion and that of AbstractParentQueue.
bool QueueRemoval::is_unused(QueueIndex queue) const {
  const CapacityQueue& configured = state_.tree().configured(queue);
  return configured.is_created && configured.is_removed_when_unused &&
         configured.children.empty() && state_.tree()[queue].applications == 0;
}

bool QueueRemoval::look(TraceTime now, const ClusterModel& cluster) {
  if (next_ > now || !interval_) return false;
  // Whoever was marked earlier was used at a look in between.
  if (marked_at_ == never || marked_at_ + *interval_ != next_) marked_.clear();
  std::set<std::string, std::less<>> marked;
  std::set<std::string, std::less<>> removed;
  for (QueueIndex i = 0; i < state_.tree().size(); ++i) {
    if (!is_unused(i)) continue;
    const std::string& path = state_.tree().configured(i).path;
    (marked_.contains(path) ? removed : marked).insert(path);
  }
  marked_ = std::move(marked);
  marked_at_ = next_;
  next_ = never;
  if (removed.empty()) return false;
  state_.remove_queues(removed, cluster);
  return true;
}

TraceTime QueueRemoval::next_look(TraceTime now) {
  const std::optional<Duration> configured = state_.configuration().unused_queues_interval;
  if (!configured || !interval_) interval_ = configured;
  if (!interval_) return next_ = never;
  if (version_ != state_.version_of_created()) {
    version_ = state_.version_of_created();
    has_unused_ = false;
    for (QueueIndex i = 0; i < state_.tree().size() && !has_unused_; ++i) {
      has_unused_ = is_unused(i);
    }
  }
  if (!has_unused_) return next_ = never;
  if (next_ == never || next_ <= now) {
    next_ = TraceTime((now.time_since_epoch() / *interval_ + 1) * *interval_);
  }
  return next_;
}

}  // namespace tracebed
