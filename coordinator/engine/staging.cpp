// What a story does to an application beside rounds.
#include "coordinator/engine/engine.h"
#include "coordinator/engine/engine_state.h"
#include "core/check.h"

namespace tracebed {

void Engine::begin_stage(TraceTime now, std::vector<Command>& commands) {
  TRACEBED_CHECK(now >= now_, "time does not run backwards");
  now_ = now;
  commands_ = &commands;
  decide_calls_of_step_ = 0;
}

void Engine::end_stage() {
  decide();
  if (cluster_changed_) sample();
  if (paranoid_) verify();
  commands_ = nullptr;
}

Status Engine::stage(TraceTime now, const StagedActions& staged, std::vector<Command>& commands) {
  begin_stage(now, commands);
  Status status = perform_staged(staged);
  end_stage();
  return status;
}

void Engine::stage_update(TraceTime now, std::vector<Command>& commands) {
  begin_stage(now, commands);
  scheduler_->request_update();
  events_.push_back(Tick{});
  end_stage();
}

Status Engine::perform_staged(const StagedActions& staged) {
  const ApplicationState* state = applications_.find(staged.application);
  if (state == nullptr) return Error{"the application has ended"};
  if (state->answer != Answer::accepted) {
    return Error{"the scheduler has not accepted the application"};
  }
  actions_.assign(staged.actions.begin(), staged.actions.end());
  perform_actions(staged.application);
  for (const StagedContainer& container : staged.containers) {
    if (Status status = place_staged(staged.application, container); !status) return status;
  }
  return success();
}

Status Engine::place_staged(ApplicationId id, const StagedContainer& container) {
  ApplicationState* state = applications_.find(id);
  if (state == nullptr) return Error{"the application has ended"};
  ClusterModel& model = ledger_.model();
  const bool has_ask =
      container.slot < state->asks.size() && state->asks[container.slot].is_valid();
  if (!has_ask) return Error{"there is no such ask"};
  const AskId ask_id = state->asks[container.slot];
  Ask& ask = model.asks[ask_id];
  const Node& node = model.node(container.node);
  if (!node.alive) return Error{"the node " + node.name + " is not there"};
  if (!(ask.demand * container.units).fits_in(node.free)) {
    return Error{"the node " + node.name + " has no room for it"};
  }
  TRACEBED_CHECK(ask.gang || container.units == 1, "only a gang's units share a container");
  ask.pending += container.units;  // taken back by the grant
  ContainerRecovered recovered{.application = id, .ask = ask_id, .node = container.node};
  recovered.container = model.containers.next_id();
  recovered.resources = ask.demand * container.units;
  grant(taker_of(ask_id, *state), container.node, container.units, *state);
  events_.push_back(recovered);
  perform_actions(id);
  return success();
}

}  // namespace tracebed
