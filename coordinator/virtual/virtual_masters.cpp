// Masters that run in the modelled machines' containers. Their processes are this one's objects;
// their calls are events of the fleet, and take no time to arrive.
#include <algorithm>

#include "coordinator/virtual/virtual_fleet.h"
#include "core/check.h"

namespace tracebed {

void VirtualFleet::launch_master(const LaunchMaster& command) {
  NodeModel& node = nodes_[command.node.index()];
  if (!node.is_up) return;  // as for a task
  TRACEBED_CHECK(host_ != nullptr, "a fleet that is to run masters has somebody to host them");
  RunningTask& task = running_.emplace_at(command.container);
  task.node = command.node;
  task.started = now_ + launch_latency_.draw();
  task.ends = never;
  task.is_held = true;  // until it has unregistered
  const auto place = masters_.emplace(command.container, host_(command)).first;
  container_of_master_[command.application] = command.container;
  if (place->second->next_call() != never) {
    events_.push(task.started + master_startup_.draw(),
                 {.kind = EventKind::master_calls, .subject = command.container.value()});
  }
  if (options_.is_ideal) return;
  node.free -= command.limits;
  limits_.emplace_at(command.container, command.limits);
  update_mark(command.node);
}

void VirtualFleet::take_call(ContainerId id, Round& round) {
  const auto place = masters_.find(id);
  if (place == masters_.end()) return;
  const RunningTask* task = running_.find(id);
  if (task == nullptr || task->end == ContainerEnd::killed) {
    masters_.erase(place);  // it was killed, or went with its machine
    return;
  }
  if (place->second->spoils_next_call()) ++garbage_;
  place->second->make_call(round.add_call());
}

void VirtualFleet::answer_master(const MasterAnswer& answer) {
  const auto known = container_of_master_.find(answer.application);
  if (known == container_of_master_.end()) return;
  const ContainerId id = known->second;
  const auto place = masters_.find(id);
  if (place == masters_.end()) return;
  RunningTask* task = running_.find(id);
  if (task == nullptr || task->end == ContainerEnd::killed) {
    masters_.erase(place);
    return;
  }
  HostedMaster& master = *place->second;
  master.take_answer(answer);
  if (master.has_failed()) task->end = ContainerEnd::failed;
  if (master.has_ended() || master.has_failed()) {
    task->is_held = false;
    task->ends = now_;
    schedule_end(id, now_);
    container_of_master_.erase(known);
    masters_.erase(place);
  } else if (master.next_call() != never) {
    events_.push(std::max(now_, master.next_call()),
                 {.kind = EventKind::master_calls, .subject = id.value()});
  }
}

}  // namespace tracebed
