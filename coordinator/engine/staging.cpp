// What a scenario does to an application beside rounds.
#include "coordinator/engine/engine.h"
#include "core/check.h"

namespace tracebed {

Status Engine::stage(TraceTime now, const StagedActions& staged, std::vector<Command>& commands) {
  begin(now, commands);
  Status status = perform_staged(staged);
  decide();
  end();
  return status;
}

void Engine::stage_update(TraceTime now, std::vector<Command>& commands) {
  begin(now, commands);
  scheduler_->request_update();
  context_.events.push_back(Tick{});
  decide();
  end();
}

Status Engine::perform_staged(const StagedActions& staged) {
  const ApplicationState* state = applications_.find(staged.application);
  if (state == nullptr) return Error{"the application has ended"};
  if (!state->is_accepted) {
    return Error{"the scheduler has not accepted the application"};
  }
  actions_.assign(staged.actions.begin(), staged.actions.end());
  executor_.perform(staged.application, actions_);
  for (const StagedContainer& container : staged.containers) {
    if (Status status = place_staged(staged.application, container); !status) return status;
  }
  return success();
}

Status Engine::place_staged(ApplicationId id, const StagedContainer& container) {
  const ApplicationState* const state = applications_.find(id);
  if (state == nullptr) return Error{"the application has ended"};
  const ClusterModel& model = ledger_.model();
  const bool has_ask =
      container.slot < state->asks.size() && state->asks[container.slot].is_valid();
  if (!has_ask) return Error{"there is no such ask"};
  const AskId ask_id = state->asks[container.slot];
  const Ask& ask = model.asks[ask_id];
  const Node& node = model.node(container.node);
  if (!node.alive) return Error{"the node " + node.name + " is not there"};
  ContainerRecovered recovered{.application = id, .ask = ask_id, .node = container.node};
  recovered.container = model.containers.next_id();
  recovered.resources = ask.demand * container.units;
  if (!model.has_room(node, ask.demand, container.units)) {
    return Error{"the node " + node.name + " has no room for it"};
  }
  TRACEBED_CHECK(ask.is_gang() || container.units == 1, "only a gang's units share a container");
  ledger_.raise_ask(ask_id, container.units);  // lowered by the grant
  context_.events.push_back(recovered);
  committer_.grant(ask_id, {container.node, container.units});
  return success();
}

}  // namespace tracebed
