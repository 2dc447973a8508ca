#include "coordinator/monitoring/starvation_monitor.h"

#include <algorithm>

#include "coordinator/monitoring/limited_part.h"

namespace tracebed {
namespace {

constexpr std::int64_t share_looks_until_last_submit = 4096;
constexpr std::size_t share_looks_before_doubling = 8192;
constexpr Duration shortest_step = milliseconds(1);
constexpr std::int64_t looks_kept = 64;

bool lies_within(const Resources& amount, const Resources& share, const Resources& shared) {
  for (std::size_t d = 0; d < Resources::dimensions_max; ++d) {
    if (shared[d] > 0 && amount[d] > share[d]) return false;
  }
  return true;
}

}  // namespace

StarvationMonitor::StarvationMonitor(const Engine& engine, TraceTime last_submit)
    : engine_(engine), step_(last_submit.time_since_epoch() / share_looks_until_last_submit) {
  if (step_ < shortest_step) step_ = Duration::zero();
  credit_ = looks_kept * step_;
}

bool StarvationMonitor::is_due(TraceTime now) {
  credit_ = std::min<Duration>(credit_ + (now - last_round_), looks_kept * step_);
  last_round_ = now;
  if (credit_ < step_) {
    if (first_skipped_ == never) first_skipped_ = now;
    return false;
  }
  credit_ -= step_;
  if (first_skipped_ != never) seen_within_ = std::max(seen_within_, now - first_skipped_);
  first_skipped_ = never;
  return true;
}

void StarvationMonitor::take(const SchedulerView& view) {
  for (Leaf& leaf : leaves_) leaf.is_alive = false;
  shared_ = Resources();
  const ClusterModel& cluster = engine_.cluster();
  for (const QueueView& queue : view.queues) {
    if (!queue.queue.is_leaf) continue;
    const auto [known, is_new] = by_path_.emplace(queue.queue.path, leaves_.size());
    if (is_new) leaves_.push_back({.number = meter_.add(queue.queue.path)});
    Leaf& leaf = leaves_[known->second];
    leaf.is_alive = true;
    leaf.entitled = queue.entitled;
    shared_ += queue.entitled;
    const auto number = static_cast<std::uint32_t>(known->second);
    const auto note = [&](ApplicationId id) {
      const Application* application = cluster.applications.find(id);
      if (application == nullptr) return;
      if (id.index() >= leaf_of_.size()) leaf_of_.resize(id.index() + 1, unknown);
      leaf_of_[id.index()] = number;
      placed_[{application->queue, application->user}] = number;
    };
    for (const ApplicationId id : queue.active) note(id);
    for (const ApplicationId id : queue.waiting) note(id);
  }
  shared_ = limited_part(cluster.limits, shared_);
  capacity_ = cluster.capacity;
  refreshes_ = engine_.refreshes().size();
}

bool StarvationMonitor::is_stale() const {
  return capacity_ != engine_.cluster().capacity || refreshes_ != engine_.refreshes().size();
}

// True if the application's leaf is known.
bool StarvationMonitor::find_leaf(ApplicationId id, const Application& application) {
  if (id.index() >= leaf_of_.size()) leaf_of_.resize(id.index() + 1, unknown);
  std::uint32_t& leaf = leaf_of_[id.index()];
  if (leaf != unknown) return true;
  const auto placed = placed_.find({application.queue, application.user});
  if (placed == placed_.end()) return false;
  leaf = placed->second;
  return true;
}

bool StarvationMonitor::wants_within_share(const Application& application, const Leaf& leaf) const {
  const ClusterModel& cluster = engine_.cluster();
  return std::any_of(application.asks.begin(), application.asks.end(), [&](AskId id) {
    const Ask& ask = cluster.asks[id];
    if (ask.pending == 0) return false;
    const std::int64_t units = ask.is_gang() ? ask.pending : 1;
    return lies_within(leaf.used + ask.demand * units, leaf.entitled, shared_);
  });
}

// False if there is an application whose leaf is not known.
bool StarvationMonitor::add_up() {
  for (Leaf& leaf : leaves_) {
    leaf.used = Resources();
    leaf.is_starving = false;
  }
  bool are_known = true;
  const auto& applications = engine_.cluster().applications;
  applications.for_each([&](ApplicationId id, const Application& application) {
    if (!engine_.is_accepted(id)) return;
    if (find_leaf(id, application)) {
      leaves_[leaf_of_[id.index()]].used += application.used;
    } else {
      are_known = false;
    }
  });
  applications.for_each([&](ApplicationId id, const Application& application) {
    if (!engine_.is_accepted(id) || leaf_of_[id.index()] == unknown) return;
    Leaf& leaf = leaves_[leaf_of_[id.index()]];
    if (!leaf.is_starving && leaf.is_alive)
      leaf.is_starving = wants_within_share(application, leaf);
  });
  return are_known;
}

void StarvationMonitor::look(TraceTime now) {
  if (is_stale()) take(engine_.scheduler().view(engine_.cluster()));
  if (!add_up()) {
    take(engine_.scheduler().view(engine_.cluster()));
    add_up();
  }
  for (const Leaf& leaf : leaves_) meter_.look(leaf.number, now, leaf.is_starving);
  if (++looks_ == share_looks_before_doubling) {
    looks_ /= 2;
    step_ = std::max<Duration>(step_ * 2, shortest_step);
  }
}

}  // namespace tracebed
