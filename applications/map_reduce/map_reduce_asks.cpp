// What a MapReduce master asks for, and when it sends reduces away to make room for maps.
#include <algorithm>
#include <map>

#include "applications/map_reduce/map_reduce_master.h"
#include "core/map_reduce_priorities.h"

namespace tracebed {
namespace {

template <class PlaceId>
std::vector<PlaceCount<PlaceId>> sorted_counts(const std::map<PlaceId, std::uint32_t>& counts) {
  std::vector<PlaceCount<PlaceId>> sorted;
  for (const auto& [place, count] : counts) sorted.push_back({place, count});
  return sorted;
}

}  // namespace

void MapReduceMaster::fewer_places(std::uint32_t map, AdjustPlaces& fewer) const {
  for (const Replica& replica : pending_maps_.replicas(map)) {
    fewer.fewer_nodes.push_back(replica.node);
  }
  append_racks(pending_maps_.replicas(map), fewer.fewer_racks);
}

void MapReduceMaster::input_nodes(TaskRef task, std::vector<NodeId>& nodes) const {
  if (kind_of(task) != StageKind::map) return;
  for (const Replica& replica : pending_maps_.replicas(task.index)) nodes.push_back(replica.node);
}

void MapReduceMaster::ask_for_maps(MasterActions& actions) {
  for (std::uint32_t map : taken_maps_) pending_maps_.reopen(map);
  taken_maps_.clear();
  SetAsk ask;
  ask.slot = Slot::maps;
  ask.priority = map_reduce_priority(StageKind::map);
  ask.demand = map_demand_;
  ask.pending = pending_maps_.size();
  ask.nodes = pending_maps_.node_counts();
  ask.racks = pending_maps_.rack_counts();
  actions.push_back(std::move(ask));
}

void MapReduceMaster::ask_for_failed_maps(MasterActions& actions) {
  must_ask_for_failed_maps_ = false;
  std::map<NodeId, std::uint32_t> nodes;
  std::map<RackId, std::uint32_t> racks;
  std::vector<RackId> racks_of_map;
  for (std::uint32_t map : failed_maps_) {
    for (const Replica& replica : pending_maps_.replicas(map)) ++nodes[replica.node];
    racks_of_map.clear();
    append_racks(pending_maps_.replicas(map), racks_of_map);
    for (RackId rack : racks_of_map) ++racks[rack];
  }
  SetAsk ask;
  ask.slot = Slot::failed_maps;
  ask.priority = map_reduce_priority(StageKind::map, true);
  ask.demand = map_demand_;
  ask.pending = static_cast<std::uint32_t>(failed_maps_.size());
  ask.nodes = sorted_counts(nodes);
  ask.racks = sorted_counts(racks);
  actions.push_back(std::move(ask));
}

void MapReduceMaster::ask_for_reduces(MasterActions& actions) const {
  SetAsk ask;
  ask.slot = Slot::reduces;
  ask.kind = StageKind::reduce;
  ask.priority = map_reduce_priority(ask.kind);
  ask.demand = reduce_demand_;
  ask.pending = reduces_asked_;
  actions.push_back(std::move(ask));
}

bool MapReduceMaster::ask_elsewhere(const AttemptEnd& end, bool is_map, std::uint32_t task,
                                    MasterActions& actions) {
  const std::optional<MovedTasks::Order> order = moved_.ended(end.container);
  if (!order) return false;
  SetAsk ask;
  ask.kind = is_map ? StageKind::map : StageKind::reduce;
  ask.priority = map_reduce_priority(ask.kind);
  ask.demand = is_map ? map_demand_ : reduce_demand_;
  if (is_map) pending_maps_.name_places(task, ask);
  const std::uint16_t stage = is_map ? map_stage_ : reduce_stage_;
  return moved_.wait(*order, {stage, task}, std::move(ask), actions);
}

void MapReduceMaster::want_heartbeat(TraceTime now, MasterActions& actions) {
  if (!has_slow_start_ended_ && reduce_work_.tasks() > 0) {
    has_slow_start_ended_ =
        maps_done_ >= slow_start_maps(options_.ramp.slow_start, map_work_.tasks());
  }
  const bool may_ask_for_reduces =
      has_slow_start_ended_ && !is_room_kept_for_maps_ && reduces_waiting() > reduces_asked_;
  const bool is_wanted =
      !taken_maps_.empty() || must_ask_for_failed_maps_ || may_ask_for_reduces || is_starved();
  if (is_wanted && heartbeat_at_ != now) {
    heartbeat_at_ = now;
    actions.push_back(HeartbeatAt{now});
  }
  if (speculation_ != nullptr) expect_look(now, actions);
}

void MapReduceMaster::heartbeat(TraceTime now, const Resources& headroom, MasterActions& actions) {
  heartbeat_at_ = never;
  ask_again(now, headroom, actions);
  if (speculation_ == nullptr) return;
  if (next_look_ <= now) {
    look_for_slow_tasks(now, actions);
    next_look_ = never;
  }
  expect_look(now, actions);
}

void MapReduceMaster::ask_again(TraceTime now, const Resources& headroom, MasterActions& actions) {
  if (!taken_maps_.empty()) ask_for_maps(actions);
  if (must_ask_for_failed_maps_) ask_for_failed_maps(actions);
  if (reduce_work_.tasks() == 0) return;
  const ReduceRampState state = ramp_state(headroom);
  const bool has_preempted = preempt_reduces(now, state, actions);
  if (!has_preempted && has_slow_start_ended_ && !is_room_kept_for_maps_) {
    schedule_reduces(state, actions, now);
  }
  if (is_starved()) {
    // Nothing that this job is notified of needs to happen before room is found or lost.
    heartbeat_at_ = now + options_.heartbeat_interval;
    actions.push_back(HeartbeatAt{heartbeat_at_});
  }
}

ReduceRampState MapReduceMaster::ramp_state(const Resources& headroom) const {
  ReduceRampState state;
  state.maps_total = map_work_.tasks();
  state.maps_completed = maps_done_;
  state.maps_scheduled = maps_waiting();
  state.maps_assigned = maps_running_;
  state.reduces_pending = reduces_waiting() - reduces_asked_;
  state.reduces_scheduled = reduces_asked_;
  state.reduces_assigned = reduces_running_ - reduces_going_;
  state.reduces_going = reduces_going_;
  state.map_demand = map_demand_;
  state.reduce_demand = reduce_demand_;
  state.headroom = headroom;
  return state;
}

void MapReduceMaster::schedule_reduces(const ReduceRampState& state, MasterActions& actions,
                                       TraceTime now) {
  const std::int64_t change = ramp_change(state, options_.ramp);
  if (change == 0) return;
  if (reduces_first_asked_ == never) reduces_first_asked_ = now;
  reduces_asked_ = static_cast<std::uint32_t>(reduces_asked_ + change);
  ask_for_reduces(actions);
}

bool MapReduceMaster::preempt_reduces(TraceTime now, const ReduceRampState& state,
                                      MasterActions& actions) {
  if (maps_running_ > 0 || maps_waiting() == 0) return false;
  std::uint32_t hanging = hanging_maps(options_.unconditional_preemption_delay, now);
  if (hanging == 0 && is_short_of_room_for_maps(state)) {
    hanging = hanging_maps(options_.preemption_delay, now);
  }
  if (hanging == 0) return false;
  is_room_kept_for_maps_ = true;
  if (reduces_asked_ > 0) {
    reduces_asked_ = 0;
    ask_for_reduces(actions);
  }
  std::uint32_t to_preempt = reduces_to_preempt(state, hanging, options_.ramp);
  while (to_preempt > 0 && !(held_.empty() && refetching_.empty())) {
    std::set<ContainerId>& from = held_.empty() ? refetching_ : held_;
    const ContainerId youngest = *from.rbegin();
    from.erase(youngest);
    running_.at(youngest).is_going = true;
    ++reduces_going_;
    actions.push_back(KillTask{youngest});
    --to_preempt;
  }
  return true;
}

std::uint32_t MapReduceMaster::hanging_maps(Duration delay, TraceTime now) const {
  if (delay <= Duration::zero()) return maps_waiting();
  const std::uint32_t never_tried = maps_waiting() - map_retries_.waiting();
  return (now - started_ > delay ? never_tried : 0) + map_retries_.waiting_longer_than(delay, now);
}

}  // namespace tracebed
