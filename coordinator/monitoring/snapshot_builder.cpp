#include "coordinator/monitoring/snapshot_builder.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace tracebed {
namespace {

ApplicationPhase phase_of(const ApplicationState& state) {
  if (!state.is_accepted) return ApplicationPhase::submitted;
  const ManagedMaster* const master = state.master.managed();
  const bool has_registered = master == nullptr || master->has_registered();
  return has_registered ? ApplicationPhase::running : ApplicationPhase::accepted;
}

}  // namespace

SnapshotBuilder::SnapshotBuilder(const Engine& engine, const Names& names,
                                 const ResourceDimensions& dimensions,
                                 const ApplicationHistory& history, const SchedulerEntry& scheduler,
                                 std::string label)
    : engine_(engine),
      names_(names),
      dimensions_(dimensions),
      history_(history),
      scheduler_(scheduler),
      label_(std::move(label)),
      began_ms_(std::chrono::duration_cast<std::chrono::milliseconds>(
                    std::chrono::system_clock::now().time_since_epoch())
                    .count()) {}

RunSnapshot SnapshotBuilder::take(TraceTime now) const {
  const ClusterModel& cluster = engine_.cluster();
  SchedulerView view = engine_.scheduler().view(cluster);
  RunSnapshot snapshot;
  snapshot.began_ms = began_ms_;
  snapshot.scheduler.scheduler = scheduler_.name;
  snapshot.scheduler.form = scheduler_.info_form;
  snapshot.scheduler.label = label_;
  snapshot.scheduler.at = now;
  snapshot.scheduler.dimensions = dimensions_;
  snapshot.scheduler.capacity = cluster.capacity;
  snapshot.scheduler.free = cluster.free;
  snapshot.scheduler.queues = std::move(view.queues);
  add_nodes(snapshot);
  add_applications(now, snapshot);
  for (const ReservationView& reservation : view.reservations) {
    const auto found = std::lower_bound(
        snapshot.applications.begin(), snapshot.applications.end(), reservation.application,
        [](const ApplicationSnapshot& shown, ApplicationId id) { return shown.id < id; });
    if (found == snapshot.applications.end() || found->id != reservation.application) continue;
    found->reserved += reservation.resources;
    ++found->containers_reserved;
  }
  for (const ApplicationSnapshot& ended : history_.ended()) snapshot.applications.push_back(ended);
  snapshot.counts = history_.counts();
  snapshot.counts.submitted = engine_.counters().jobs_submitted;
  return snapshot;
}

void SnapshotBuilder::add_nodes(RunSnapshot& snapshot) const {
  for (const Node& node : engine_.cluster().nodes) {
    if (node.name.empty()) continue;  // its machine was never there
    snapshot.nodes.push_back({node.name, engine_.racks().name(node.rack), node.labels,
                              node.is_present, node.is_withheld, node.capacity, node.free,
                              node.containers});
    if (!node.alive) continue;
    ++snapshot.scheduler.nodes;
    snapshot.scheduler.containers += node.containers;
  }
}

void SnapshotBuilder::add_applications(TraceTime now, RunSnapshot& snapshot) const {
  const ClusterModel& cluster = engine_.cluster();
  std::unordered_map<ApplicationId, std::size_t> position;
  cluster.applications.for_each([&](ApplicationId id, const Application& application) {
    const ApplicationState& state = engine_.application_state(id);
    ApplicationSnapshot shown;
    shown.id = id;
    shown.name = state.record.name;
    shown.user = names_.users.name(application.user);
    shown.queue = application.leaf.is_valid() ? engine_.leaves().name(application.leaf)
                                              : names_.queues.name(application.queue);
    shown.kind = state.record.kind;
    shown.phase = phase_of(state);
    shown.priority = application.priority;
    shown.submitted = application.submitted;
    shown.first_allocated = state.record.first_allocated;
    shown.tasks = state.tasks.tasks();
    shown.tasks_succeeded = state.tasks.succeeded();
    shown.has_managed_master = state.master.managed() != nullptr;
    shown.used = application.used;
    shown.containers = application.containers;
    shown.use = history_.use_of(id);
    for (const AskId ask : application.asks) {
      shown.pending += cluster.asks[ask].demand * cluster.asks[ask].pending;
      shown.containers_pending += cluster.asks[ask].pending;
    }
    position.emplace(id, snapshot.applications.size());
    snapshot.applications.push_back(std::move(shown));
  });
  cluster.containers.for_each([&](ContainerId, const Container& container) {
    const auto found = position.find(container.application);
    if (found == position.end()) return;
    ApplicationSnapshot& shown = snapshot.applications[found->second];
    add_use(shown.use, container.resources, now - container.allocated);
    if (container.is_master) shown.master_node = cluster.node(container.node).name;
  });
}

}  // namespace tracebed
