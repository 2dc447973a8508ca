// The life of attempts; what is asked for stands in map_reduce_asks.cpp.
#include "applications/map_reduce/map_reduce_master.h"

#include <algorithm>
#include <string>
#include <utility>

#include "applications/parts/failure.h"
#include "core/check.h"

namespace tracebed {
namespace {

Stage take_stage(Job& job, StageKind kind, std::uint16_t& index) {
  Stage stage;
  for (std::size_t i = 0; i < job.stages.size(); ++i) {
    if (job.stages[i].kind != kind) continue;
    index = static_cast<std::uint16_t>(i);
    stage = std::move(job.stages[i]);
  }
  return stage;
}

std::uint32_t map_count(const Job& job) {
  std::uint32_t count = 0;
  for (const Stage& stage : job.stages) {
    if (stage.kind == StageKind::map) count += task_count(stage);
  }
  return count;
}

Resources sized(Resources demand, const Resources& size) {
  for (std::size_t d = 0; d < size.dimensions_used(); ++d) {
    if (size[d] > 0) demand[d] = size[d];
  }
  return demand;
}

}  // namespace

MapReduceMaster::MapReduceMaster(const MapReduceOptions& options, Job& job,
                                 std::vector<Replica> replicas, std::uint32_t replication)
    : options_(options),
      pending_maps_(map_count(job), std::move(replicas), replication),
      moved_(first_moved_slot(options.speculation)) {
  Stage map_stage = take_stage(job, StageKind::map, map_stage_);
  Stage reduce_stage = take_stage(job, StageKind::reduce, reduce_stage_);
  map_demand_ = sized(map_stage.demand, options.map_size);
  reduce_demand_ = sized(reduce_stage.demand, options.reduce_size);
  map_input_ = StageInput(map_stage.input, task_count(map_stage));
  map_work_ = StageWork(std::move(map_stage.runs));
  reduce_work_ = StageWork(std::move(reduce_stage.runs));
  if (reduce_work_.tasks() > 0) output_node_.resize(map_work_.tasks());
  speculation_ = make_speculation_policy(options.speculation, options.heartbeat_interval);
  if (speculation_ == nullptr) return;
  map_progress_ = StageProgress(map_work_.tasks());
  reduce_progress_ = StageProgress(reduce_work_.tasks());
}

void MapReduceMaster::start(TraceTime now, MasterActions& actions) {
  started_ = now;
  if (map_work_.tasks() + reduce_work_.tasks() == 0) {
    return actions.push_back(FinishApplication{});
  }
  if (map_work_.tasks() > 0) ask_for_maps(actions);
  want_heartbeat(now, actions);
}

void MapReduceMaster::granted(TraceTime now, const Grant& grant, MasterActions& actions) {
  if (moved_.is_own(grant.slot)) {
    launch_moved(now, grant, actions);
  } else if (grant.slot == Slot::failed_maps && !failed_maps_.empty()) {
    launch_failed_map(now, grant, actions);
  } else if (grant.slot == Slot::maps && pending_maps_.size() > 0) {
    const PendingMaps::Choice choice = pending_maps_.take(grant.node, grant.rack);
    if (pending_maps_.names_places()) {
      AdjustPlaces fewer{.slot = Slot::maps, .fewer_nodes = {}, .fewer_racks = {}};
      fewer_places(choice.map, fewer);
      actions.push_back(std::move(fewer));
    }
    launch_map(now, grant, {choice.map, choice.locality, {}}, actions);
  } else if (grant.slot == Slot::reduces && reduces_asked_ > 0) {
    --reduces_asked_;
    launch_reduce(now, grant, {.task = next_reduce()}, actions);
  } else if (grant.slot == Slot::map_duplicates || grant.slot == Slot::reduce_duplicates) {
    launch_duplicate(now, grant, actions);
  } else {
    actions.push_back(ReleaseContainer{grant.container});
  }
  want_heartbeat(now, actions);
}

void MapReduceMaster::launch_map(TraceTime now, const Grant& grant, const Placed& map,
                                 MasterActions& actions) {
  LaunchTask launch;
  launch.task = {map_stage_, map.task};
  launch.attempt = map_retries_.next_attempt(map.task);
  launch.locality = map.locality;
  launch.waiting_since = map_retries_.waiting_since(map.task, started_);
  launch.work = {map_work_.work(map.task)};
  map_input_.add_split(map.task, launch.work);
  cut_to_heap(options_.map_heap, launch.work);
  is_room_kept_for_maps_ = false;
  if (!map.beside.is_valid()) map_retries_.launched(map.task);
  launch_attempt(now, grant, launch, map, actions);
  ++maps_running_;
}

void MapReduceMaster::launch_attempt(TraceTime now, const Grant& grant, LaunchTask& launch,
                                     const Placed& placed, MasterActions& actions) {
  const bool is_map = kind_of(launch.task) == StageKind::map;
  launch.container = grant.container;
  launch.beside = placed.beside;
  Attempt attempt{.task = placed.task, .is_map = is_map, .twin = placed.beside};
  if (placed.beside.is_valid()) {
    launch.waiting_since = duplicates_asked_;
    running_.at(placed.beside).twin = grant.container;
  }
  if (speculation_ != nullptr) {
    launch.work.progress_interval = options_.speculation.report_interval;
    progress_of(is_map).launched(placed.task, grant, launch.is_held, now);
  }
  actions.push_back(launch);
  running_.emplace(grant.container, attempt);
}

// Failed maps go in the order of their failures, wherever the container is.
void MapReduceMaster::launch_failed_map(TraceTime now, const Grant& grant, MasterActions& actions) {
  const std::uint32_t map = failed_maps_.front();
  failed_maps_.pop_front();
  if (pending_maps_.names_places()) {
    AdjustPlaces fewer{.slot = Slot::failed_maps, .fewer_nodes = {}, .fewer_racks = {}};
    fewer_places(map, fewer);
    actions.push_back(std::move(fewer));
  }
  launch_map(now, grant, {map, pending_maps_.locality(map, grant.node, grant.rack), {}}, actions);
}

void MapReduceMaster::launch_moved(TraceTime now, const Grant& grant, MasterActions& actions) {
  const std::optional<TaskRef> task = moved_.granted(grant, actions);
  if (!task) return actions.push_back(ReleaseContainer{grant.container});
  const std::uint32_t index = task->index;
  if (kind_of(*task) == StageKind::reduce) {
    return launch_reduce(now, grant, {.task = index}, actions);
  }
  launch_map(now, grant, {index, pending_maps_.locality(index, grant.node, grant.rack), {}},
             actions);
}

void MapReduceMaster::launch_reduce(TraceTime now, const Grant& grant, const Placed& reduce,
                                    MasterActions& actions) {
  LaunchTask launch;
  launch.task = {reduce_stage_, reduce.task};
  launch.attempt = reduce_retries_.next_attempt(reduce.task);
  launch.waiting_since = reduce_retries_.waiting_since(reduce.task, reduces_first_asked_);
  launch.work = {reduce_work_.work(reduce.task)};
  cut_to_heap(options_.reduce_heap, launch.work);
  launch.is_held = !are_maps_done();
  if (!reduce.beside.is_valid()) reduce_retries_.launched(reduce.task);
  launch_attempt(now, grant, launch, reduce, actions);
  if (launch.is_held) held_.insert(grant.container);
  ++reduces_running_;
}

std::uint32_t MapReduceMaster::next_reduce() {
  if (failed_reduces_.empty() && next_fresh_reduce_ < reduce_work_.tasks()) {
    return next_fresh_reduce_++;
  }
  std::deque<std::uint32_t>& from = failed_reduces_.empty() ? taken_reduces_ : failed_reduces_;
  TRACEBED_CHECK(!from.empty(), "no more reduces are asked for than wait");
  const std::uint32_t reduce = from.front();
  from.pop_front();
  return reduce;
}

void MapReduceMaster::attempt_ended(TraceTime now, const AttemptEnd& end, MasterActions& actions) {
  const auto place = running_.find(end.container);
  TRACEBED_CHECK(place != running_.end(), "only what was launched ends");
  const Attempt attempt = place->second;
  running_.erase(place);
  held_.erase(end.container);
  refetching_.erase(end.container);
  if (attempt.is_going) --reduces_going_;
  if (speculation_ != nullptr) {
    const bool has_succeeded = end.end == ContainerEnd::succeeded && !attempt.is_superseded;
    progress_of(attempt.is_map).ended(end, has_succeeded, is_failure(end.end), now);
  }
  const Consequence consequence = settle_twin(attempt, end, actions);
  if (consequence == Consequence::job_failure) return;
  if (consequence == Consequence::none) return want_heartbeat(now, actions);
  const bool goes_on = attempt.is_map ? map_ended(now, attempt.task, end, actions)
                                      : reduce_ended(now, attempt.task, end, actions);
  if (!goes_on) return;
  if (are_maps_done() && reduces_done_ == reduce_work_.tasks()) {
    return actions.push_back(FinishApplication{});
  }
  // What they are for may be over.
  if (map_duplicates_ask_.pending + reduce_duplicates_ask_.pending > 0) {
    look_for_slow_tasks(now, actions);
  }
  want_heartbeat(now, actions);
}

bool MapReduceMaster::map_ended(TraceTime now, std::uint32_t map, const AttemptEnd& end,
                                MasterActions& actions) {
  --maps_running_;
  if (end.end == ContainerEnd::succeeded) {
    moved_.ended(end.container);
    ++maps_done_;
    if (!output_node_.empty()) output_node_[map] = end.node;
    if (are_maps_done()) let_held_reduces_go(now, actions);
    return true;
  }
  const bool has_failed = is_failure(end.end);
  map_retries_.waits_again(map, map_retries_.next_attempt(map), has_failed, now);
  const std::uint32_t failures = map_retries_.failures(map);
  if (has_failed && failures >= options_.map_attempts_max) {
    fail("map", map, failures, end.end, actions);
    return false;
  }
  if (ask_elsewhere(end, true, map, actions)) return true;
  if (failures > 0) {
    failed_maps_.push_back(map);
    must_ask_for_failed_maps_ = true;
  } else {
    taken_maps_.push_back(map);
  }
  return true;
}

bool MapReduceMaster::reduce_ended(TraceTime now, std::uint32_t reduce, const AttemptEnd& end,
                                   MasterActions& actions) {
  --reduces_running_;
  if (end.end == ContainerEnd::succeeded) {
    moved_.ended(end.container);
    ++reduces_done_;
    return true;
  }
  const bool has_failed = is_failure(end.end);
  reduce_retries_.waits_again(reduce, reduce_retries_.next_attempt(reduce), has_failed, now);
  const std::uint32_t failures = reduce_retries_.failures(reduce);
  if (has_failed && failures >= options_.reduce_attempts_max) {
    fail("reduce", reduce, failures, end.end, actions);
    return false;
  }
  if (ask_elsewhere(end, false, reduce, actions)) return true;
  if (has_failed) {
    failed_reduces_.push_front(reduce);
  } else {
    taken_reduces_.push_back(reduce);
  }
  return true;
}

void MapReduceMaster::fail(const char* kind, std::uint32_t task, std::uint32_t failures,
                           ContainerEnd end, MasterActions& actions) const {
  actions.push_back(FinishApplication{JobOutcome::failed,
                                      std::string(kind) + " " + std::to_string(task) + " failed " +
                                          std::to_string(failures) + " times, the last time as " +
                                          std::string(name(end))});
}

void MapReduceMaster::let_held_reduces_go(TraceTime now, MasterActions& actions) {
  for (ContainerId container : held_) {
    actions.push_back(ContinueTask{container});
    if (speculation_ != nullptr) reduce_progress_.began(container, now);
  }
  held_.clear();
  refetching_.clear();
}

void MapReduceMaster::node_lost(TraceTime now, NodeId node, MasterActions& actions) {
  moved_.node_lost(node, actions);
  // Only reduces need maps' output; without reduces there is no list.
  if (reduces_done_ == reduce_work_.tasks()) return;
  for (std::uint32_t map = 0; map < output_node_.size(); ++map) {
    if (output_node_[map] != node) continue;
    output_node_[map] = NodeId();
    --maps_done_;
    map_retries_.waits_again(map, map_retries_.next_attempt(map), false, now);
    if (speculation_ != nullptr) map_progress_.undone(map);
    failed_maps_.push_back(map);
    must_ask_for_failed_maps_ = true;
  }
  if (options_.are_lost_outputs_awaited && !are_maps_done()) {
    for (const auto& [container, attempt] : running_) {
      if (attempt.is_map || attempt.is_going || held_.contains(container)) continue;
      refetching_.insert(container);
    }
  }
  want_heartbeat(now, actions);
}

}  // namespace tracebed
