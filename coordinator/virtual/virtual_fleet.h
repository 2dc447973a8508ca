// The virtual world: modelled machines and a virtual clock. Time jumps from event to event.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "coordinator/virtual/heartbeat_wheel.h"
#include "coordinator/virtual/latency_model.h"
#include "coordinator/virtual/running_gangs.h"
#include "coordinator/virtual/shared_machines.h"
#include "coordinator/virtual/virtual_options.h"
#include "coordinator/virtual/virtual_storage.h"
#include "core/event_heap.h"
#include "core/fleet.h"
#include "core/machines.h"
#include "core/paged_table.h"

namespace tracebed {

class VirtualFleet final : public Fleet {
 public:
  // Node ids are positions in `machines`. `changes`, in any order, are when machines leave and
  // return; one whose first change is a return is absent until then, the others are present from
  // time 0.
  VirtualFleet(const VirtualOptions& options, std::vector<Machine> machines,
               std::vector<MachineChange> changes);

  // The host of masters in containers; required if any is launched. A master's process uses no
  // modelled resources except its container, and its messages arrive at once.
  void host_masters(MasterHost host) { host_ = std::move(host); }

  void execute(std::span<const Command> commands, const HeartbeatInterest& interest) override;
  void wait_until(TraceTime deadline, Round& round) override;
  bool expects_changes() const override { return changes_left_ + expiries_left_ > 0; }

  // Told why tasks that read or write failed, as a sentence; without it nobody is.
  void warn_by(std::function<void(const std::string&)> warn) { warn_ = std::move(warn); }

  // The namenode of a run with storage; required before its first task. It outlives this.
  void look_at(const StorageView& namenode);
  // Null without storage.
  const VirtualStorage* storage() const { return storage_ ? &*storage_ : nullptr; }

  // A machine leaves or returns at that time, which must not be past.
  void schedule(const MachineChange& change);
  // Malformed messages of masters, which are ignored.
  std::uint64_t garbage() const { return garbage_; }

 private:
  enum class EventKind : std::uint8_t {
    container_ends,
    gang_ends,
    machine_goes,
    machine_comes,
    node_expires,
    master_calls,
    file_transfers_begin,
    fetching_begins,
    sharing_begins,
    progress_is_due,
  };
  struct Event {
    EventKind kind = EventKind::container_ends;
    // Node, the first of `count` containers that end together, or of a gang's.
    std::uint32_t subject = 0;
    std::uint32_t count = 1;
    // Of node_expires: which outage of the node it belongs to; of progress_is_due: how many there
    // were before. Of gang_ends: the gang's slot.
    std::uint32_t instance = 0;
  };

  // The tasks of a node that report their progress, at the same times.
  struct ProgressReports {
    Duration interval{};
    std::set<ContainerId> tasks;
  };

  // Kept small: reading it at a task's end dominates a run over a million jobs.
  struct RunningTask {
    NodeId node;
    ContainerEnd end = ContainerEnd::succeeded;
    bool is_held = false;
    std::int8_t looks_survived = -1;  // checks of its virtual memory (core/virtual_memory.h)
    TraceTime started;
    TraceTime ends;               // `never` while it is held, or shares its machine
    TraceTime killed_at = never;  // or ended with its progress kept
    Duration run_time;
    std::int64_t cpu_weight = 1;  // beside others on its machine
    Work work;
  };

  struct NodeModel {
    Resources free;  // capacity − what was launched and has not ended; not kept in the ideal model
    Resources usage;              // of what runs
    std::uint32_t speed = 1'000;  // Machine::speed
    bool is_up = false;
    bool is_known = false;  // the engine was notified that it joined, and not that it was lost
    std::uint32_t outages = 0;
    std::vector<ContainerEnded> unreported;
  };

  void launch(const LaunchContainer& command);
  Duration enforced_run_time(RunningTask& task, const Resources& limits) const;
  // virtual_gangs.cpp
  void launch(const LaunchGangContainers& command);
  bool can_run_as_one(const LaunchGangContainers& command) const;
  void break_up(std::uint32_t slot);
  void break_up_gang_of(ContainerId container);
  void end_gang(ContainerId first, std::uint32_t slot, Round& round);
  // virtual_masters.cpp
  void launch_master(const LaunchMaster& command);
  void answer_master(const MasterAnswer& answer);
  void take_call(ContainerId id, Round& round);
  // The containers' ends are queued one by one, or together if they are consecutive and end at one
  // time, as a gang's pieces do.
  void schedule_end(ContainerId id, TraceTime at);
  void schedule_pending_end();
  void continue_held(ContainerId id);
  // The task's work begins as soon as it may.
  void begin_work(ContainerId id, RunningTask& task);
  void kill(ContainerId id);
  void checkpoint(ContainerId id);
  // If a look at its virtual memory before `end` finds that it has too much, it is killed then.
  void expect_memory_look(RunningTask& task, TraceTime begun, TraceTime end) const;
  // The fraction of its work that a task had done by `at`, from 0 to 1.
  static double part_done(const RunningTask& task, TraceTime at);
  // Likewise; of one that shares its machine, `at` is now, or when it was ordered to stop.
  double part_done(ContainerId id, const RunningTask& task, TraceTime at) const;
  // Average use over the run time, as heartbeats carry it.
  static Resources usage_of(const Work& work, Duration run_time);
  void end_task(ContainerId id, Round& round);
  // virtual_task_files.cpp
  // Has input to come, or output that is not whole.
  bool waits_for_files(ContainerId id) const;
  void begin_file_transfers(ContainerId id);
  bool ends_later(ContainerId id, const RunningTask& task);
  void forget_files(ContainerId id);
  double account_files(ContainerId id, const RunningTask& task, double done,
                       ContainerAccount& account);
  // The tasks that have all of their input or output by now, and were waiting for it, or cannot get
  // it.
  void take_file_outcomes(Round& round);
  void end_file_transfers(ContainerId id, const std::optional<std::string>& failure, Round& round);
  // virtual_sharing.cpp
  bool shares(const RunningTask& task) const;
  // If nothing begins or ends beside it.
  TraceTime expected_end(ContainerId id, const RunningTask& task) const;
  // From then on the machine's containers share it.
  void share_if_oversubscribed(NodeId node);
  void take_over(ContainerId id, RunningTask& task);
  // Its work begins as soon as it may.
  void share(ContainerId id, RunningTask& task);
  void begin_sharing(ContainerId id);
  void begin_sharing(ContainerId id, const RunningTask& task, Duration left);
  void stop_sharing(ContainerId id, const RunningTask& task);
  void end_sharing(ContainerId id, NodeId node);
  template <class Change>
  void change_shares(NodeId node, Change&& change);
  // What its tasks read and write goes along with their work.
  void pace_files(NodeId node);
  void take_shared_ends(Round& round);
  void report_end(ContainerId id, const RunningTask& task, ContainerEnded& report);
  void handle(const Event& event, Round& round);
  void machine_goes(NodeId node, Round& round);
  void machine_comes(NodeId node, Round& round);
  void report_lost(NodeId node, Round& round);
  void report_joined(NodeId node, Round& round);
  // virtual_progress.cpp
  void report_progress_from(ContainerId id, const RunningTask& task, TraceTime begun);
  void report_progress(NodeId node, std::uint32_t outage, Round& round);
  // In millionths.
  std::uint32_t progress_of(ContainerId id, const RunningTask& task) const;
  // virtual_heartbeats.cpp
  void beat(NodeId node, Round& round);
  Resources measured_use(NodeId id) const;
  // Idealised: heartbeats of all nodes that matter, at once. False if none does.
  bool sweep(Round& round);
  bool matters(const NodeModel& node) const;
  void update_mark(NodeId node);
  void join_initial(Round& round);
  VirtualDatanodes& datanodes();
  // What happens at `now_`.
  void take_due(Round& round);

  VirtualOptions options_;
  std::vector<Machine> machines_;
  std::vector<NodeModel> nodes_;
  LatencyModel launch_latency_;
  LatencyModel task_overhead_;
  LatencyModel master_startup_;
  HeartbeatWheel wheel_;
  EventHeap<Event> events_;
  PagedTable<ContainerId, RunningTask> running_;
  RunningGangs gangs_;
  SharedMachines shared_;
  std::vector<ContainerId> shared_done_;       // of take_shared_ends(): kept for its memory
  PagedTable<ContainerId, Resources> limits_;  // of what runs; not kept in the ideal model
  Event pending_end_{.kind = EventKind::container_ends, .count = 0};  // not yet in the queue
  TraceTime pending_end_at_{};
  MasterHost host_;
  std::map<ContainerId, std::unique_ptr<HostedMaster>> masters_;  // those whose process runs
  std::map<ApplicationId, ContainerId> container_of_master_;      // of the latest attempt
  HeartbeatInterest interest_;
  std::map<ContainerId, Duration> progress_intervals_;  // of tasks that report it
  std::map<NodeId, ProgressReports> progress_reports_;
  std::optional<VirtualStorage> storage_;
  std::function<void(const std::string&)> warn_;  // may be null
  TraceTime now_{};
  // No heartbeat up to then is to come: what the engine does at a time is not reported at that
  // time, whether a heartbeat was left out or not.
  TraceTime beaten_until_ = TraceTime() - microseconds(1);
  Duration checkpoint_time_;
  std::size_t changes_left_ = 0;
  std::size_t expiries_left_ = 0;  // of machines that left, which are not reported yet
  std::uint64_t garbage_ = 0;
  bool has_joined_ = false;
  // Ideal model: something changed since the last sweep, and a sweep is due.
  bool has_changed_ = true;
  bool sweep_due_ = false;
};

}  // namespace tracebed
