// Master of a job made of stages that need each other (Dryad, Tez, Fuxi): a stage's tasks are asked
// for when all stages it needs have ended and its delay after that has passed.
//
// Stages nearer to the job's beginning come first, as in Tez' DAGSchedulerNaturalOrder: the
// priority of a stage's ask is one more than the number of stages on the longest path to it.
//
// A task may fail a number of times; an attempt that the system ended (killed, node lost) does not
// count. Where outputs stay on the nodes that made them, a lost node's outputs are lost with it,
// and the finished tasks that made them run again as long as a stage that needs theirs has not
// ended: meanwhile that stage's waiting tasks are not asked for, and its running ones are assumed
// to have fetched what they needed, or, where they may not have, killed to wait with the others
// (Spark: FetchFailedException).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "applications/parts/task_pool.h"
#include "applications/preemption/moved_tasks.h"
#include "applications/preemption/preemptible_master.h"
#include "core/application_master.h"

namespace tracebed {

struct DagOptions {
  std::uint32_t attempts_max = 4;    // failures of one task that fail the job
  bool are_outputs_on_nodes = true;  // false: what tasks write outlives their nodes
  // Tasks that run when outputs of stages that theirs needs are lost may not have fetched them.
  bool are_lost_outputs_awaited = false;
};

class DagMaster final : public PreemptibleMaster {
 public:
  // The contents of the stages of `job` are moved out; `places` has one entry per stage.
  DagMaster(const DagOptions& options, Job& job, std::vector<StagePlaces> places);

  void start(TraceTime now, MasterActions& actions) override;
  void granted(TraceTime now, const Grant& grant, MasterActions& actions) override;
  void attempt_ended(TraceTime now, const AttemptEnd& end, MasterActions& actions) override;
  void node_lost(TraceTime now, NodeId node, MasterActions& actions) override;
  void heartbeat(TraceTime now, const Resources& headroom, MasterActions& actions) override;
  void input_nodes(TaskRef task, std::vector<NodeId>& nodes) const override {
    stages_[task.stage].pool.append_input_nodes(task.index, nodes);
  }

 private:
  StageKind kind_of(TaskRef) const override { return StageKind::map; }
  void move_task(const HeldContainer& held, NodeId destination) override {
    moved_.order(held.container, {held.node, destination});
  }
  struct DagStage {
    TaskPool pool;
    std::vector<std::uint16_t> needs;
    std::vector<std::uint16_t> dependents;
    std::uint32_t needs_left = 0;  // stages needed that have not ended
    std::int32_t priority = 1;
    Duration delay{};
    TraceTime first_asked = never;
    std::vector<NodeId> output_node;  // by task: of finished ones whose loss would matter
  };
  struct Attempt {
    std::uint16_t stage = 0;
    std::uint32_t task = 0;
  };

  bool may_run(const DagStage& stage) const {
    return stage.needs_left == 0 && stage.first_asked != never;
  }
  // The stage no longer needs any other.
  void became_ready(TraceTime now, std::uint16_t stage);
  // It is ready and its delay is over.
  void begin(TraceTime now, std::uint16_t stage);
  // Processes ended_.
  void follow_ended(TraceTime now);
  // An attempt at the task did not succeed. If it was ordered to move, it is asked for at once;
  // otherwise with the others of its stage.
  void wait_again(const Attempt& attempt, const std::optional<MovedTasks::Order>& order,
                  MasterActions& actions);
  void launch_moved(TraceTime now, const Grant& grant, MasterActions& actions);
  // The stage has not ended any more.
  void stage_reopened(std::uint16_t stage);
  bool is_output_wanted(const DagStage& stage) const;
  void kill_dependents(std::uint16_t stage, MasterActions& actions);
  void ask(std::uint16_t stage, MasterActions& actions);
  void want_heartbeat(TraceTime now, MasterActions& actions);
  void finish_if_done(MasterActions& actions);

  DagOptions options_;
  std::vector<DagStage> stages_;
  std::uint32_t stages_left_ = 0;
  std::vector<std::uint16_t> ended_;  // stages whose dependents were not notified yet
  std::map<ContainerId, Attempt> running_;
  MovedTasks moved_;
  std::set<std::uint16_t> to_ask_;                         // stages whose ask must be set again
  std::set<std::pair<TraceTime, std::uint16_t>> delayed_;  // ready, but for their delay
  TraceTime heartbeat_at_ = never;
};

}  // namespace tracebed
