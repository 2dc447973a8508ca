// How the engine carries out what a job master wants.
#include <algorithm>
#include <tuple>

#include "coordinator/engine/engine.h"
#include "coordinator/engine/engine_state.h"
#include "core/check.h"

namespace tracebed {
namespace {

template <class PlaceId>
void take_one(std::vector<PlaceCount<PlaceId>>& counts, PlaceId place) {
  const auto found = std::lower_bound(
      counts.begin(), counts.end(), place,
      [](const PlaceCount<PlaceId>& entry, PlaceId id) { return entry.place < id; });
  TRACEBED_CHECK(found != counts.end() && found->place == place && found->count > 0,
                 "a master takes back only preferences that it stated");
  --found->count;
}

}  // namespace

void Engine::perform_actions(ApplicationId id) {
  if (actions_.empty()) return;
  // No action calls the master, so the list does not grow while it is worked off. SetAsk and
  // FinishApplication may end the application; the rest of the list concerns nobody then.
  ApplicationState& state = applications_[id];
  for (const MasterAction& action : actions_) {
    if (const auto* task = std::get_if<LaunchTask>(&action)) {
      launch(id, state, *task);
    } else if (const auto* gang = std::get_if<LaunchGang>(&action)) {
      launch(id, state, *gang);
    } else if (const auto* ask = std::get_if<SetAsk>(&action)) {
      if (!set_ask(id, *ask)) break;
    } else if (const auto* places = std::get_if<AdjustPlaces>(&action)) {
      adjust_places(id, *places);
    } else if (const auto* closed = std::get_if<CloseAsk>(&action)) {
      close_ask(id, state.asks.at(closed->slot));
      state.asks[closed->slot] = AskId();
    } else if (const auto* continued = std::get_if<ContinueTask>(&action)) {
      continue_task(continued->container);
    } else if (const auto* heartbeat = std::get_if<HeartbeatAt>(&action)) {
      schedule_heartbeat(id, heartbeat->at);
    } else if (const auto* released = std::get_if<ReleaseContainer>(&action)) {
      release_unlaunched(released->container);
    } else if (const auto* killed = std::get_if<KillTask>(&action)) {
      order_kill(killed->container);
    } else if (const auto* kept = std::get_if<CheckpointTask>(&action)) {
      checkpoint(kept->container);
    } else if (const auto* launched = std::get_if<LaunchMasterProcess>(&action)) {
      launch_master(id, state, *launched);
    } else {
      const auto& end = std::get<FinishApplication>(action);
      finish(id, end.outcome, end.diagnostics);
      break;
    }
  }
  actions_.clear();
}

// The demand of the ask that the action opens or changes. YARN refuses a request above its maximum
// allocation, and the application fails (SchedulerUtils.validateResourceRequest); waiting for a
// machine that does not exist would be waiting for ever.
Result<Resources> Engine::demand_of(ApplicationId id, const SetAsk& action) {
  if (action.gang) {
    if (ledger_.units_that_ever_fit(action.demand) >= action.pending) return action.demand;
    return Error{"asks for more at once than all machines together have"};
  }
  const Result<Resources> size = scheduler_->container_size(id, action.demand);
  if (action.pending == 0) return size ? *size : action.demand;
  if (!size) return size.error();
  if (!ledger_.ever_fits(*size)) return Error{"asks for a container larger than every machine"};
  if (*size != action.demand) ++counters_.asks_rounded_up;
  return *size;
}

bool Engine::set_ask(ApplicationId id, const SetAsk& action) {
  const Result<Resources> demand = demand_of(id, action);
  if (!demand) {
    finish(id, JobOutcome::rejected, demand.error().message);
    return false;
  }
  ClusterModel& model = ledger_.model();
  AskList& slots = applications_[id].asks;
  if (action.slot >= slots.size()) slots.resize(action.slot + 1);
  AskId& ask_id = slots[action.slot];
  const bool is_new = !ask_id.is_valid();
  if (is_new) ask_id = model.asks.next_id();
  Ask& ask = is_new ? model.asks.emplace_at(ask_id) : model.asks[ask_id];
  TRACEBED_CHECK(is_new || (ask.priority == action.priority && ask.gang == action.gang),
                 "an ask keeps its priority and kind");
  ask.application = id;
  ask.priority = action.priority;
  ask.demand = *demand;
  ask.pending = action.pending;
  ask.gang = action.gang;
  ask.relax_locality = action.relax_locality;
  ask.is_master = action.is_master;
  ask.label = action.label;
  ask.nodes = action.nodes;
  ask.racks = action.racks;
  keep_away(ask_id, action.avoided);
  if (is_new) {
    AskList& asks = model.applications[id].asks;
    const auto before = [&](AskId a, AskId b) {
      return std::tuple(model.asks[a].priority, a) < std::tuple(model.asks[b].priority, b);
    };
    asks.insert(std::upper_bound(asks.begin(), asks.end(), ask_id, before), ask_id);
  }
  events_.push_back(AskChanged{ask_id});
  return true;
}

void Engine::adjust_places(ApplicationId id, const AdjustPlaces& action) {
  Ask& ask = ledger_.model().asks[applications_[id].asks.at(action.slot)];
  for (NodeId node : action.fewer_nodes) take_one(ask.nodes, node);
  for (RackId rack : action.fewer_racks) take_one(ask.racks, rack);
}

void Engine::close_ask(ApplicationId id, AskId ask) {
  if (!ask.is_valid()) return;
  ClusterModel& model = ledger_.model();
  model.asks.erase(ask);
  avoiding_.erase(ask);
  AskList& asks = model.applications[id].asks;
  asks.erase(std::find(asks.begin(), asks.end(), ask));
  events_.push_back(AskRemoved{ask, id});
}

void Engine::launch(ApplicationId id, ApplicationState& application, const LaunchTask& action) {
  Container& container = ledger_.model().containers[action.container];
  TRACEBED_CHECK(container.application == id && !container.is_launched,
                 "a master launches once, in a container of its own");
  container.is_launched = true;
  container.is_held = action.is_held;
  if (action.is_held) held_.insert(action.container);
  container.task = action.task;
  container.attempt = action.attempt;
  container.locality = action.locality;
  container.waiting_since = action.waiting_since;
  application.tasks.started(action.task, container.units);
  ++application.record.attempts;
  // Made in place, as it is large and a run makes one for every container.
  auto& command =
      std::get<LaunchContainer>(commands_->emplace_back(std::in_place_type<LaunchContainer>));
  command.container = action.container;
  command.node = container.node;
  command.application = id;
  command.task = action.task;
  command.attempt = action.attempt;
  command.limits = container.resources;
  command.work = action.work;
  command.is_held = action.is_held;
  command.exhausts_heap = action.exhausts_heap;
  if (!application.kept.empty()) {
    container.progress = application.kept.resume(action.task, command.work);
  }
  container.nominal = command.work.duration;
  digest_.add((static_cast<std::uint64_t>(action.task.stage) << 32) | action.task.index);
}

void Engine::launch(ApplicationId id, ApplicationState& application, const LaunchGang& action) {
  TaskRef task = action.task;
  const auto launch_in = [&](Container& container) {
    TRACEBED_CHECK(container.application == id && !container.is_launched,
                   "a master launches once, in a container of its own");
    container.is_launched = true;
    container.task = task;
    container.attempt = action.attempt;
    container.waiting_since = action.waiting_since;
    container.nominal = action.work.duration;
    digest_.add((static_cast<std::uint64_t>(task.stage) << 32) | task.index);
    task.index += container.units;
  };
  PagedTable<ContainerId, Container>& containers = ledger_.model().containers;
  containers.visit_range(action.first, action.pieces.size(), launch_in);
  application.tasks.started(action.task, task.index - action.task.index);
  const auto count = static_cast<std::uint32_t>(action.pieces.size());
  application.record.attempts += count;
  application.whole_gang = {action.first, count};
  auto& command = std::get<LaunchGangContainers>(
      commands_->emplace_back(std::in_place_type<LaunchGangContainers>));
  command.first = action.first;
  command.application = id;
  command.task = action.task;
  command.attempt = action.attempt;
  command.limits = ledger_.model().asks[containers[action.first].ask].demand;
  command.work = action.work;
  command.pieces = action.pieces;
  if (!application.kept.empty()) {
    const std::uint32_t progress = application.kept.resume(action.task, command.work);
    containers.visit_range(action.first, action.pieces.size(), [&](Container& container) {
      container.progress = progress;
      container.nominal = command.work.duration;
    });
  }
}

void Engine::continue_task(ContainerId id) {
  Container& container = ledger_.model().containers[id];
  TRACEBED_CHECK(container.is_launched && container.is_held && container.work_begun == TraceTime(),
                 "a held task is let begin once");
  container.work_begun = now_;
  held_.erase(id);
  commands_->push_back(ContinueContainer{id, container.node});
}

void Engine::schedule_heartbeat(ApplicationId id, TraceTime at) {
  TRACEBED_CHECK(at >= now_, "a master's heartbeat is not in the past");
  applications_[id].heartbeat_at = at;
  heartbeats_.push(at, id);
}

void Engine::release_unlaunched(ContainerId id) {
  const Container& container = ledger_.model().containers[id];
  TRACEBED_CHECK(!container.is_launched, "a container is given back before a task runs in it");
  container_ended(id, container, ContainerEnd::released,
                  ContainerAccount{.started = now_, .ended = now_}, false);
}

void Engine::order_kill(ContainerId id) {
  Container& container = ledger_.model().containers[id];
  if (!container.is_launched) return release_unlaunched(id);
  if (container.is_being_killed) return;
  container.is_being_killed = true;
  commands_->push_back(KillContainer{id, container.node});
}

void Engine::finish(ApplicationId id, JobOutcome outcome, const std::string& diagnostics) {
  ApplicationState& state = applications_[id];
  TRACEBED_CHECK(outcome != JobOutcome::succeeded || state.tasks.is_complete(),
                 "a job succeeds when every one of its tasks has");
  for (AskId ask : state.asks) close_ask(id, ask);
  state.asks.clear();
  if (ledger_.model().applications[id].containers > 0) {
    std::vector<ContainerId> held;
    ledger_.model().containers.for_each([&](ContainerId container_id, const Container& container) {
      if (container.application == id) held.push_back(container_id);
    });
    // A master that has said what is to be said ends by itself (YARN: AMFinishingMonitor).
    const ContainerId leaving = state.managed != nullptr && state.managed->has_unregistered()
                                    ? state.managed->container()
                                    : ContainerId();
    for (ContainerId held_id : held) {
      if (held_id != leaving) order_kill(held_id);
    }
    if (leaving.is_valid()) {
      watches_.push(now_ + master_containers_->expiry, {Watch::departure, id, leaving});
    }
  }
  JobRecord& record = state.record;
  record.leaf = ledger_.model().applications[id].leaf;
  record.outcome = outcome;
  record.diagnostics = diagnostics;
  record.finished = now_;
  if (record.first_allocated == never) --jobs_waiting_;
  records_.job_ended(record);
  livelock_.moved_on();
  if (state.managed != nullptr) departed_.push_back(std::move(state.master));
  applications_.erase(id);
  ledger_.model().applications.erase(id);
  events_.push_back(ApplicationRemoved{id});
  ++counters_.jobs_ended;
  cluster_changed_ = true;
  digest_.add(now_);
  digest_.add((static_cast<std::uint64_t>(outcome) << 32) | id.value());
}

}  // namespace tracebed
