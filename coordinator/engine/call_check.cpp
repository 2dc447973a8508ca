#include "coordinator/engine/call_check.h"

#include <algorithm>
#include <numeric>

#include "core/master_calls.h"

namespace tracebed {
namespace {

ActionVerdict allowed_if(bool condition) {
  return condition ? ActionVerdict::allowed : ActionVerdict::refused;
}

class Judge {
 public:
  explicit Judge(const CallContext& context) : context_(context) {}

  ActionVerdict operator()(const SetAsk& ask) const {
    // Masters number their asks by stage, or by a few kinds of tasks; those of moved tasks follow.
    const std::size_t slots_max = 16 + context_.stage_tasks.size() + moved_asks_max;
    if (ask.is_master || ask.slot == 0 || ask.slot > slots_max || ask.label.is_valid()) {
      return ActionVerdict::refused;
    }
    const std::uint64_t tasks =
        std::accumulate(context_.stage_tasks.begin(), context_.stage_tasks.end(), std::uint64_t{0});
    const bool has_amounts = !ask.demand.has_negative() && ask.pending <= tasks;
    const Ask* const open = open_ask(ask.slot);
    const bool keeps_kind =
        open == nullptr || (open->priority == ask.priority && open->kind == ask.kind);
    const bool is_node =
        !ask.avoided.is_valid() || ask.avoided.index() < context_.cluster.nodes.size();
    return allowed_if(has_amounts && keeps_kind && is_node &&
                      are_places(ask.nodes, context_.cluster.nodes.size()) &&
                      are_places(ask.racks, context_.cluster.racks));
  }

  ActionVerdict operator()(const AdjustPlaces& places) const {
    const Ask* const ask = open_ask(places.slot);
    if (places.slot == 0 || ask == nullptr) return ActionVerdict::refused;
    // More was granted than the master wants by now, for a task that its ask does not name yet.
    const bool is_named =
        can_take(ask->nodes, places.fewer_nodes) && can_take(ask->racks, places.fewer_racks);
    return is_named ? ActionVerdict::allowed : ActionVerdict::late;
  }

  ActionVerdict operator()(const CloseAsk& closed) const {
    return allowed_if(closed.slot != 0 && open_ask(closed.slot) != nullptr);
  }

  ActionVerdict operator()(const LaunchTask& launch) const {
    const std::vector<std::uint32_t>& stages = context_.stage_tasks;
    const Container* container = nullptr;
    const ActionVerdict verdict = find(launch.container, container);
    if (container == nullptr) return verdict;
    const bool is_task =
        launch.task.stage < stages.size() &&
        std::uint64_t{launch.task.index} + container->units <= stages[launch.task.stage];
    const bool is_possible = launch.attempt > 0 && launch.waiting_since >= TraceTime() &&
                             launch.waiting_since <= context_.now &&
                             launch.locality <= Locality::process &&
                             check(launch.work).has_value() && is_cached_on_node(launch.work);
    const ActionVerdict allowed = allowed_if(!container->is_launched && is_task && is_possible);
    if (allowed != ActionVerdict::allowed || !launch.beside.is_valid()) return allowed;
    return judge_beside(launch);
  }

  ActionVerdict operator()(const ContinueTask& continued) const {
    const Container* container = nullptr;
    const ActionVerdict verdict = find(continued.container, container);
    if (container == nullptr) return verdict;
    const ContainerState& state = context_.states[continued.container];
    return allowed_if(container->is_launched && state.is_held && state.work_begun == TraceTime());
  }

  ActionVerdict operator()(const ReleaseContainer& released) const {
    const Container* container = nullptr;
    const ActionVerdict verdict = find(released.container, container);
    return container == nullptr ? verdict : allowed_if(!container->is_launched);
  }

  ActionVerdict operator()(const KillTask& killed) const {
    const Container* container = nullptr;
    const ActionVerdict verdict = find(killed.container, container);
    if (container == nullptr || !container->is_being_killed) return verdict;
    return context_.states[killed.container].is_preempted ? ActionVerdict::late
                                                          : ActionVerdict::repeated;
  }

  ActionVerdict operator()(const CheckpointTask& kept) const {
    const Container* container = nullptr;
    const ActionVerdict verdict = find(kept.container, container);
    if (container == nullptr) return verdict;
    if (container->is_being_killed) return ActionVerdict::late;
    if (context_.states[kept.container].is_checkpointing) return ActionVerdict::repeated;
    return allowed_if(container->is_launched);
  }

  ActionVerdict operator()(const FinishApplication& end) const {
    return allowed_if(end.outcome == JobOutcome::succeeded || end.outcome == JobOutcome::failed);
  }
  // What it is granted of a gang it is told container by container, and launches so.
  ActionVerdict operator()(const LaunchGang&) const { return ActionVerdict::refused; }
  // The engine's own, and the host's.
  ActionVerdict operator()(const HeartbeatAt&) const { return ActionVerdict::refused; }
  ActionVerdict operator()(const LaunchMasterProcess&) const { return ActionVerdict::refused; }

 private:
  // Beside an attempt that has ended meanwhile it runs alone.
  ActionVerdict judge_beside(const LaunchTask& launch) const {
    const Container* other = nullptr;
    const ActionVerdict verdict = find(launch.beside, other);
    if (other == nullptr) {
      return verdict == ActionVerdict::late ? ActionVerdict::allowed : verdict;
    }
    const ContainerState& state = context_.states[launch.beside];
    return allowed_if(other->is_launched && launch.beside != launch.container &&
                      state.task == launch.task && !state.twin.is_valid());
  }
  // Counted from one.
  bool is_cached_on_node(const TaskWork& work) const {
    return static_cast<std::uint64_t>(work.input_cached_on) <= context_.cluster.nodes.size();
  }
  const Ask* open_ask(AskSlot slot) const {
    const bool is_open = slot < context_.asks.size() && context_.asks[slot].is_valid();
    return is_open ? context_.cluster.asks.find(context_.asks[slot]) : nullptr;
  }

  // Sets `found` if the container is there and the master's to act on.
  ActionVerdict find(ContainerId id, const Container*& found) const {
    if (!id.is_valid() || id >= context_.cluster.containers.next_id()) {
      return ActionVerdict::foreign;
    }
    const Container* const container = context_.cluster.containers.find(id);
    if (container == nullptr || context_.states[id].is_orphan) return ActionVerdict::late;
    const bool is_own =
        container->application == context_.application && id != context_.own_container;
    if (!is_own) return ActionVerdict::foreign;
    found = container;
    return ActionVerdict::allowed;
  }

  template <class PlaceId>
  static bool are_places(const std::vector<PlaceCount<PlaceId>>& counts, std::size_t known) {
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (counts[i].place.index() >= known) return false;
      if (i > 0 && !(counts[i - 1].place < counts[i].place)) return false;
    }
    return true;
  }

  template <class PlaceId>
  static bool can_take(const std::vector<PlaceCount<PlaceId>>& counts,
                       const std::vector<PlaceId>& places) {
    return std::all_of(places.begin(), places.end(), [&](PlaceId place) {
      return std::count(places.begin(), places.end(), place) <=
             static_cast<std::ptrdiff_t>(preferred_at(counts, place));
    });
  }

  const CallContext& context_;
};

}  // namespace

ActionVerdict judge(const CallContext& context, const MasterAction& action) {
  return std::visit(Judge(context), action);
}

}  // namespace tracebed
