#include "applications/executors/executors_master.h"

#include <algorithm>
#include <utility>

#include "applications/parts/failure.h"
#include "core/check.h"

namespace tracebed {
namespace {

constexpr Duration registered_wait_max = seconds(30);
constexpr Duration revive_interval = seconds(1);

std::uint64_t enough_of(std::uint64_t executors) {
  return (executors * 4 + 4) / 5;
}

Resources size_of(const ExecutorOptions& options, const Job& job) {
  Resources size = options.size;
  for (std::size_t d = 0; d < Resources::dimensions_max; ++d) {
    if (size[d] > 0) continue;
    for (const Stage& stage : job.stages) {
      if (stage.demand[d] > size[d]) size[d] = stage.demand[d];
    }
  }
  return size;
}

std::size_t executors_of(const ExecutorOptions& options, const Job& job) {
  std::uint64_t tasks = 0;
  for (const Stage& stage : job.stages) tasks += task_count(stage);
  return std::min<std::uint64_t>(options.executors, tasks);
}

bool is_any_confined(const std::vector<StagePlaces>& places) {
  return std::any_of(places.begin(), places.end(),
                     [](const StagePlaces& stage) { return stage.is_confined; });
}

}  // namespace

ExecutorsMaster::ExecutorsMaster(const ExecutorOptions& options, Job& job,
                                 std::vector<StagePlaces> places, std::uint64_t seed)
    : options_(options),
      size_(size_of(options, job)),
      random_(Random::stream(seed ^ job.id.value(), "executor.offers")),
      is_confined_(is_any_confined(places)),
      executors_(executors_of(options, job)),
      cached_(job.stages, options.cache_bytes),
      allocation_(options.allocation, static_cast<std::uint32_t>(executors_.size())),
      stages_(job, std::move(places), options.waits),
      moved_(first_moved_slot) {
  TRACEBED_CHECK(options.executors > 0, "a job on executors has some");
}

void ExecutorsMaster::start(TraceTime now, MasterActions& actions) {
  started_ = now;
  if (is_confined_) {
    return finish(
        "its tasks run only on machines with certain labels, which executors cannot ask for "
        "(masters.executors)",
        actions);
  }
  stages_.update(now);
  if (stages_.have_ended()) return finish({}, actions);
  has_wanted_changed_ = true;
  if (options_.allocation.is_dynamic) {
    // As many as it begins with have registered (spark.dynamicAllocation.initialExecutors, 0).
    has_begun_ = true;
    for (Executor& executor : executors_) executor.state = ExecutorState::absent;
  }
  settle(now, actions);
}

// ---- containers ----

void ExecutorsMaster::hold(std::size_t index, const Grant& grant, TraceTime now) {
  Executor& executor = executors_[index];
  if (!executor.place.node.is_valid()) {
    ++placed_;
    executor.place = {ExecutorId(executors_placed_++), grant.node, grant.rack};
    executor.idle_since = now;
  }
  executor.state = ExecutorState::idle;
  executor.container = grant.container;
  executor.is_being_killed = false;
  containers_.emplace(grant.container, index);
}

void ExecutorsMaster::lose(Executor& executor) {
  has_asked_changed_ |= executor.state == ExecutorState::asked;
  has_wanted_changed_ = true;
  cached_.forget(executor.place.executor);
  executor = Executor();
  --placed_;
}

void ExecutorsMaster::lose_unused(NodeId node) {
  for (Executor& executor : executors_) {
    // The end of what it runs is told by itself.
    if (executor.place.node != node || executor.state == ExecutorState::running) continue;
    if (executor.state == ExecutorState::idle) containers_.erase(executor.container);
    lose(executor);
  }
}

void ExecutorsMaster::granted(TraceTime now, const Grant& grant, MasterActions& actions) {
  if (moved_.is_own(grant.slot)) return granted_for_moved(now, grant, actions);
  const bool is_new = grant.slot == wanted_slot;
  const auto executor =
      std::find_if(executors_.begin(), executors_.end(), [&](const Executor& one) {
        return is_new ? one.state == ExecutorState::wanted
                      : one.state == ExecutorState::asked && one.place.node == grant.node;
      });
  if (executor == executors_.end()) return actions.push_back(ReleaseContainer{grant.container});
  if (!is_new) actions.push_back(AdjustPlaces{placed_slot, {grant.node}, {}});
  const auto index = static_cast<std::size_t>(executor - executors_.begin());
  hold(index, grant, now);
  has_begun_ |= placed_ >= enough_of(executors_.size()) || now - started_ >= registered_wait_max;
  if (is_new) {
    has_wanted_changed_ |= options_.allocation.is_dynamic;  // others prefer other places now
    offer_to_all(now, actions);
  } else {
    offer(now, {index}, actions);
  }
  settle(now, actions);
}

void ExecutorsMaster::granted_for_moved(TraceTime now, const Grant& grant, MasterActions& actions) {
  const std::optional<TaskRef> task = moved_.granted(grant, actions);
  if (!task) return actions.push_back(ReleaseContainer{grant.container});
  const auto executor = std::find_if(
      executors_.begin(), executors_.end(),
      [&](const Executor& one) { return one.state == ExecutorState::moving && one.task == *task; });
  TRACEBED_CHECK(executor != executors_.end(), "a task moves with its executor");
  const auto index = static_cast<std::size_t>(executor - executors_.begin());
  hold(index, grant, now);
  TaskSet& tasks = stages_.tasks(task->stage);
  if (stages_.has_needs(task->stage)) {
    const Locality locality = tasks.tasks().locality(task->index, grant.node, grant.rack);
    launch(index, *task, locality, actions);
  } else {
    tasks.reopen(task->index);
  }
  offer_to_all(now, actions);
  settle(now, actions);
}

void ExecutorsMaster::attempt_ended(TraceTime now, const AttemptEnd& end, MasterActions& actions) {
  // With the first that is told, all that is held on a node that left is known to be gone.
  if (end.node_left) lose_unused(end.node);
  const auto place = containers_.find(end.container);
  if (place == containers_.end() && end.node_left) return;
  TRACEBED_CHECK(place != containers_.end(), "only what it holds ends");
  const std::size_t index = place->second;
  containers_.erase(place);
  Executor& executor = executors_[index];
  if (executor.state == ExecutorState::idle) return lose(executor);
  executor.state = ExecutorState::asked;
  executor.idle_since = now;
  has_asked_changed_ = true;
  if (end.end == ContainerEnd::succeeded) {
    moved_.ended(end.container);
    const TaskRef task = executor.task;
    if (executor.reads_file) cached_.was_read(task, executor.place);
    const bool has_stage_ended = stages_.succeeded(now, task, end.node);
    if (stages_.have_ended()) return finish({}, actions);
    if (has_stage_ended) offer_to_all(now, actions);
  } else {
    came_to_nothing(now, end, index, actions);
    if (is_finished_) return;
    if (!end.node_left) offer_to_all(now, actions);  // else when the node is told to be lost
  }
  settle(now, actions);
}

void ExecutorsMaster::came_to_nothing(TraceTime now, const AttemptEnd& end, std::size_t index,
                                      MasterActions& actions) {
  Executor& executor = executors_[index];
  const TaskRef task = executor.task;
  const bool has_failed = is_failure(end.end);
  const bool stays = has_failed || executor.is_being_killed;
  const std::uint32_t failures = stages_.came_to_nothing(now, task, has_failed);
  if (has_failed && failures >= options_.attempts_max) {
    return finish("task " + std::to_string(task.index) + " of stage " + std::to_string(task.stage) +
                      " failed " + std::to_string(failures) + " times, at last as " +
                      std::string(name(end.end)),
                  actions);
  }
  const std::optional<MovedTasks::Order> order = moved_.ended(end.container);
  if (order && stages_.has_needs(task.stage) && moved_.wait(*order, task, ask_for_one(), actions)) {
    cached_.forget(executor.place.executor);
    executor = {.state = ExecutorState::moving, .task = task};
    --placed_;
    return;
  }
  stages_.tasks(task.stage).reopen(task.index);
  if (!stays) lose(executor);
}

void ExecutorsMaster::node_lost(TraceTime now, NodeId node, MasterActions& actions) {
  if (is_finished_) return;
  moved_.node_lost(node, actions);
  lose_unused(node);
  if (options_.are_outputs_on_nodes) stages_.lose_outputs(now, node);
  if (options_.are_lost_outputs_awaited) kill_tasks_without_needs(actions);
  offer_to_all(now, actions);
  settle(now, actions);
}

void ExecutorsMaster::kill_tasks_without_needs(MasterActions& actions) {
  for (Executor& executor : executors_) {
    const bool is_stuck =
        executor.state == ExecutorState::running && !stages_.has_needs(executor.task.stage);
    if (!is_stuck || executor.is_being_killed) continue;
    executor.is_being_killed = true;
    actions.push_back(KillTask{executor.container});
  }
}

void ExecutorsMaster::finish(const std::string& failure, MasterActions& actions) {
  is_finished_ = true;
  actions.push_back(
      FinishApplication{failure.empty() ? JobOutcome::succeeded : JobOutcome::failed, failure});
}

// ---- tasks ----

void ExecutorsMaster::recompute(TraceTime now) {
  std::vector<NodeId> nodes;
  std::vector<RackId> racks;
  std::vector<ExecutorId> ids;
  for (const Executor& executor : executors_) {
    if (!executor.place.node.is_valid()) continue;
    ids.push_back(executor.place.executor);
    nodes.push_back(executor.place.node);
    racks.push_back(executor.place.rack);
  }
  std::sort(nodes.begin(), nodes.end());
  std::sort(racks.begin(), racks.end());
  std::sort(ids.begin(), ids.end());
  for (std::uint16_t stage = 0; stage < stages_.size(); ++stage) {
    if (!stages_.has_offers(stage, now)) continue;
    if (!stages_.tasks(stage).has_begun()) stages_.place_on_executors(stage, cached_);
    stages_.tasks(stage).recompute(
        now, [&](ExecutorId id) { return std::binary_search(ids.begin(), ids.end(), id); },
        [&](NodeId node) { return std::binary_search(nodes.begin(), nodes.end(), node); },
        [&](RackId rack) { return std::binary_search(racks.begin(), racks.end(), rack); });
  }
}

void ExecutorsMaster::offer_to_all(TraceTime now, MasterActions& actions) {
  if (!has_begun_) return;
  recompute(now);
  std::vector<std::size_t> idle;
  for (std::size_t i = 0; i < executors_.size(); ++i) {
    if (executors_[i].state == ExecutorState::idle) idle.push_back(i);
  }
  offer(now, std::move(idle), actions);
}

// TaskSchedulerImpl.resourceOffers: level after level, to the executors in a random order, as long
// as one takes a task.
void ExecutorsMaster::offer(TraceTime now, std::vector<std::size_t> executors,
                            MasterActions& actions) {
  if (!has_begun_ || executors.empty()) return;
  for (std::size_t i = executors.size(); i > 1; --i) {
    std::swap(executors[i - 1], executors[random_.below(i)]);
  }
  for (std::uint16_t stage = 0; stage < stages_.size(); ++stage) {
    if (!stages_.has_offers(stage, now)) continue;
    if (!stages_.tasks(stage).has_begun()) recompute(now);
    const std::vector<TaskLocality> levels = stages_.tasks(stage).levels();
    for (const TaskLocality level : levels) {
      bool was_one_taken = true;
      while (was_one_taken) {
        was_one_taken = false;
        for (const std::size_t index : executors) {
          const Executor& executor = executors_[index];
          if (executor.state != ExecutorState::idle) continue;
          const auto choice = stages_.tasks(stage).offer(now, executor.place, level);
          if (!choice) continue;
          was_one_taken = true;
          launch(index, {stage, choice->map}, choice->locality, actions);
        }
      }
    }
  }
}

void ExecutorsMaster::launch(std::size_t index, TaskRef task, Locality locality,
                             MasterActions& actions) {
  Executor& executor = executors_[index];
  const std::optional<ExecutorPlace> holder = cached_.take(task, executor.place);
  executor.state = ExecutorState::running;
  executor.task = task;
  executor.reads_file = !holder;
  LaunchTask launched = stages_.launch(task, executor.container, locality);
  const bool is_own = holder == executor.place;
  if (cached_.is_shared(task.stage) && (is_own || !holder)) {
    launched.work.input_executor = static_cast<std::int64_t>(executor.place.executor.value()) + 1;
    launched.work.input_executor_bytes = options_.cache_bytes;
  }
  if (is_own) {
    takes_what_was_kept(launched.work);
  } else if (holder) {
    launched.work.input_cached_on = static_cast<std::int64_t>(holder->node.value()) + 1;
  }
  actions.push_back(std::move(launched));
}

// ---- asks and time ----

// The room that a moved task waits for may be what idle executors hold, of this job or of another
// whose moved task waits for what this one's hold: neither would ever end.
void ExecutorsMaster::give_up_idle(MasterActions& actions) {
  for (Executor& executor : executors_) {
    if (executor.state == ExecutorState::idle) give_back(executor, actions);
  }
}

void ExecutorsMaster::give_back(Executor& executor, MasterActions& actions) {
  actions.push_back(ReleaseContainer{executor.container});
  containers_.erase(executor.container);
  lose(executor);
}

void ExecutorsMaster::settle(TraceTime now, MasterActions& actions) {
  const bool was_one_moving = std::exchange(is_one_moving_, count(ExecutorState::moving) > 0);
  if (is_one_moving_) give_up_idle(actions);
  has_wanted_changed_ |= was_one_moving != is_one_moving_;
  if (options_.allocation.is_dynamic) allocate(now, actions);
  if (std::exchange(has_asked_changed_, false)) ask_at_nodes(actions);
  if (std::exchange(has_wanted_changed_, false)) ask_for_wanted(now, actions);
  want_heartbeat(now, actions);
}

std::uint32_t ExecutorsMaster::count(ExecutorState state) const {
  return static_cast<std::uint32_t>(
      std::count_if(executors_.begin(), executors_.end(),
                    [state](const Executor& one) { return one.state == state; }));
}

void ExecutorsMaster::want_heartbeat(TraceTime now, MasterActions& actions) {
  TraceTime at = stages_.next_ready(now);
  if (!has_begun_ && started_ + registered_wait_max > now) {
    at = std::min(at, started_ + registered_wait_max);
  }
  const bool is_one_idle = count(ExecutorState::idle) > 0;
  for (std::uint16_t stage = 0; stage < stages_.size() && is_one_idle && has_begun_; ++stage) {
    if (stages_.has_offers(stage, now)) at = std::min(at, now + revive_interval);
  }
  if (options_.allocation.is_dynamic) {
    at = std::min(at, allocation_.next());
    for (const Executor& executor : executors_) at = std::min(at, removal_of(executor));
  }
  // One that is due earlier is as good, also if it is due now.
  if (at == never || heartbeat_at_ <= at) return;
  heartbeat_at_ = at;
  actions.push_back(HeartbeatAt{at});
}

void ExecutorsMaster::heartbeat(TraceTime now, const Resources& /*headroom*/,
                                MasterActions& actions) {
  heartbeat_at_ = never;
  if (is_finished_) return;
  stages_.update(now);
  if (stages_.have_ended()) return finish({}, actions);
  has_begun_ |= now - started_ >= registered_wait_max;
  offer_to_all(now, actions);
  settle(now, actions);
}

void ExecutorsMaster::input_nodes(TaskRef task, std::vector<NodeId>& nodes) const {
  for (const Replica& replica : stages_.tasks(task.stage).tasks().replicas(task.index)) {
    nodes.push_back(replica.node);
  }
}

}  // namespace tracebed
