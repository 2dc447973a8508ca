// Master of a job that runs its tasks on executors (Spark): it asks for a number of containers at
// once, without places, and keeps them until it ends. Where its executors are is the scheduler's
// decision alone, which may read the blocks of the job's input; which task runs on which of them is
// the job's (task_set.h). With dynamic allocation it has as many as its tasks call for, and asks
// for them near these (executor_allocation.h).
//
// An executor has one core, and so runs one task at a time. It holds its container while there is
// no task for it.
//
// Input that several stages read may stay in the memory of executors (cached_inputs.h): its later
// tasks prefer the executor that has it, which reads nothing; another fetches it from there.
//
// Deviations, each on purpose:
// - [executors-container-each-task] An executor of Spark keeps its container. A container of this
//   cluster runs one task: when a task ends, its executor asks for a container again at once, on
//   the same node and nowhere else, with a higher priority than executors that have no place yet.
//   So the room of an executor is its own, except in the moment in which a task has ended, when the
//   scheduler may give it to another application.
// - [executors-cached-by-machines] On real machines what an executor keeps is in the memory of its
//   machine's shuffle server (agents/shuffle/kept_blocks.h), where that of an executor that is lost
//   stays until its job ends; in Spark it is in the executor's own.
// - [executors-cached-elsewhere] A task whose input is in the memory of several executors on other
//   machines takes it from the one that read it first; Spark draws one.
// - [executors-cached-with-tasks] Memory for such input is beside that of the tasks; in Spark tasks
//   take back what they need of it (UnifiedMemoryManager).
//
// Tasks are offered (TaskSchedulerImpl.resourceOffers, CoarseGrainedSchedulerBackend.makeOffers)
// when four fifths of the executors have registered, or 30 s after the start
// (spark.scheduler.minRegisteredResourcesRatio, maxRegisteredResourcesWaitingTime); then to an
// executor that becomes free, and to all that are free when one registers, a stage becomes ready or
// a task comes to nothing, and every second (spark.scheduler.revive.interval).
//
// An executor whose container the system ends is replaced by another, wherever the scheduler puts
// it. Outputs of finished tasks are lost with their node, and the tasks run again while a stage
// that needs them has not ended; that stage's other tasks wait, and those that run go on, or are
// killed where they may have to fetch. While a task waits to move to another node, its job holds no
// idle executors, and asks for others once it has moved. What it holds idle it gives back before
// any task when a scheduler asks for room, and asks for others.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "applications/executors/executor_allocation.h"
#include "applications/executors/executor_stages.h"
#include "applications/preemption/moved_tasks.h"
#include "applications/preemption/preemptible_master.h"
#include "core/application_master.h"
#include "core/random.h"

namespace tracebed {

struct ExecutorOptions {
  // Of a job, which never has more than it has tasks; with dynamic allocation at most. 0: its tasks
  // have containers of their own.
  std::uint32_t executors = 0;
  AllocationOptions allocation;
  Resources size;  // of one; zero in a dimension: the largest demand of a task
  LocalityWaits waits;
  std::int64_t cache_bytes = 0;      // of each, for input that several stages read
  std::uint32_t attempts_max = 4;    // spark.task.maxFailures
  bool are_outputs_on_nodes = true;  // false: what tasks write outlives their nodes
  bool are_lost_outputs_awaited = false;
};

class ExecutorsMaster final : public PreemptibleMaster {
 public:
  // The contents of the stages of `job`, which are maps, reduces, or tasks of a DAG, are moved out;
  // `places` has one entry per stage.
  ExecutorsMaster(const ExecutorOptions& options, Job& job, std::vector<StagePlaces> places,
                  std::uint64_t seed);

  void start(TraceTime now, MasterActions& actions) override;
  void granted(TraceTime now, const Grant& grant, MasterActions& actions) override;
  // Also of a container that it holds and that was taken back; then it makes no actions, and asks
  // for another executor at its next turn.
  void attempt_ended(TraceTime now, const AttemptEnd& end, MasterActions& actions) override;
  void node_lost(TraceTime now, NodeId node, MasterActions& actions) override;
  void heartbeat(TraceTime now, const Resources& headroom, MasterActions& actions) override;
  void input_nodes(TaskRef task, std::vector<NodeId>& nodes) const override;

 private:
  enum class ExecutorState : std::uint8_t {
    absent,   // it is not wanted: of dynamic allocation alone
    wanted,   // it has no place
    asked,    // for, at its node
    idle,     // it holds a container
    running,  // its task
    moving,   // its task goes on wherever it finds room (moved_tasks.h)
  };
  struct Executor {
    ExecutorState state = ExecutorState::wanted;
    ExecutorPlace place;           // its node is invalid: it has none
    ContainerId container;         // while it is idle or running
    TaskRef task;                  // while it is running or moving
    TraceTime idle_since{};        // if it runs no task
    bool reads_file = false;       // its task, and not from the memory of an executor
    bool is_being_killed = false;  // its task, by this master: the executor stays
  };

  StageKind kind_of(TaskRef task) const override { return stages_.kind(task.stage); }
  void move_task(const HeldContainer& held, NodeId destination) override {
    moved_.order(held.container, {held.node, destination});
  }

  // Whose executors are replaced; of those that no contract names the newest go first.
  std::optional<PreemptionMessage> give_back_idle(TraceTime now, const PreemptionMessage& message,
                                                  MasterActions& actions) override;
  // Towards the request, as far as it goes.
  void give_back_for(PreemptionResourceRequest& request, MasterActions& actions);
  void give_back(Executor& executor, MasterActions& actions);

  // Notes in the executor that it has the container.
  void hold(std::size_t index, const Grant& grant, TraceTime now);
  void lose(Executor& executor);
  // Those on the node that run no task.
  void lose_unused(NodeId node);
  void granted_for_moved(TraceTime now, const Grant& grant, MasterActions& actions);
  void came_to_nothing(TraceTime now, const AttemptEnd& end, std::size_t index,
                       MasterActions& actions);
  void kill_tasks_without_needs(MasterActions& actions);

  // Executors or stages changed: which levels of locality there are is found anew, and all that are
  // idle are offered tasks.
  void offer_to_all(TraceTime now, MasterActions& actions);
  void offer(TraceTime now, std::vector<std::size_t> executors, MasterActions& actions);
  void recompute(TraceTime now);
  void launch(std::size_t index, TaskRef task, Locality locality, MasterActions& actions);
  // The executor's task has ended, as whose input it is in its memory.
  void note_input(const Executor& executor);

  SetAsk ask_for_one() const;
  // Dynamic allocation: how many are wanted, and which have been idle for too long.
  void allocate(TraceTime now, MasterActions& actions);
  void remove_idle(TraceTime now, MasterActions& actions);
  // When the executor goes; `never` if it stays.
  TraceTime removal_of(const Executor& executor) const;
  WantedPlaces places_of_wanted(TraceTime now);
  void ask_for_wanted(TraceTime now, MasterActions& actions);
  void ask_at_nodes(MasterActions& actions);
  // What is asked for, and when the next heartbeat is.
  void settle(TraceTime now, MasterActions& actions);
  void give_up_idle(MasterActions& actions);
  std::uint32_t count(ExecutorState state) const;
  void want_heartbeat(TraceTime now, MasterActions& actions);
  // With success, unless it says why not.
  void finish(const std::string& failure, MasterActions& actions);

  static constexpr AskSlot wanted_slot = 0;
  static constexpr AskSlot placed_slot = 1;
  static constexpr AskSlot first_moved_slot = 2;
  static constexpr std::int32_t placed_priority = 0;
  static constexpr std::int32_t wanted_priority = 1;

  ExecutorOptions options_;
  Resources size_;
  Random random_;
  bool is_confined_ = false;  // a stage's tasks, to labels
  std::vector<Executor> executors_;
  std::size_t executors_placed_ = 0;  // so far: the id of the next
  CachedInputs cached_;
  ExecutorAllocation allocation_;
  ExecutorStages stages_;
  std::map<ContainerId, std::size_t> containers_;  // of idle and running executors
  MovedTasks moved_;
  std::uint32_t placed_ = 0;  // executors that have a place
  TraceTime started_{};
  bool has_begun_ = false;
  bool has_wanted_changed_ = false;  // since they were asked for
  bool has_asked_changed_ = false;
  bool is_one_moving_ = false;  // when they were asked for
  bool is_finished_ = false;
  TraceTime heartbeat_at_ = never;
};

}  // namespace tracebed
