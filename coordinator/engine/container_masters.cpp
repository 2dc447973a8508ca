// How the engine deals with masters that run in containers: what they say, and their failures.
#include <utility>

#include "coordinator/engine/call_check.h"
#include "coordinator/engine/digest_marks.h"
#include "coordinator/engine/engine.h"
#include "coordinator/engine/engine_state.h"
#include "core/check.h"

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

void Engine::hear_call(const MasterCall& call) {
  ++counters_.master_calls;
  ApplicationState* state = applications_.find(call.application);
  using Hearing = ManagedMaster::Hearing;
  const Hearing hearing = state != nullptr && state->managed != nullptr
                              ? state->managed->hear(now_, call)
                              : Hearing::superseded;
  switch (hearing) {
    case Hearing::fresh:
      return perform_call(call, *state);
    case Hearing::repeated:
      ++counters_.master_calls_repeated;
      answers_.push_back(state->managed->last_answer());
      return;
    case Hearing::superseded:
      ++counters_.master_calls_misplaced;
      return dismiss(call);
    case Hearing::misplaced:
      ++counters_.master_calls_misplaced;
      return;
  }
}

void Engine::dismiss(const MasterCall& call) {
  MasterAnswer& answer = answers_.emplace_back();
  answer.application = call.application;
  answer.attempt = call.attempt;
  answer.sequence = call.sequence;
  answer.now = now_;
  answer.is_dismissal = true;
}

void Engine::count_verdict(ActionVerdict verdict) {
  switch (verdict) {
    case ActionVerdict::allowed:
      return;
    case ActionVerdict::late:
      ++counters_.master_actions_late;
      return;
    case ActionVerdict::repeated:
      ++counters_.master_actions_repeated;
      return;
    case ActionVerdict::foreign:
      ++counters_.master_actions_foreign;
      return;
    case ActionVerdict::refused:
      ++counters_.master_actions_refused;
      return;
  }
}

void Engine::perform_call(const MasterCall& call, ApplicationState& state) {
  const ApplicationId id = call.application;
  ManagedMaster& master = *state.managed;
  const bool may_finish = call.kind == MasterCallKind::unregistration;
  for (const MasterAction& said : call.actions) {
    MasterAction action = said;
    shift_slot(action);
    const CallContext context{
        now_, id, ledger_.model(), master.stage_tasks(), state.asks, master.container()};
    ActionVerdict verdict = judge(context, action);
    if (const auto* end = std::get_if<FinishApplication>(&action)) {
      const bool is_true = end->outcome != JobOutcome::succeeded || state.tasks.is_complete();
      if (!may_finish || !is_true) verdict = ActionVerdict::refused;
      if (verdict == ActionVerdict::allowed) master.unregister();
    }
    count_verdict(verdict);
    if (verdict != ActionVerdict::allowed) continue;
    if (const auto* ask = std::get_if<SetAsk>(&action)) master.ask_opened(ask->slot);
    if (const auto* closed = std::get_if<CloseAsk>(&action)) master.ask_closed(closed->slot);
    actions_.push_back(std::move(action));
    perform_actions(id);
    if (!applications_.contains(id)) break;
  }
  MasterAnswer& answer = answers_.emplace_back();
  answer.application = id;
  answer.attempt = call.attempt;
  answer.sequence = call.sequence;
  answer.now = now_;
  answer.is_dismissal = !applications_.contains(id);
  if (answer.is_dismissal) return;
  master.tell(answer);
  answer.preemption = requests_.tell(id, now_);
}

// When the scheduler has decided: its headroom is of the cluster as it stands after that.
void Engine::answer_calls() {
  for (MasterAnswer& answer : answers_) {
    ApplicationState* state = applications_.find(answer.application);
    if (state != nullptr && !answer.is_dismissal) {
      answer.headroom = scheduler_->headroom(ledger_.model(), answer.application);
      for (std::size_t i = 0; i < answer.headroom.dimensions_used(); ++i) {
        if (answer.headroom[i] < 0) answer.headroom[i] = 0;
      }
      state->managed->last_answer() = answer;
    }
    commands_->push_back(AnswerMaster{&answer});
  }
}

void Engine::launch_master(ApplicationId id, ApplicationState& state,
                           const LaunchMasterProcess& action) {
  Container& container = ledger_.model().containers[action.container];
  container.is_launched = true;
  container.is_master = true;
  container.attempt = action.attempt;
  container.application_attempt = action.attempt;
  container.waiting_since = action.waiting_since;
  ++masters_alive_;
  if (state.managed == nullptr) return;  // a story's, which is no process
  if (action.attempt > 1) {
    ++counters_.masters_failed;
    state.tasks = TaskAccount(state.managed->job());
    state.kept.forget();
    orphan_others(id, action.container);
  }
  commands_->push_back(LaunchMaster{action.container, container.node, id, action.attempt,
                                    container.resources, &state.managed->job(),
                                    &ledger_.model().nodes});
  watches_.push(state.managed->expires_at(), {Watch::master, id, action.container});
  digest_.add(static_cast<std::uint64_t>(DigestMark::launch_master));
  digest_.add(action.container);
}

// What an earlier attempt at the master left behind is being killed, and counts for no task.
void Engine::orphan_others(ApplicationId id, ContainerId own) {
  PagedTable<ContainerId, Container>& containers = ledger_.model().containers;
  std::vector<ContainerId> others;
  containers.for_each([&](ContainerId other, const Container& container) {
    if (container.application == id && other != own) others.push_back(other);
  });
  for (const ContainerId other : others) {
    containers[other].is_orphan = true;
    if (requests_.find(other) != nullptr) requests_.orphan(other);
  }
}

void Engine::ended_unlaunched(ApplicationId id, const AttemptEnd& end) {
  ApplicationState* state = applications_.find(id);
  if (state == nullptr) return;
  const std::size_t actions = actions_.size();
  state->managed->attempt_ended(now_, end, actions_);
  TRACEBED_CHECK(actions_.size() == actions, "the end of what was not launched makes no actions");
}

void Engine::look_at_watches() {
  while (watches_.next_time() <= now_) {
    const Watched watched = watches_.pop();
    Container* container = ledger_.model().containers.find(watched.container);
    if (container == nullptr) continue;
    switch (watched.kind) {
      case Watch::master:
        expire_master(watched.application);
        break;
      case Watch::allocation:
        if (!container->is_launched) release_unlaunched(watched.container);
        break;
      case Watch::departure:
        order_kill(watched.container);
        break;
    }
  }
}

void Engine::expire_master(ApplicationId id) {
  ApplicationState* state = applications_.find(id);
  if (state == nullptr) return;
  ManagedMaster& master = *state->managed;
  const TraceTime expires_at = master.expires_at();
  if (expires_at == never) return;
  if (now_ < expires_at) {
    watches_.push(expires_at, {Watch::master, id, master.container()});
    return;
  }
  const ContainerId silent = master.container();
  master.expire(now_, actions_);
  order_kill(silent);
  perform_actions(id);
}

}  // namespace tracebed
