#include "applications/hosting/faulty_answers.h"

#include <algorithm>
#include <span>
#include <utility>

#include "core/visit.h"

namespace tracebed {
namespace {

// The container that the action gives up, whichever way; null for any other action.
ContainerId* given_up(MasterAction& action) {
  return visit_all(
      action, [](OneOf<KillTask, CheckpointTask> auto& given_up) { return &given_up.container; },
      [](const OneOf<SetAsk, AdjustPlaces, CloseAsk, LaunchTask, LaunchGang, ContinueTask,
                     ReleaseContainer, HeartbeatAt, FinishApplication, LaunchMasterProcess> auto&)
          -> ContainerId* { return nullptr; });
}

// The last time at which something that is named is taken by force; `never` if nothing is.
TraceTime last_deadline(const PreemptionMessage& preemption) {
  TraceTime last{};
  bool has_deadline = false;
  const auto look = [&](std::span<const PreemptionContainer> containers) {
    for (const PreemptionContainer& container : containers) {
      if (container.deadline == never) continue;
      last = std::max(last, container.deadline);
      has_deadline = true;
    }
  };
  if (preemption.strict) look(preemption.strict->containers);
  if (preemption.negotiable) look(preemption.negotiable->containers);
  return has_deadline ? last : never;
}

// Of the right form, so that nothing stops them before they are judged: an ask that is not open is
// closed, a task of a stage that no job has is launched where one runs, and the job has succeeded.
MasterActions nonsense(MasterActions answer) {
  constexpr AskSlot unknown_slot = 60'000;
  constexpr std::uint16_t unknown_stage = 60'000;
  MasterActions actions;
  for (MasterAction& action : answer) {
    const ContainerId* container = given_up(action);
    if (container == nullptr) continue;
    LaunchTask launch;
    launch.container = *container;
    launch.task.stage = unknown_stage;
    actions.emplace_back(launch);
  }
  actions.emplace_back(CloseAsk{unknown_slot});
  actions.emplace_back(FinishApplication{JobOutcome::succeeded, ""});
  return actions;
}

}  // namespace

void FaultyAnswers::granted(ContainerId container) {
  if (fault_ == MasterFault::answers_for_others) own_.insert(container);
}

bool FaultyAnswers::dies_of(const PreemptionMessage& preemption) const {
  const bool is_named = (preemption.strict && !preemption.strict->containers.empty()) ||
                        (preemption.negotiable && !preemption.negotiable->containers.empty());
  return fault_ == MasterFault::dies && is_named;
}

MasterActions FaultyAnswers::spoil(const PreemptionMessage& preemption, MasterActions& answer) {
  if (answer.empty()) return {};
  switch (fault_) {
    case MasterFault::none:
    case MasterFault::dies:
      return {};
    case MasterFault::repeats:
      repeated_ = answer;
      repeats_call_ = true;
      return {};
    case MasterFault::is_late:
      delay(preemption, answer);
      return {};
    case MasterFault::answers_for_others:
      return of_others(std::exchange(answer, {}));
    case MasterFault::says_garbage:
      spoils_call_ = true;
      return nonsense(std::exchange(answer, {}));
  }
  return {};
}

// Where nothing is ever taken by force, no answer is late.
void FaultyAnswers::delay(const PreemptionMessage& preemption, MasterActions& answer) {
  const TraceTime deadline = last_deadline(preemption);
  if (deadline == never) return;
  std::erase_if(answer, [&](MasterAction& action) {
    const ContainerId* container = given_up(action);
    if (container == nullptr) return false;
    delayed_[*container] = {deadline, action};
    return true;
  });
}

MasterActions FaultyAnswers::due(TraceTime now) {
  MasterActions actions = std::exchange(repeated_, {});
  for (auto it = delayed_.begin(); it != delayed_.end();) {
    if (it->second.after >= now) {
      ++it;
      continue;
    }
    actions.push_back(std::move(it->second.action));
    it = delayed_.erase(it);
  }
  return actions;
}

// Of each container that it would give up, the neighbours in number that are not its own: they are
// other applications', or masters', or are still to come.
MasterActions FaultyAnswers::of_others(const MasterActions& answer) const {
  MasterActions actions;
  for (MasterAction action : answer) {
    ContainerId* container = given_up(action);
    if (container == nullptr) continue;
    ContainerId above = *container + 1;
    while (own_.contains(above)) above = above + 1;
    std::uint32_t below = container->value();
    while (below > 0 && own_.contains(ContainerId(below))) --below;
    *container = above;
    actions.push_back(action);
    if (own_.contains(ContainerId(below))) continue;
    *container = ContainerId(below);
    actions.push_back(action);
  }
  return actions;
}

}  // namespace tracebed
