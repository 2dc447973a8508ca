// What a job on executors asks for; with dynamic allocation also how many, and when they go.
#include <algorithm>
#include <map>
#include <utility>

#include "applications/executors/executors_master.h"

namespace tracebed {

TraceTime ExecutorsMaster::removal_of(const Executor& executor) const {
  const bool may_go =
      executor.state == ExecutorState::idle || executor.state == ExecutorState::asked;
  if (!may_go || cached_.has_any(executor.place.executor)) return never;
  return executor.idle_since + options_.allocation.idle;
}

void ExecutorsMaster::remove_idle(TraceTime now, MasterActions& actions) {
  for (Executor& executor : executors_) {
    if (removal_of(executor) > now) continue;
    if (executor.state == ExecutorState::idle) {
      give_back(executor, actions);
    } else {
      lose(executor);
    }
  }
}

void ExecutorsMaster::allocate(TraceTime now, MasterActions& actions) {
  remove_idle(now, actions);
  std::uint32_t pending = 0;
  for (std::uint16_t stage = 0; stage < stages_.size(); ++stage) {
    if (stages_.has_offers(stage, now)) pending += stages_.tasks(stage).pending();
  }
  const std::uint32_t moving = count(ExecutorState::moving);
  const std::uint32_t placed = placed_ + moving;
  const std::uint32_t target =
      allocation_.update(now, pending, count(ExecutorState::running) + moving, placed);
  std::uint32_t wanted = target > placed ? target - placed : 0;
  for (Executor& executor : executors_) {
    const bool is_wanted = executor.state == ExecutorState::wanted;
    if (!is_wanted && executor.state != ExecutorState::absent) continue;
    executor.state = wanted > 0 ? ExecutorState::wanted : ExecutorState::absent;
    has_wanted_changed_ |= is_wanted != (wanted > 0);
    if (wanted > 0) --wanted;
  }
}

WantedPlaces ExecutorsMaster::places_of_wanted(TraceTime now) {
  LocalTasks local;
  for (std::uint16_t stage = 0; stage < stages_.size(); ++stage) {
    if (stages_.has_offers(stage, now)) local.add(stages_.local_tasks(stage));
  }
  std::map<NodeId, std::uint32_t> placed;
  for (const Executor& executor : executors_) {
    if (executor.place.node.is_valid()) ++placed[executor.place.node];
  }
  return wanted_places(count(ExecutorState::wanted), local, placed);
}

SetAsk ExecutorsMaster::ask_for_one() const {
  SetAsk ask;
  ask.slot = wanted_slot;
  ask.priority = placed_priority;
  ask.demand = size_;
  return ask;
}

void ExecutorsMaster::ask_for_wanted(TraceTime now, MasterActions& actions) {
  SetAsk ask = ask_for_one();
  ask.priority = wanted_priority;
  if (!is_one_moving_) ask.pending = count(ExecutorState::wanted);
  if (options_.allocation.is_dynamic && ask.pending > 0) {
    WantedPlaces places = places_of_wanted(now);
    ask.nodes = std::move(places.nodes);
    ask.racks = std::move(places.racks);
  }
  actions.push_back(std::move(ask));
}

void ExecutorsMaster::ask_at_nodes(MasterActions& actions) {
  SetAsk ask = ask_for_one();
  ask.slot = placed_slot;
  ask.relax_locality = false;
  std::map<NodeId, std::uint32_t> asked;
  for (const Executor& executor : executors_) {
    if (executor.state != ExecutorState::asked) continue;
    ++asked[executor.place.node];
    ++ask.pending;
  }
  for (const auto& [node, count] : asked) ask.nodes.push_back({node, count});
  actions.push_back(std::move(ask));
}

}  // namespace tracebed
