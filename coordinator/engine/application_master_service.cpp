#include "coordinator/engine/application_master_service.h"

#include <utility>

#include "core/visit.h"

namespace tracebed {
namespace {

// The master numbers its asks from 0, where the engine has the master's own.
void shift_slot(MasterAction& action) {
  constexpr AskSlot shift = ManagedMaster::own_slot + 1;
  visit_all(
      action, [](OneOf<SetAsk, AdjustPlaces, CloseAsk> auto& of_ask) { of_ask.slot += shift; },
      Ignore<LaunchTask, LaunchGang, ContinueTask, ReleaseContainer, KillTask, HeartbeatAt,
             FinishApplication, LaunchMasterProcess, CheckpointTask>{});
}

// Notes what a later call, or the next attempt, depends on.
void note(ManagedMaster& master, const MasterAction& action) {
  visit_all(
      action, [&](const FinishApplication&) { master.unregister(); },
      [&](const SetAsk& ask) { master.ask_opened(ask.slot); },
      [&](const CloseAsk& closed) { master.ask_closed(closed.slot); },
      Ignore<AdjustPlaces, LaunchTask, LaunchGang, ContinueTask, ReleaseContainer, KillTask,
             HeartbeatAt, LaunchMasterProcess, CheckpointTask>{});
}

}  // namespace

void ApplicationMasterService::call(const MasterCall& call) {
  ++context_.counters.master_calls;
  ApplicationState* const state = applications_.find(call.application);
  using CallOrder = ManagedMaster::CallOrder;
  ManagedMaster* const master = state == nullptr ? nullptr : state->master.managed();
  const CallOrder order =
      master == nullptr ? CallOrder::superseded : master->receive(context_.now(), call);
  switch (order) {
    case CallOrder::fresh:
      return perform_call(call, *state);
    case CallOrder::repeated:
      ++context_.counters.master_calls_repeated;
      answers_.push_back(master->last_answer());
      return;
    case CallOrder::superseded:
      ++context_.counters.master_calls_misplaced;
      add_answer(call).is_dismissal = true;
      return;
    case CallOrder::misplaced:
      ++context_.counters.master_calls_misplaced;
      return;
  }
}

MasterAnswer& ApplicationMasterService::add_answer(const MasterCall& call) {
  MasterAnswer& answer = answers_.emplace_back();
  answer.application = call.application;
  answer.attempt = call.attempt;
  answer.sequence = call.sequence;
  answer.now = context_.now();
  return answer;
}

ActionVerdict ApplicationMasterService::verdict_on(const MasterCall& call,
                                                   const ApplicationState& state,
                                                   const MasterAction& action) const {
  const ManagedMaster& master = *state.master.managed();
  const CallContext context{.now = context_.now(),
                            .application = call.application,
                            .cluster = cluster_,
                            .states = states_,
                            .stage_tasks = master.stage_tasks(),
                            .asks = state.asks,
                            .own_container = master.container()};
  if (const auto* end = std::get_if<FinishApplication>(&action)) {
    const bool may_finish = call.kind == MasterCallKind::unregistration;
    const bool is_true = end->outcome != JobOutcome::succeeded || state.tasks.is_complete();
    if (!may_finish || !is_true) return ActionVerdict::refused;
  }
  return judge(context, action);
}

void ApplicationMasterService::count_verdict(ActionVerdict verdict) {
  EngineCounters& counters = context_.counters;
  switch (verdict) {
    case ActionVerdict::allowed:
      return;
    case ActionVerdict::late:
      ++counters.master_actions_late;
      return;
    case ActionVerdict::repeated:
      ++counters.master_actions_repeated;
      return;
    case ActionVerdict::foreign:
      ++counters.master_actions_foreign;
      return;
    case ActionVerdict::refused:
      ++counters.master_actions_refused;
      return;
  }
}

void ApplicationMasterService::perform_call(const MasterCall& call, ApplicationState& state) {
  const ApplicationId id = call.application;
  ManagedMaster& master = *state.master.managed();
  if (call.kind == MasterCallKind::registration) {
    containers_.master_registered(master.container());
  }
  for (const MasterAction& requested : call.actions) {
    MasterAction action = requested;
    shift_slot(action);
    const ActionVerdict verdict = verdict_on(call, state, action);
    count_verdict(verdict);
    if (verdict != ActionVerdict::allowed) continue;
    note(master, action);
    actions_.push_back(std::move(action));
    executor_.perform(id, actions_);
    if (!applications_.contains(id)) break;
  }
  MasterAnswer& answer = add_answer(call);
  answer.is_dismissal = !applications_.contains(id);
  if (answer.is_dismissal) return;
  master.move_news_to(answer);
  answer.preemption = preemptions_.message_for(id);
}

void ApplicationMasterService::answer_calls(const Scheduler& scheduler) {
  for (MasterAnswer& answer : answers_) {
    ApplicationState* const state = applications_.find(answer.application);
    if (state != nullptr && !answer.is_dismissal) {
      answer.headroom = cluster_.limits.told_to_masters(
          positive_part(scheduler.headroom(cluster_, answer.application)));
      state->master.managed()->last_answer() = answer;
    }
    context_.command<AnswerMaster>(std::move(answer));
  }
  answers_.clear();
}

void ApplicationMasterService::expire() {
  while (const auto timeout = timeouts_.take_due()) {
    const Container* const container = cluster_.containers.find(timeout->container);
    if (container == nullptr) continue;
    switch (timeout->kind) {
      case MasterTimeouts::Kind::master:
        expire_master(timeout->application);
        break;
      case MasterTimeouts::Kind::allocation:
        if (!container->is_launched) containers_.release(timeout->container);
        break;
      case MasterTimeouts::Kind::departure:
        containers_.kill(timeout->container);
        break;
    }
  }
}

void ApplicationMasterService::expire_master(ApplicationId id) {
  ApplicationState* const state = applications_.find(id);
  if (state == nullptr) return;
  ManagedMaster& master = *state->master.managed();
  const TraceTime expires_at = master.expires_at();
  if (expires_at == never) return;
  const ContainerId silent = master.container();
  if (context_.now() < expires_at) return timeouts_.master_launched(id, silent, expires_at);
  master.expire(context_.now(), actions_);
  containers_.kill(silent);
  executor_.perform(id, actions_);
}

}  // namespace tracebed
