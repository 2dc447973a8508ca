#include "schedulers/multi_resource/share_scheduler.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tracebed {
namespace {

// Of jobs whose user or queue is not named.
constexpr ShareOrder::GroupId group_without_name = 0;
constexpr std::string_view name_without_name = "default";

}  // namespace

ShareScheduler::ShareScheduler(ShareSettings settings, const Names& names,
                               ResourceDimensions dimensions)
    : LeastShareFirst(settings.serving),
      settings_(std::move(settings)),
      names_(names),
      dimensions_(std::move(dimensions)),
      shares_(settings_.measure(), settings_.job_order) {}

// ---- what happened ----

void ShareScheduler::job_added(const SlotJob& job) {
  const ShareOrder::GroupId group = group_of(job);
  shares_.add(job.id, group, weight_of(group), job.submitted);
}

void ShareScheduler::job_changed(const SlotJob& job, const Resources& used) {
  shares_.update(job.id, used, wants_tasks(job));
}

const Resources* ShareScheduler::used_by(ApplicationId id) const {
  const ShareOrder::Job* job = shares_.find(id);
  return job == nullptr ? nullptr : &job->used;
}

void ShareScheduler::count_all(const ClusterModel& cluster, bool has_changed) {
  shares_.set_total(cluster.capacity);
  if (settings_.policy == DivisionPolicy::market) settle_market(cluster, has_changed);
}

void ShareScheduler::settle_market(const ClusterModel& cluster, bool has_changed) {
  if (!has_changed && trading_.total == cluster.capacity) return;
  Trading trading{cluster.capacity, {}, {}};
  for (const auto& [id, group] : shares_.groups()) {
    if (group.jobs.empty()) continue;
    const SlotJob& first = *jobs().find(group.jobs.begin()->id);
    const SlotAsk* next = first.wanting(SlotKind::map);
    if (next == nullptr) next = first.wanting(SlotKind::reduce);
    if (next == nullptr) continue;
    trading.groups.push_back(id);
    trading.users.push_back({next->demand, weight_of(id)});
  }
  if (trading == trading_) return;
  trading_ = std::move(trading);
  const std::vector<double> tasks = market_tasks(trading_.total, trading_.users);
  std::vector<double> shares;
  double most = 0;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    shares.push_back(
        tasks[i] * DominantShare(trading_.users[i].demand, trading_.total, weight_of_one).value());
    most = std::max(most, shares.back());
  }
  equilibrium_.clear();
  if (most <= 0) return;  // nobody demands what there is
  for (std::size_t i = 0; i < shares.size(); ++i) {
    equilibrium_[trading_.groups[i]] = shares[i];
    const double part = shares[i] / most * static_cast<double>(weight_max);
    shares_.set_weight(trading_.groups[i], std::max<std::int64_t>(1, std::llround(part)));
  }
}

// ---- groups ----

ShareOrder::GroupId ShareScheduler::group_of(const SlotJob& job) const {
  const bool is_by_user = settings_.groups == ShareSettings::Groups::by_user;
  if (is_by_user ? !job.user.is_valid() : !job.queue.is_valid()) return group_without_name;
  return 1 + (is_by_user ? job.user.value() : job.queue.value());
}

std::string_view ShareScheduler::name_of(ShareOrder::GroupId group) const {
  if (group == group_without_name) return name_without_name;
  const std::size_t index = group - 1;
  const bool is_by_user = settings_.groups == ShareSettings::Groups::by_user;
  const std::size_t known = is_by_user ? names_.users.size() : names_.queues.size();
  if (index >= known) return name_without_name;
  return is_by_user ? names_.users.name(UserId(index)) : names_.queues.name(QueueId(index));
}

std::int64_t ShareScheduler::weight_of(ShareOrder::GroupId group) const {
  const auto found = settings_.weights.find(name_of(group));
  return found == settings_.weights.end() ? weight_of_one : found->second;
}

std::string_view ShareScheduler::leaf_of(ApplicationId id) const {
  const ShareOrder::Job* job = shares_.find(id);
  return job == nullptr ? std::string_view() : name_of(job->group);
}

}  // namespace tracebed
