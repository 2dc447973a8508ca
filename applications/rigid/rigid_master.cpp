#include "applications/rigid/rigid_master.h"

#include <algorithm>
#include <string>

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
  is_broken_ = false;
  asked_ = now;
  SetAsk ask;
  ask.demand = demand_;
  ask.pending = work_.tasks();
  ask.gang = true;
  actions.push_back(std::move(ask));
}

void RigidMaster::granted(TraceTime /*now*/, const Grant& grant, MasterActions& actions) {
  TRACEBED_CHECK(grant.units <= work_.tasks() - placed_, "a gang is granted no more than it asked");
  // Made in place, as a run of small jobs is mostly this.
  auto& launch = std::get<LaunchTask>(actions.emplace_back(std::in_place_type<LaunchTask>));
  launch.container = grant.container;
  launch.task = {0, placed_};
  launch.attempt = attempt_;
  launch.waiting_since = asked_;
  work_.combine(placed_, grant.units, launch.work);
  placed_ += grant.units;
  running_.push_back({grant.container, grant.units});
}

void RigidMaster::attempt_ended(TraceTime now, const AttemptEnd& end, MasterActions& actions) {
  const auto place = std::find_if(running_.begin(), running_.end(), [&](const Piece& piece) {
    return piece.container == end.container;
  });
  TRACEBED_CHECK(place != running_.end(), "only what was launched ends");
  const std::uint32_t units = place->units;
  running_.erase(place);

  if (end.end == ContainerEnd::succeeded) {
    succeeded_ += units;
    if (succeeded_ == work_.tasks()) return actions.push_back(FinishApplication{});
  } else if (!is_broken_) {
    is_broken_ = true;
    if (is_failure(end.end) && ++failures_ >= attempts_max_) {
      // The engine ends what still runs of a finished application.
      return actions.push_back(FinishApplication{
          JobOutcome::failed, "a piece of the gang ended as " + std::string(name(end.end)) +
                                  " in attempt " + std::to_string(attempt_)});
    }
    for (const Piece& piece : running_) actions.push_back(KillTask{piece.container});
  }
  if (is_broken_ && running_.empty()) ask(now, actions);
}

}  // namespace tracebed
