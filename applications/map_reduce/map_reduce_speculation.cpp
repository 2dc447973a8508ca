// What a MapReduce master does for speculative execution: it looks for slow tasks, asks for
// containers for their duplicates, and of two attempts kills the one that was not the first.
#include <algorithm>
#include <limits>

#include "applications/map_reduce/map_reduce_master.h"
#include "applications/parts/failure.h"
#include "core/map_reduce_priorities.h"

namespace tracebed {
namespace {

std::uint64_t containers_of(const Resources& demand, const Node& node) {
  std::uint64_t count = std::numeric_limits<std::uint64_t>::max();
  for (std::size_t d = 0; d < demand.dimensions_used(); ++d) {
    if (demand[d] <= 0) continue;
    count = std::min(count, static_cast<std::uint64_t>(node.capacity[d] / demand[d]));
  }
  return count == std::numeric_limits<std::uint64_t>::max() ? 0 : count;
}

}  // namespace

void MapReduceMaster::know_cluster(std::span<const Node> nodes) {
  cluster_nodes_.clear();
  cluster_maps_ = cluster_reduces_ = 0;
  for (const Node& node : nodes) {
    cluster_nodes_.push_back(node.id);
    cluster_maps_ += containers_of(map_demand_, node);
    cluster_reduces_ += containers_of(reduce_demand_, node);
  }
}

SpeculatedJob MapReduceMaster::speculated_job() const {
  return {started_,
          {&map_progress_, maps_waiting(), cluster_maps_},
          {&reduce_progress_, reduces_waiting(), cluster_reduces_}};
}

void MapReduceMaster::progressed(TraceTime now, const AttemptProgress& progress,
                                 MasterActions& /*actions*/) {
  const auto place = running_.find(progress.container);
  if (place == running_.end() || speculation_ == nullptr) return;
  progress_of(place->second.is_map).reported(progress, now);
}

void MapReduceMaster::expect_look(TraceTime now, MasterActions& actions) {
  const bool has_tasks = !map_progress_.running().empty() || !reduce_progress_.running().empty();
  if (next_look_ == never && has_tasks) {
    next_look_ = std::max(speculation_->next_look(now), now + options_.heartbeat_interval);
  }
  if (next_look_ >= heartbeat_at_) return;
  heartbeat_at_ = next_look_;
  actions.push_back(HeartbeatAt{next_look_});
}

void MapReduceMaster::look_for_slow_tasks(TraceTime now, MasterActions& actions) {
  const SpeculationPolicy::Wanted wanted = speculation_->look(now, speculated_job());
  duplicates_asked_ = now;
  ask_for_duplicates(true, wanted.maps, actions);
  ask_for_duplicates(false, wanted.reduces, actions);
}

std::vector<NodeId> MapReduceMaster::barred_nodes(bool is_map,
                                                  const std::vector<std::uint32_t>& tasks) const {
  const StageProgress& progress = progress_of(is_map);
  std::vector<NodeId> barred = speculation_->slow_nodes(speculated_job());
  // Where not even the first of them may run.
  for (const NodeId node : progress.nodes_of(tasks.front())) {
    const bool suits_any = std::any_of(tasks.begin(), tasks.end(), [&](std::uint32_t task) {
      return speculation_->may_run_on(node, task, progress);
    });
    if (!suits_any) barred.push_back(node);
  }
  std::sort(barred.begin(), barred.end());
  barred.erase(std::unique(barred.begin(), barred.end()), barred.end());
  return barred;
}

void MapReduceMaster::ask_for_duplicates(bool is_map, const std::vector<std::uint32_t>& tasks,
                                         MasterActions& actions) {
  SetAsk ask;
  ask.slot = is_map ? Slot::map_duplicates : Slot::reduce_duplicates;
  ask.kind = is_map ? StageKind::map : StageKind::reduce;
  ask.priority = map_reduce_priority(ask.kind);
  ask.demand = is_map ? map_demand_ : reduce_demand_;
  ask.pending = static_cast<std::uint32_t>(tasks.size());
  const std::vector<NodeId> barred =
      tasks.empty() ? std::vector<NodeId>() : barred_nodes(is_map, tasks);
  if (barred.size() == 1) {
    ask.avoided = barred.front();
  } else if (barred.size() > 1) {
    ask.relax_locality = false;
    for (const NodeId node : cluster_nodes_) {
      const bool is_barred = std::binary_search(barred.begin(), barred.end(), node);
      if (!is_barred) ask.nodes.push_back({node, ask.pending});
    }
    if (ask.nodes.empty()) ask.pending = 0;
  }
  SetAsk& stands = is_map ? map_duplicates_ask_ : reduce_duplicates_ask_;
  const bool is_same = ask.pending == 0 ? stands.pending == 0 : ask == stands;
  if (is_same) return;
  stands = ask;
  actions.push_back(std::move(ask));
}

const std::uint32_t* MapReduceMaster::choose(const std::vector<std::uint32_t>& tasks,
                                             const Grant& grant, bool is_map) const {
  const std::uint32_t* best = nullptr;
  Locality best_locality = Locality::off_switch;
  const std::vector<NodeId> slow = speculation_->slow_nodes(speculated_job());
  if (std::binary_search(slow.begin(), slow.end(), grant.node)) return nullptr;
  for (const std::uint32_t& task : tasks) {
    if (!speculation_->may_run_on(grant.node, task, progress_of(is_map))) continue;
    if (!is_map || !speculation_->prefers_near_input()) return &task;
    const Locality locality = pending_maps_.locality(task, grant.node, grant.rack);
    if (best != nullptr && locality >= best_locality) continue;
    best = &task;
    best_locality = locality;
  }
  return best;
}

void MapReduceMaster::launch_duplicate(TraceTime now, const Grant& grant, MasterActions& actions) {
  const bool is_map = grant.slot == Slot::map_duplicates;
  SetAsk& stands = is_map ? map_duplicates_ask_ : reduce_duplicates_ask_;
  if (stands.pending > 0) --stands.pending;
  const SpeculationPolicy::Wanted wanted = speculation_->look(now, speculated_job());
  const std::uint32_t* const task = choose(is_map ? wanted.maps : wanted.reduces, grant, is_map);
  if (task == nullptr) {
    actions.push_back(ReleaseContainer{grant.container});
    // Until the next look: the same container would be given at once.
    return ask_for_duplicates(is_map, {}, actions);
  }
  Placed placed{.task = *task,
                .beside = progress_of(is_map).running().at(*task).attempts.front().container};
  if (is_map) {
    placed.locality = pending_maps_.locality(*task, grant.node, grant.rack);
    map_retries_.duplicated(*task);
    launch_map(now, grant, placed, actions);
  } else {
    reduce_retries_.duplicated(*task);
    launch_reduce(now, grant, placed, actions);
    ++reduces_surplus_;
  }
  look_for_slow_tasks(now, actions);
}

MapReduceMaster::Consequence MapReduceMaster::settle_twin(const Attempt& attempt,
                                                          const AttemptEnd& end,
                                                          MasterActions& actions) {
  if (!attempt.is_superseded && !attempt.twin.is_valid()) return Consequence::as_alone;
  if (attempt.twin.is_valid()) {
    Attempt& twin = running_.at(attempt.twin);
    twin.twin = ContainerId();
    if (end.end == ContainerEnd::succeeded) {
      twin.is_superseded = true;
      held_.erase(attempt.twin);
      refetching_.erase(attempt.twin);
      actions.push_back(KillTask{attempt.twin});
      return Consequence::as_alone;
    }
  }
  moved_.ended(end.container);
  if (attempt.is_map) {
    --maps_running_;
  } else {
    --reduces_running_;
    --reduces_surplus_;
  }
  if (attempt.is_superseded || !is_failure(end.end)) return Consequence::none;
  Retries& retries = attempt.is_map ? map_retries_ : reduce_retries_;
  const std::uint32_t failures = retries.failed_beside(attempt.task);
  const std::uint32_t most =
      attempt.is_map ? options_.map_attempts_max : options_.reduce_attempts_max;
  if (failures < most) return Consequence::none;
  fail(attempt.is_map ? "map" : "reduce", attempt.task, failures, end.end, actions);
  return Consequence::job_failure;
}

}  // namespace tracebed
