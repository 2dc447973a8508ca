#include "schedulers/multi_resource/share_order.h"

namespace tracebed {

std::strong_ordering ShareOrder::JobKey::operator<=>(const JobKey& other) const {
  if (const auto by_share = share <=> other.share; by_share != 0) return by_share;
  if (const auto by_time = submitted <=> other.submitted; by_time != 0) return by_time;
  return id <=> other.id;
}

std::strong_ordering ShareOrder::GroupKey::operator<=>(const GroupKey& other) const {
  if (const auto by_share = share <=> other.share; by_share != 0) return by_share;
  return id <=> other.id;
}

void ShareOrder::set_total(const Resources& total) {
  if (total == total_) return;
  total_ = total;
  order_.clear();
  for (auto& [id, group] : groups_) group.jobs.clear();
  for (auto& [id, job] : jobs_) {
    job.share = share_of(job.used, weight_of_one);
    if (job.wants) groups_.at(job.group).jobs.insert(key_of(id, job));
  }
  for (auto& [id, group] : groups_) put_in(id, group);
}

void ShareOrder::set_weight(GroupId id, std::int64_t weight) {
  Group& group = groups_.at(id);
  take_out(id, group);
  group.weight = weight;
  put_in(id, group);
}

// The parts of all resources together are a part of one resource, of which there is `whole` for
// each: in steps so small that a thousandth of a core of a million counts.
DominantShare ShareOrder::share_of(const Resources& used, std::int64_t weight) const {
  if (measure_ == ShareMeasure::dominant) return {used, total_, weight};
  constexpr std::int64_t whole = std::int64_t{1} << 40;
  std::int64_t parts = 0;
  std::int64_t resources = 0;
  for (std::size_t d = 0; d < total_.dimensions_used(); ++d) {
    if (total_[d] <= 0) continue;
    parts += static_cast<std::int64_t>(WideAmount{used[d]} * whole / total_[d]);
    ++resources;
  }
  return {Resources(parts, 0), Resources(whole * resources, 0), weight};
}

ShareOrder::JobKey ShareOrder::key_of(ApplicationId id, const Job& job) const {
  return {job_order_ == JobOrder::by_share ? job.share : DominantShare(), job.submitted, id};
}

void ShareOrder::take_out(GroupId id, const Group& group) {
  order_.erase({group.share, id});
}

void ShareOrder::put_in(GroupId id, Group& group) {
  group.share = share_of(group.used, group.weight);
  if (!group.jobs.empty()) order_.insert({group.share, id});
}

void ShareOrder::add(ApplicationId id, GroupId group, std::int64_t weight, TraceTime submitted) {
  Group& of_job = groups_[group];
  if (of_job.size++ == 0) of_job.weight = weight;
  Job job;
  job.group = group;
  job.submitted = submitted;
  jobs_.emplace(id, job);
}

void ShareOrder::remove(ApplicationId id) {
  const auto found = jobs_.find(id);
  if (found == jobs_.end()) return;
  update(id, Resources(), false);
  const GroupId group = found->second.group;
  jobs_.erase(found);
  if (--groups_.at(group).size == 0) groups_.erase(group);
}

void ShareOrder::update(ApplicationId id, const Resources& used, bool wants) {
  const auto found = jobs_.find(id);
  if (found == jobs_.end()) return;
  Job& job = found->second;
  Group& group = groups_.at(job.group);
  take_out(job.group, group);
  if (job.wants) group.jobs.erase(key_of(id, job));
  group.used += used - job.used;
  job.used = used;
  job.wants = wants;
  job.share = share_of(used, weight_of_one);
  if (wants) group.jobs.insert(key_of(id, job));
  put_in(job.group, group);
}

const ShareOrder::Job* ShareOrder::find(ApplicationId id) const {
  const auto found = jobs_.find(id);
  return found == jobs_.end() ? nullptr : &found->second;
}

}  // namespace tracebed
