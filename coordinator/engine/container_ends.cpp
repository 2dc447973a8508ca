// How containers end.
#include <vector>

#include "coordinator/engine/containers.h"
#include "core/check.h"

namespace tracebed {

ApplicationId Containers::end(ContainerId id, const EndOfContainer& how, MasterActions& actions) {
  const bool has_result =
      how.end == ContainerEnd::succeeded || how.end == ContainerEnd::checkpointed;
  if (states_[id].is_superseded && has_result) {
    EndOfContainer in_vain = how;
    in_vain.end = ContainerEnd::killed;
    in_vain.account.progress = 0;
    return end(id, in_vain, actions);
  }
  const Container& container = ledger_.model().containers[id];
  const ContainerState& state = states_[id];
  const ContainerEnd end = reported_end(id, how.end);
  if (!preemptions_.empty()) settle_preemption(id, container, end);
  records_.attempt_ended(id, container, state, end, how.account);
  outputs_.ended(id, end);
  if (container.is_launched && !container.is_master && !state.is_orphan) {
    map_outputs_.ended(state.job, state.task, id, container.node, end);
  }
  push_finished(id, container, end);
  context_.cluster_changed = true;
  const ApplicationId application_id = container.application;
  const NodeId node = container.node;
  const bool was_launched = container.is_launched;
  const AttemptEnd attempt{id, node, end, how.node_left, container.units, how.account.progress};
  ApplicationState* const application = applications_.find(application_id);
  if (application != nullptr && was_launched) {
    application->whole_gang.reset();
    if (!container.is_master && !state.is_orphan && !state.is_superseded) {
      application->tasks.ended(state.task, container.units, end == ContainerEnd::succeeded);
      keep_progress(*application, state, end, how.account.progress);
    }
  }
  if (state.twin.is_valid()) leave_twin(state, end, application);
  if (state.is_superseded) ++context_.counters.attempts_superseded;
  if (container.is_master) --masters_alive_;
  if (state.is_held) held_.erase(id);
  ledger_.release(id, 1);
  states_.erase(id);
  // What was not launched was given back by its master, or is lost with its node, of which masters
  // in the engine hear, too; or it is taken back (preempt_by_force). One in a container may hold it
  // for a while, and is notified at its next call.
  const bool is_notified =
      application != nullptr && (was_launched || application->master.managed() != nullptr);
  if (is_notified) application->master->attempt_ended(context_.now(), attempt, actions);
  if (!how.node_left) note_if_drained(node);
  return is_notified && was_launched ? application_id : ApplicationId();
}

void Containers::leave_twin(const ContainerState& state, ContainerEnd end,
                            ApplicationState* application) {
  ContainerState& twin = states_[state.twin];
  twin.twin = ContainerId();
  if (end != ContainerEnd::succeeded) return;
  twin.is_superseded = true;
  const bool counts = application != nullptr && !twin.is_orphan;
  if (counts) application->tasks.ended(twin.task, 1, false);
}

ContainerEnd Containers::reported_end(ContainerId id, ContainerEnd end) const {
  if (end != ContainerEnd::killed) return end;
  const bool is_preempted = states_[id].is_preempted || preemptions_.find(id) != nullptr;
  return is_preempted ? ContainerEnd::preempted : end;
}

void Containers::settle_preemption(ContainerId id, const Container& container, ContainerEnd end) {
  ApplicationState* const application = applications_.find(container.application);
  ManagedMaster* const master = application == nullptr ? nullptr : application->master.managed();
  if (container.is_master && master != nullptr && master->container() == id &&
      ManagedMaster::is_own_failure(end) &&
      preemptions_.ledger().has_requests(container.application)) {
    ++context_.counters.masters_failed_during_preemption;
  }
  const PreemptionRequest* const request = preemptions_.find(id);
  const bool is_moved_master = request != nullptr && container.is_master && master != nullptr &&
                               request->terms.purpose == PreemptionPurpose::move;
  if (is_moved_master) master->leave(container.node);
  preemptions_.container_ended(id, container, end);
}

void Containers::keep_progress(ApplicationState& application, const ContainerState& state,
                               ContainerEnd end, std::uint32_t progress) {
  // The master of a service counts what its instances have served itself.
  if (application.record.kind == JobKind::service) return;
  const bool is_gang = application.record.kind == JobKind::rigid;
  if (end == ContainerEnd::checkpointed || is_gang || !application.kept.empty()) {
    application.kept.container_ended(state, is_gang, end, progress);
  }
}

void Containers::push_finished(ContainerId id, const Container& container, ContainerEnd end) {
  // Made in place, as it is large and a run makes one for every container.
  auto& finished = std::get<ContainerFinished>(
      context_.events.emplace_back(std::in_place_type<ContainerFinished>));
  finished.container = id;
  finished.application = container.application;
  finished.ask = container.ask;
  finished.node = container.node;
  finished.resources = container.resources;
  finished.end = end;
}

void Containers::note_if_drained(NodeId id) {
  const Node& node = ledger_.model().node(id);
  if (node.is_present && node.is_withheld && node.containers == 0)
    context_.lost_outputs.push_back(id);
}

ApplicationId Containers::end_gang(
    const GangEnded& ended, MasterActions& actions,
    const std::function<void(ContainerId, const EndOfContainer&)>& end_one) {
  const PagedTable<ContainerId, Container>& containers = ledger_.model().containers;
  const Container* const head = containers.find(ended.first);
  ApplicationState* const application =
      head == nullptr ? nullptr : applications_.find(head->application);
  const WholeGang whole{ended.first, ended.containers};
  if (application == nullptr || application->whole_gang != whole) {
    // What was lost with its node meanwhile was counted; the others end one by one.
    for (std::uint32_t i = 0; i < ended.containers; ++i) {
      const ContainerId id = ended.first + i;
      if (const Container* container = containers.find(id)) {
        end_one(id, {ContainerEnd::succeeded, ended.account.times(container->units), false});
      } else {
        ++context_.counters.late_reports;
      }
    }
    return {};
  }
  const ApplicationId application_id = head->application;
  const TaskRef task = states_[ended.first].task;
  std::vector<NodeId> withheld;  // what runs on such a node is marked for preemption
  for (std::uint32_t i = 0; i < ended.containers && !preemptions_.empty(); ++i) {
    const Container& container = containers[ended.first + i];
    if (ledger_.model().node(container.node).is_withheld) withheld.push_back(container.node);
    preemptions_.container_ended(ended.first + i, container, ContainerEnd::succeeded);
  }
  std::uint32_t units = 0;
  ContainerId id = ended.first;
  containers.visit_range_with(states_, ended.first, ended.containers,
                              [&](const Container& container, const ContainerState& state) {
                                records_.attempt_ended(id, container, state,
                                                       ContainerEnd::succeeded,
                                                       ended.account.times(container.units));
                                push_finished(id, container, ContainerEnd::succeeded);
                                units += container.units;
                                id = id + 1;
                              });
  states_.erase_range(ended.first, ended.containers);
  context_.cluster_changed = true;
  ledger_.release(ended.first, ended.containers);
  application->whole_gang.reset();
  application->tasks.ended(task, units, true);
  application->master->gang_ended(context_.now(), GangEnd{ended.first, ended.containers}, actions);
  for (const NodeId node : withheld) note_if_drained(node);
  return application_id;
}

}  // namespace tracebed
