// Master of a service: instances that serve for as long as the trace recorded, each in a container
// of its own. An instance that ends early, for whatever reason, is replaced, and its replacement
// serves what is left of the life. What an instance has served is counted from its grant, the first
// event that its master is notified of. Instances of one stage may fail by themselves a number of
// times before the service has failed (a component's, in YARN's services); those that the system
// ended (killed, node lost) do not count.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "applications/parts/task_pool.h"
#include "applications/preemption/moved_tasks.h"
#include "applications/preemption/preemptible_master.h"
#include "core/application_master.h"

namespace tracebed {

class ServiceMaster final : public PreemptibleMaster {
 public:
  // The contents of the stages of `job` are moved out; none needs another or is delayed. `places`
  // has an entry for every stage. `failures_max` is positive.
  ServiceMaster(Job& job, std::vector<StagePlaces> places, std::uint32_t failures_max);

  void start(TraceTime now, MasterActions& actions) override;
  void granted(TraceTime now, const Grant& grant, MasterActions& actions) override;
  void attempt_ended(TraceTime now, const AttemptEnd& end, MasterActions& actions) override;
  void node_lost(TraceTime, NodeId node, MasterActions& actions) override {
    moved_.node_lost(node, actions);
  }
  void heartbeat(TraceTime now, const Resources& headroom, MasterActions& actions) override;
  void input_nodes(TaskRef task, std::vector<NodeId>& nodes) const override {
    pools_[task.stage].append_input_nodes(task.index, nodes);
  }

 private:
  StageKind kind_of(TaskRef) const override { return StageKind::map; }
  void move_task(const HeldContainer& held, NodeId destination) override {
    moved_.order(held.container, {held.node, destination});
  }
  struct Instance {
    std::uint16_t stage = 0;
    std::uint32_t task = 0;
    auto operator<=>(const Instance&) const = default;
  };
  struct Attempt {
    Instance instance;
    TraceTime granted{};
  };

  // What the instance has left to do.
  Work work_left(Instance instance) const;

  std::vector<TaskPool> pools_;          // by stage
  std::vector<std::uint32_t> failures_;  // by stage
  std::uint32_t failures_max_;
  std::uint32_t pools_left_ = 0;
  TraceTime started_{};
  std::map<Instance, Duration> served_;  // of those that ended early
  std::map<ContainerId, Attempt> running_;
  MovedTasks moved_;
  std::set<std::uint16_t> to_ask_;
};

}  // namespace tracebed
