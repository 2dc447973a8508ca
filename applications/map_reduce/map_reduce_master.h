// Master of a MapReduce job, after Hadoop's MRAppMaster (RMContainerAllocator, JobImpl, TaskImpl).
//
// Maps are asked for at once, with the nodes and racks of their input; reduces when the slow start
// is over, as many as the ramp-up allows (reduce_ramp.h). Of the three asks, maps that are run
// again after a failure or because their output was lost are the most important (priority 5), then
// reduces (10), then maps (20).
//
// A reduce that gets its container before all maps are done is launched held and continued when the
// last of them is done: its work (shuffle, sort, reduce) begins then.
//
// A task may fail a number of times; an attempt that the system ended (killed, node lost) does not
// count. When a node is lost, the output of the maps that ran there is lost, and they run again
// unless all reduces are done. A reduce that was continued is assumed to have fetched what it needs
// and runs on, or, where it may have to fetch that output, may be preempted like one that was not,
// which waits until all maps are done again.
//
// When maps wait, none runs and the free resources have no room for one, held reduces are
// preempted, the youngest first.
//
// With a rule of speculative execution (speculation.h), a slow task gets a second attempt. When one
// of the two succeeds, the other is killed; when one does not, the task waits for the other, and
// only its failure counts.
//
// Deviations, each on purpose:
// - [map-reduce-continued-reduces] Reduces that were continued are not preempted for maps: unlike
//   Hadoop's, they wait for no map, so they end by themselves.
// - [map-reduce-asks-again] Hadoop's master may ask for reduces again at its next heartbeat and so
//   take the room back from the maps; this one asks for none before a map got a container.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "applications/map_reduce/java_heap.h"
#include "applications/map_reduce/reduce_ramp.h"
#include "applications/map_reduce/speculation.h"
#include "applications/map_reduce/stage_progress.h"
#include "applications/parts/pending_maps.h"
#include "applications/parts/retries.h"
#include "applications/parts/stage_input.h"
#include "applications/parts/stage_work.h"
#include "applications/preemption/moved_tasks.h"
#include "applications/preemption/preemptible_master.h"
#include "core/application_master.h"

namespace tracebed {

struct MapReduceOptions {
  ReduceRampOptions ramp;
  std::uint32_t map_attempts_max = 4;     // mapreduce.map.maxattempts
  std::uint32_t reduce_attempts_max = 4;  // mapreduce.reduce.maxattempts
  // Held reduces are preempted when maps have waited this long and there is no room for them
  // (mapreduce.job.reducer.preempt.delay.sec, 0), or there seems to be some
  // (mapreduce.job.reducer.unconditional-preempt.delay.sec, 300).
  Duration preemption_delay{};
  Duration unconditional_preemption_delay = seconds(300);
  // Reduces that run when outputs of maps are lost may not have fetched them.
  bool are_lost_outputs_awaited = false;
  // How often a job that is short of room checks again
  // (yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms).
  Duration heartbeat_interval = seconds(1);
  // Of containers; zero in a dimension: as in the job.
  Resources map_size;
  Resources reduce_size;
  HeapRule map_heap;
  HeapRule reduce_heap;
  SpeculationOptions speculation;
};

class MapReduceMaster final : public PreemptibleMaster {
 public:
  // The stages of `job` are a map stage, a reduce stage or both; their contents are moved out.
  // `replicas` says where each map's input is: `replication` entries per map, none for 0.
  MapReduceMaster(const MapReduceOptions& options, Job& job, std::vector<Replica> replicas,
                  std::uint32_t replication);

  // Where duplicates of attempts may run; nodes that join later get none. Those whose capacity is
  // not known count for none in the rules' caps.
  void know_cluster(std::span<const Node> nodes);

  void start(TraceTime now, MasterActions& actions) override;
  void granted(TraceTime now, const Grant& grant, MasterActions& actions) override;
  void attempt_ended(TraceTime now, const AttemptEnd& end, MasterActions& actions) override;
  void progressed(TraceTime now, const AttemptProgress& progress, MasterActions& actions) override;
  void node_lost(TraceTime now, NodeId node, MasterActions& actions) override;
  void heartbeat(TraceTime now, const Resources& headroom, MasterActions& actions) override;
  void input_nodes(TaskRef task, std::vector<NodeId>& nodes) const override;

 private:
  StageKind kind_of(TaskRef task) const override {
    const bool is_reduce = reduce_work_.tasks() > 0 && task.stage == reduce_stage_;
    return is_reduce ? StageKind::reduce : StageKind::map;
  }
  void move_task(const HeldContainer& held, NodeId destination) override {
    moved_.order(held.container, {held.node, destination});
  }

  enum Slot : AskSlot { failed_maps, reduces, maps, map_duplicates, reduce_duplicates, slots };
  struct Attempt {
    std::uint32_t task = 0;
    bool is_map = true;
    bool is_going = false;       // a held reduce that is being preempted
    bool is_superseded = false;  // the other one has succeeded, and this is being killed
    ContainerId twin = {};       // of the other attempt at its task; invalid: none
  };
  // What a container is used for.
  struct Placed {
    std::uint32_t task = 0;
    Locality locality = Locality::none_asked;
    ContainerId beside = {};  // of another attempt; invalid: none
  };

  // Of moved tasks; without a rule of speculative execution nothing is asked for before them.
  static AskSlot first_moved_slot(const SpeculationOptions& speculation) {
    return speculation.rule == SpeculationRule::none ? Slot::map_duplicates : Slot::slots;
  }

  // Attempts.
  void launch_map(TraceTime now, const Grant& grant, const Placed& map, MasterActions& actions);
  void launch_failed_map(TraceTime now, const Grant& grant, MasterActions& actions);
  void launch_reduce(TraceTime now, const Grant& grant, const Placed& reduce,
                     MasterActions& actions);
  void launch_moved(TraceTime now, const Grant& grant, MasterActions& actions);
  // What attempts at maps and at reduces have in common.
  void launch_attempt(TraceTime now, const Grant& grant, LaunchTask& launch, const Placed& placed,
                      MasterActions& actions);
  // False if the job has failed with it.
  bool map_ended(TraceTime now, std::uint32_t map, const AttemptEnd& end, MasterActions& actions);
  bool reduce_ended(TraceTime now, std::uint32_t reduce, const AttemptEnd& end,
                    MasterActions& actions);
  void fail(const char* kind, std::uint32_t task, std::uint32_t failures, ContainerEnd end,
            MasterActions& actions) const;
  void let_held_reduces_go(TraceTime now, MasterActions& actions);
  std::uint32_t next_reduce();

  // Speculative execution (map_reduce_speculation.cpp).
  void launch_duplicate(TraceTime now, const Grant& grant, MasterActions& actions);
  // What to use the container for, of the tasks; none if it suits none of them.
  const std::uint32_t* choose(const std::vector<std::uint32_t>& tasks, const Grant& grant,
                              bool is_map) const;
  enum class Consequence : std::uint8_t {
    as_alone,     // what follows from the end of a task's only attempt
    none,         // the task is done, or its other attempt goes on
    job_failure,  // the job has failed with it
  };
  // Settles what an end means for the other attempt at the task, and says what else follows.
  Consequence settle_twin(const Attempt& attempt, const AttemptEnd& end, MasterActions& actions);
  // Looks for slow tasks, and asks for containers for their duplicates.
  void look_for_slow_tasks(TraceTime now, MasterActions& actions);
  void ask_for_duplicates(bool is_map, const std::vector<std::uint32_t>& tasks,
                          MasterActions& actions);
  // Nodes on which none of the tasks may run, ascending.
  std::vector<NodeId> barred_nodes(bool is_map, const std::vector<std::uint32_t>& tasks) const;
  void expect_look(TraceTime now, MasterActions& actions);
  SpeculatedJob speculated_job() const;
  const StageProgress& progress_of(bool is_map) const {
    return is_map ? map_progress_ : reduce_progress_;
  }
  StageProgress& progress_of(bool is_map) { return is_map ? map_progress_ : reduce_progress_; }

  // Asks (map_reduce_asks.cpp).
  // True if the task whose attempt ended was ordered to move, and is asked for alone.
  bool ask_elsewhere(const AttemptEnd& end, bool is_map, std::uint32_t task,
                     MasterActions& actions);
  void ask_for_maps(MasterActions& actions);
  void ask_for_failed_maps(MasterActions& actions);
  void ask_for_reduces(MasterActions& actions) const;
  // Takes the places of one map out of an ask.
  void fewer_places(std::uint32_t map, AdjustPlaces& fewer) const;
  void want_heartbeat(TraceTime now, MasterActions& actions);
  void ask_again(TraceTime now, const Resources& headroom, MasterActions& actions);
  bool preempt_reduces(TraceTime now, const ReduceRampState& state, MasterActions& actions);
  void schedule_reduces(const ReduceRampState& state, MasterActions& actions, TraceTime now);
  ReduceRampState ramp_state(const Resources& headroom) const;
  std::uint32_t hanging_maps(Duration delay, TraceTime now) const;

  std::uint32_t maps_waiting() const {
    return pending_maps_.size() +
           static_cast<std::uint32_t>(taken_maps_.size() + failed_maps_.size()) +
           moved(map_work_, map_stage_);
  }
  // Without those that are asked for alone, since they were moved.
  std::uint32_t reduces_waiting() const {
    return reduce_work_.tasks() - reduces_done_ - (reduces_running_ - reduces_surplus_) -
           moved(reduce_work_, reduce_stage_);
  }
  std::uint32_t moved(const StageWork& work, std::uint16_t stage) const {
    return work.tasks() > 0 ? moved_.waiting(stage) : 0;  // else the job has no such stage
  }
  bool are_maps_done() const { return maps_done_ == map_work_.tasks(); }
  bool is_starved() const {
    return maps_running_ == 0 && maps_waiting() > 0 && !(held_.empty() && refetching_.empty());
  }

  MapReduceOptions options_;
  std::uint16_t map_stage_ = 0;
  std::uint16_t reduce_stage_ = 0;
  Resources map_demand_;
  Resources reduce_demand_;
  StageWork map_work_;
  StageInput map_input_;
  StageWork reduce_work_;
  TraceTime started_{};

  // Waiting maps, in that order: asked for, as they have never failed nor been lost; ended by the
  // system, and asked for with the others at the next heartbeat; failed or lost.
  PendingMaps pending_maps_;
  std::vector<std::uint32_t> taken_maps_;
  std::deque<std::uint32_t> failed_maps_;
  Retries map_retries_;
  std::uint32_t maps_running_ = 0;
  std::uint32_t maps_done_ = 0;
  std::vector<NodeId> output_node_;  // by map: where its output is; empty if there are no reduces

  // Waiting reduces: failed ones first, then those not tried yet, then those that the system ended.
  std::deque<std::uint32_t> failed_reduces_;
  std::uint32_t next_fresh_reduce_ = 0;
  std::deque<std::uint32_t> taken_reduces_;
  Retries reduce_retries_;
  TraceTime reduces_first_asked_ = never;
  std::uint32_t reduces_asked_ = 0;
  std::uint32_t reduces_running_ = 0;  // including held and going ones
  // Attempts of those that their tasks do not need: duplicates, and superseded ones.
  std::uint32_t reduces_surplus_ = 0;
  std::uint32_t reduces_going_ = 0;
  std::uint32_t reduces_done_ = 0;
  bool has_slow_start_ended_ = false;
  bool is_room_kept_for_maps_ = false;  // reduces were preempted, and no map got a container since

  std::map<ContainerId, Attempt> running_;
  std::set<ContainerId> held_;  // reduces that wait for maps, except going ones
  // Continued reduces that may wait for maps that run again, likewise.
  std::set<ContainerId> refetching_;
  MovedTasks moved_;

  // The next heartbeat has to ask for failed maps again.
  bool must_ask_for_failed_maps_ = false;
  TraceTime heartbeat_at_ = never;

  // The rest only with a rule of speculative execution.
  std::unique_ptr<SpeculationPolicy> speculation_;
  StageProgress map_progress_;
  StageProgress reduce_progress_;
  std::vector<NodeId> cluster_nodes_;  // of the cluster, ascending
  std::uint64_t cluster_maps_ = 0;     // containers that they hold
  std::uint64_t cluster_reduces_ = 0;
  SetAsk map_duplicates_ask_;  // as it stands
  SetAsk reduce_duplicates_ask_;
  TraceTime duplicates_asked_{};  // the last time
  TraceTime next_look_ = never;
};

}  // namespace tracebed
