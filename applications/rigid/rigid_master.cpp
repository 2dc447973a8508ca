#include "applications/rigid/rigid_master.h"

#include <string>
#include <utility>

#include "applications/parts/failure.h"
#include "core/check.h"

namespace tracebed {

RigidMaster::RigidMaster(Stage&& stage, std::uint32_t attempts_max)
    : demand_(stage.demand), work_(std::move(stage.runs)), attempts_max_(attempts_max) {}

void RigidMaster::start(TraceTime now, MasterActions& actions) {
  if (work_.tasks() == 0) {
    actions.push_back(FinishApplication{});
  } else {
    ask(now, actions);
  }
}

void RigidMaster::ask(TraceTime now, MasterActions& actions) {
  ++attempt_;
  placed_ = 0;
  succeeded_ = 0;
  ended_.clear();
  is_broken_ = false;
  asked_ = now;
  SetAsk ask;
  ask.demand = demand_;
  ask.pending = work_.tasks();
  ask.kind = StageKind::gang;
  ask.avoided = std::exchange(avoided_, NodeId());
  actions.push_back(std::move(ask));
}

void RigidMaster::gang_granted(TraceTime now, const GangGrant& grant, MasterActions& actions) {
  if (!work_.is_uniform()) return ApplicationMaster::gang_granted(now, grant, actions);
  first_ = grant.first;
  containers_ = static_cast<std::uint32_t>(grant.pieces.size());
  placed_ = work_.tasks();
  // Made in place, as a run of small jobs is mostly this.
  auto& launch = std::get<LaunchGang>(actions.emplace_back(std::in_place_type<LaunchGang>));
  launch.first = grant.first;
  launch.pieces.assign(grant.pieces.begin(), grant.pieces.end());
  launch.attempt = attempt_;
  launch.waiting_since = asked_;
  launch.work = {work_.work(0)};
}

void RigidMaster::granted(TraceTime now, const Grant& grant, MasterActions& actions) {
  TRACEBED_CHECK(grant.units <= work_.tasks() - placed_, "a gang is granted no more than it asked");
  if (placed_ == 0) first_ = grant.container;
  const std::uint32_t first_task = placed_;
  placed_ += grant.units;
  ended_.push_back(is_broken_);
  TRACEBED_CHECK(grant.container == first_ + (ended_.size() - 1),
                 "a gang's containers follow each other");
  if (is_broken_) {
    // It was notified late; the gang is to be placed anew.
    actions.push_back(ReleaseContainer{grant.container});
    if (is_over()) ask(now, actions);
    return;
  }
  ++containers_;
  LaunchTask launch;
  launch.container = grant.container;
  launch.task = {0, first_task};
  launch.attempt = attempt_;
  launch.waiting_since = asked_;
  work_.combine(first_task, grant.units, launch.work);
  actions.push_back(launch);
}

void RigidMaster::gang_ended(TraceTime, const GangEnd& end, MasterActions& actions) {
  TRACEBED_CHECK(end.first == first_ && end.containers == containers_ && ended_.empty(),
                 "a gang that was launched at once ends with all its containers");
  containers_ = 0;
  actions.push_back(FinishApplication{});
}

void RigidMaster::attempt_ended(TraceTime now, const AttemptEnd& end, MasterActions& actions) {
  if (ended_.empty()) ended_.resize(containers_);
  std::vector<bool>::reference mark = ended_.at(end.container.index() - first_.index());
  TRACEBED_CHECK(!mark, "only what was launched ends");
  mark = true;
  --containers_;

  if (end.end == ContainerEnd::succeeded) {
    succeeded_ += end.units;
    if (succeeded_ == work_.tasks()) return actions.push_back(FinishApplication{});
  } else if (!is_broken_) {
    is_broken_ = true;
    if (is_failure(end.end) && ++failures_ >= attempts_max_) {
      // The engine ends what still runs of a finished application.
      return actions.push_back(FinishApplication{
          JobOutcome::failed, "a piece of the gang ended as " + std::string(name(end.end)) +
                                  " in attempt " + std::to_string(attempt_)});
    }
    // A gang is ordered to keep its progress as a whole: the other pieces are about to.
    for (std::size_t i = 0; i < ended_.size() && end.end != ContainerEnd::checkpointed; ++i) {
      if (!ended_[i]) actions.push_back(KillTask{first_ + i});
    }
  }
  if (is_broken_ && is_over()) ask(now, actions);
}

}  // namespace tracebed
