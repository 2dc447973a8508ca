#include "applications/service/service_master.h"

#include <algorithm>
#include <string>
#include <utility>

#include "applications/parts/failure.h"
#include "core/check.h"

namespace tracebed {
namespace {

constexpr std::int32_t instance_priority = 1;

// So much of `amount` as is left of it when `left` of `whole` is.
std::int64_t part_of(std::int64_t amount, Duration left, Duration whole) {
  return static_cast<std::int64_t>(
      static_cast<double>(amount) *
      (static_cast<double>(left.count()) / static_cast<double>(whole.count())));
}

}  // namespace

ServiceMaster::ServiceMaster(Job& job, std::vector<StagePlaces> places, std::uint32_t failures_max)
    : failures_(job.stages.size()),
      failures_max_(failures_max),
      moved_(static_cast<AskSlot>(job.stages.size())) {
  TRACEBED_CHECK(places.size() == job.stages.size(), "every stage has its places");
  pools_.reserve(job.stages.size());
  for (std::size_t i = 0; i < job.stages.size(); ++i) {
    TRACEBED_CHECK(job.stages[i].needs.empty(), "a service's stages need nothing");
    pools_.emplace_back(static_cast<std::uint16_t>(i), std::move(job.stages[i]),
                        std::move(places[i]));
    if (!pools_.back().is_done()) ++pools_left_;
  }
}

void ServiceMaster::start(TraceTime now, MasterActions& actions) {
  started_ = now;
  for (TaskPool& pool : pools_) {
    if (!pool.has_places()) {
      return actions.push_back(FinishApplication{
          JobOutcome::failed, "no machine has a label that the instances of the service ask for"});
    }
    if (!pool.is_done()) actions.push_back(pool.ask(instance_priority, true));
  }
  if (pools_left_ == 0) actions.push_back(FinishApplication{});
}

void ServiceMaster::granted(TraceTime now, const Grant& grant, MasterActions& actions) {
  if (moved_.is_own(grant.slot)) {
    const std::optional<TaskRef> moved = moved_.granted(grant, actions);
    if (!moved) return actions.push_back(ReleaseContainer{grant.container});
    const Instance instance{moved->stage, moved->index};
    pools_[instance.stage].launch_one(grant, instance.task, started_, work_left(instance), actions);
    running_.emplace(grant.container, Attempt{instance, now});
    return;
  }
  const auto stage = static_cast<std::uint16_t>(grant.slot);
  TaskPool& pool = pools_[stage];
  if (pool.asked() == 0) return actions.push_back(ReleaseContainer{grant.container});
  const std::uint32_t task = pool.launch(grant, started_, actions, [&](std::uint32_t which) {
    return work_left({stage, which});
  });
  running_.emplace(grant.container, Attempt{{stage, task}, now});
}

Work ServiceMaster::work_left(Instance instance) const {
  Work work = pools_[instance.stage].work(instance.task);
  const auto known = served_.find(instance);
  if (known == served_.end() || work.duration <= Duration::zero()) return work;
  const Duration whole = work.duration;
  const Duration left = std::max(whole - known->second, Duration(1));
  work.duration = left;
  work.cpu_time = Duration(part_of(work.cpu_time.count(), left, whole));
  work.input_bytes = part_of(work.input_bytes, left, whole);
  work.shuffle_bytes = part_of(work.shuffle_bytes, left, whole);
  work.output_bytes = part_of(work.output_bytes, left, whole);
  return work;
}

void ServiceMaster::attempt_ended(TraceTime now, const AttemptEnd& end, MasterActions& actions) {
  const auto place = running_.find(end.container);
  TRACEBED_CHECK(place != running_.end(), "only what was launched ends");
  const Attempt attempt = place->second;
  running_.erase(place);
  const std::optional<MovedTasks::Order> order = moved_.ended(end.container);
  TaskPool& pool = pools_[attempt.instance.stage];
  if (end.end == ContainerEnd::succeeded) {
    pool.succeeded();
    if (pool.is_done() && --pools_left_ == 0) actions.push_back(FinishApplication{});
    return;
  }
  served_[attempt.instance] += now - attempt.granted;
  const bool has_failed = is_failure(end.end);
  pool.came_to_nothing(attempt.instance.task, has_failed, now);
  std::uint32_t& failures = failures_[attempt.instance.stage];
  if (has_failed && ++failures >= failures_max_) {
    return actions.push_back(FinishApplication{
        JobOutcome::failed, "instances of stage " + std::to_string(attempt.instance.stage) +
                                " failed " + std::to_string(failures) + " times, at last as " +
                                std::string(name(end.end))});
  }
  const Instance& instance = attempt.instance;
  const bool is_asked_for =
      order && moved_.wait(*order, {instance.stage, instance.task},
                           pool.ask_for_one(instance.task, instance_priority), actions);
  if (is_asked_for) return;
  pool.rejoin(instance.task);
  to_ask_.insert(instance.stage);
  actions.push_back(HeartbeatAt{now});
}

void ServiceMaster::heartbeat(TraceTime /*now*/, const Resources& /*headroom*/,
                              MasterActions& actions) {
  for (const std::uint16_t stage : std::exchange(to_ask_, {})) {
    actions.push_back(pools_[stage].ask(instance_priority, true));
  }
}

}  // namespace tracebed
