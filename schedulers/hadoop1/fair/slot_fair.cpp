#include "schedulers/hadoop1/fair/slot_fair.h"

#include <algorithm>
#include <utility>

namespace tracebed {
namespace {

// mapred.Pool.DEFAULT_POOL_NAME.
constexpr const char* default_pool = "default";

Result<PoolAllocations> read_pools_of(const SchedulerParameters& parameters,
                                      SlotFairGeneration generation) {
  const auto document = parameters.documents.find("config");
  if (document == parameters.documents.end()) return PoolAllocations();
  Result<PoolAllocations> read = read_pool_allocations(document->second, generation);
  if (!read) return about("config", read.error());
  return read;
}

}  // namespace

SlotFairScheduler::SlotFairScheduler(SlotFairSettings settings, PoolAllocations allocations,
                                     const Names* names)
    : settings_(std::move(settings)),
      names_(names),
      jobs_(settings_.slots, {}),
      pools_(settings_, std::move(allocations)),
      by_deficit_(settings_, jobs_, pools_),
      by_ratio_(settings_, jobs_, pools_),
      preemption_(settings_, jobs_, pools_, by_ratio_),
      turns_(settings_.order) {}

Result<std::unique_ptr<SlotFairScheduler>> SlotFairScheduler::make(
    const SchedulerParameters& parameters) {
  Result<SlotFairSettings> settings = read_slot_fair_settings(parameters);
  if (!settings) return settings.error();
  Result<PoolAllocations> pools = read_pools_of(parameters, settings->generation);
  if (!pools) return pools.error();
  auto made = std::make_unique<SlotFairScheduler>(std::move(*settings), std::move(*pools),
                                                  parameters.names);
  made->given_ = parameters.settings;
  return made;
}

Status SlotFairScheduler::reconfigure(const SchedulerParameters& parameters,
                                      const ClusterModel& /*cluster*/) {
  // Another file may stand under another path.
  const auto without_file = [](SettingValues values) {
    values.erase("config");
    return values;
  };
  if (without_file(parameters.settings) != without_file(given_)) {
    return Error{
        "scheduler slot_fair: expected unchanged settings, since only the pools file can be "
        "reloaded"};
  }
  Result<PoolAllocations> pools = read_pools_of(parameters, settings_.generation);
  if (!pools) return pools.error();
  pools_.take_rules(std::move(*pools));
  update(now_);
  return success();
}

// ---- what happened ----

TraceTime SlotFairScheduler::last_update_due(TraceTime now) const {
  return TraceTime(now.time_since_epoch() - now.time_since_epoch() % settings_.update_interval);
}

void SlotFairScheduler::decide(const SchedulerInput& input, Decisions& decisions) {
  now_ = input.now;
  if (wake_at_ <= now_) wake_at_ = never;
  free_.follow(input);
  const TraceTime due = last_update_due(now_);
  // Up to now everything stood as the last call left it.
  if (has_deficits() && update_at_ == never) by_deficit_.catch_up(due);
  if (!has_deficits()) by_ratio_.catch_up(due);
  take_in(input, decisions);
  if (std::exchange(is_update_requested_, false)) {
    update(now_);
    preemption_.request_look();
  }
  preemption_.follow(input, decisions);
  preemption_.look(input.cluster, now_, decisions);
  SlotOffer offer(input.cluster, jobs_, free_, decisions);
  for (const NodeId node : turns_.follow(input, free_)) {
    offer.place_masters(node, [&](const SlotJob& job) {
      const PooledJob* pooled = pools_.find(job.id);
      return pooled != nullptr && pooled->is_runnable;
    });
    if (has_deficits()) {
      by_deficit_.serve_node(node, offer);
    } else {
      by_ratio_.serve_node(input.cluster, now_, node, offer);
    }
  }
  wake(decisions);
  turns_.wake(now_, decisions);
}

void SlotFairScheduler::take_in(const SchedulerInput& input, Decisions& decisions) {
  const SlotJobs::Changes& changes = jobs_.follow(input);
  for (const SlotJob& job : changes.removed) {
    pools_.remove(job.id);
    by_deficit_.remove(job.id);
  }
  for (const ApplicationId id : changes.changed) {
    if (has_deficits()) {
      by_deficit_.running_changed(id);
    } else {
      by_ratio_.running_changed(id);
    }
  }
  const std::vector<ApplicationId> added = changes.added;
  if (changes.has_ended && update_at_ == never) {
    const TraceTime due = last_update_due(now_);
    update_at_ = due == now_ ? due : due + settings_.update_interval;
  }
  if (changes.has_ended || changes.is_demand_changed) preemption_.something_changed();
  for (const ApplicationId id : added) admit(id, decisions);
  if (changes.is_demand_changed || std::min(update_at_, age_at_) <= now_) update(now_);
}

void SlotFairScheduler::update(TraceTime now) {
  update_at_ = never;
  if (has_deficits()) {
    by_deficit_.update(now);
  } else {
    by_ratio_.update(now);
  }
  age_at_ = pools_.next_change_of_age(now);
}

std::string SlotFairScheduler::pool_of(const SlotJob& job) const {
  if (names_ == nullptr) return default_pool;
  const std::string user = job.user.is_valid() ? names_->users.name(job.user) : "";
  switch (settings_.pool_by) {
    case SlotFairSettings::PoolBy::user:
      return user.empty() ? default_pool : user;
    case SlotFairSettings::PoolBy::group: {
      const std::vector<std::string> groups = settings_.groups.of(user);
      return groups.empty() || groups.front().empty() ? default_pool : groups.front();
    }
    case SlotFairSettings::PoolBy::queue:
      break;
  }
  return job.queue.is_valid() ? names_->queues.name(job.queue) : default_pool;
}

void SlotFairScheduler::admit(ApplicationId id, Decisions& decisions) {
  SlotJob* job = jobs_.find(id);
  if (job == nullptr) return;
  const std::string pool = pool_of(*job);
  const PoolAllocations& allocations = pools_.allocations();
  if (!settings_.allow_undeclared_pools && !allocations.pools.contains(pool)) {
    decisions.reject(id, "pool " + pool + " is not in the pools file");
    return jobs_.forget(id);
  }
  const bool has_user = names_ != nullptr && job->user.is_valid();
  pools_.add(*job, has_user ? names_->users.name(job->user) : "", pool, now_);
  decisions.accept(id);
}

// ---- when to be called ----

void SlotFairScheduler::wake(Decisions& decisions) {
  TraceTime at = std::min(age_at_, update_at_);
  if (!has_deficits()) {
    at = std::min({at, preemption_.plan(now_), by_ratio_.next_level(now_)});
  }
  if (at >= wake_at_ || at <= now_) return;
  decisions.wake_at(at);
  wake_at_ = at;
}

HeartbeatInterest SlotFairScheduler::heartbeat_interest() const {
  HeartbeatInterest interest = jobs_.heartbeat_interest();
  interest.after_wake_ups = !has_deficits() && jobs_.pending(SlotKind::map) > 0;
  if (interest.after_wake_ups) interest.minimum = {};  // heartbeats are counted
  return turns_.interest(interest);
}

}  // namespace tracebed
