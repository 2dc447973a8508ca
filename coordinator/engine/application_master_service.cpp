#include "coordinator/engine/application_master_service.h"

#include <utility>

namespace tracebed {
namespace {

// The master numbers its asks from 0, where the engine has the master's own.
void shift_slot(MasterAction& action) {
  constexpr AskSlot shift = ManagedMaster::own_slot + 1;
  if (auto* ask = std::get_if<SetAsk>(&action)) {
    ask->slot += shift;
  } else if (auto* places = std::get_if<AdjustPlaces>(&action)) {
    places->slot += shift;
  } else if (auto* closed = std::get_if<CloseAsk>(&action)) {
    closed->slot += shift;
  }
}

}  // namespace

void ApplicationMasterService::call(const MasterCall& call) {
  ++context_.counters.master_calls;
  ApplicationState* const state = applications_.find(call.application);
  using CallOrder = ManagedMaster::CallOrder;
  const CallOrder order = state != nullptr && state->managed != nullptr
                              ? state->managed->receive(context_.now(), call)
                              : CallOrder::superseded;
  switch (order) {
    case CallOrder::fresh:
      return perform_call(call, *state);
    case CallOrder::repeated:
      ++context_.counters.master_calls_repeated;
      answers_.push_back(state->managed->last_answer());
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
  const ManagedMaster& master = *state.managed;
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
  ManagedMaster& master = *state.managed;
  for (const MasterAction& said : call.actions) {
    MasterAction action = said;
    shift_slot(action);
    const ActionVerdict verdict = verdict_on(call, state, action);
    count_verdict(verdict);
    if (verdict != ActionVerdict::allowed) continue;
    if (std::holds_alternative<FinishApplication>(action)) master.unregister();
    if (const auto* ask = std::get_if<SetAsk>(&action)) master.ask_opened(ask->slot);
    if (const auto* closed = std::get_if<CloseAsk>(&action)) master.ask_closed(closed->slot);
    actions_.push_back(std::move(action));
    executor_.perform(id, actions_);
    if (!applications_.contains(id)) break;
  }
  MasterAnswer& answer = add_answer(call);
  answer.is_dismissal = !applications_.contains(id);
  if (answer.is_dismissal) return;
  master.tell(answer);
  answer.preemption = preemptions_.message_for(id);
}

void ApplicationMasterService::answer_calls(const Scheduler& scheduler) {
  for (MasterAnswer& answer : answers_) {
    ApplicationState* const state = applications_.find(answer.application);
    if (state != nullptr && !answer.is_dismissal) {
      answer.headroom = scheduler.headroom(cluster_, answer.application);
      for (std::size_t i = 0; i < answer.headroom.dimensions_used(); ++i) {
        if (answer.headroom[i] < 0) answer.headroom[i] = 0;
      }
      state->managed->last_answer() = answer;
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
  ManagedMaster& master = *state->managed;
  const TraceTime expires_at = master.expires_at();
  if (expires_at == never) return;
  const ContainerId silent = master.container();
  if (context_.now() < expires_at) return timeouts_.master_launched(id, silent, expires_at);
  master.expire(context_.now(), actions_);
  containers_.kill(silent);
  executor_.perform(id, actions_);
}

}  // namespace tracebed
