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
    job.share = DominantShare(job.used, total_, weight_of_one);
    if (job.wants) groups_.at(job.group).jobs.insert({job.share, job.submitted, id});
  }
  for (auto& [id, group] : groups_) put_in(id, group);
}

void ShareOrder::take_out(GroupId id, const Group& group) {
  order_.erase({group.share, id});
}

void ShareOrder::put_in(GroupId id, Group& group) {
  group.share = DominantShare(group.used, total_, group.weight);
  if (!group.jobs.empty()) order_.insert({group.share, id});
}

void ShareOrder::add(ApplicationId id, GroupId group, std::int64_t weight, TraceTime submitted) {
  Group& of_job = groups_[group];
  of_job.weight = weight;
  ++of_job.size;
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
  if (job.wants) group.jobs.erase({job.share, job.submitted, id});
  group.used += used - job.used;
  job.used = used;
  job.wants = wants;
  job.share = DominantShare(used, total_, weight_of_one);
  if (wants) group.jobs.insert({job.share, job.submitted, id});
  put_in(job.group, group);
}

const ShareOrder::Job* ShareOrder::find(ApplicationId id) const {
  const auto found = jobs_.find(id);
  return found == jobs_.end() ? nullptr : &found->second;
}

}  // namespace tracebed
