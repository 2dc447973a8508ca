// One of several concurrent schedulers: its jobs, its policy, the events since its last snapshot,
// and the transaction that it is deciding.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "schedulers/concurrent/decision_snapshot.h"
#include "schedulers/concurrent/job_queue.h"
#include "schedulers/concurrent/transaction.h"
#include "schedulers/placement/unit_placement.h"

namespace tracebed {

// Nodes, each once, in the order in which they were added.
class NodeList {
 public:
  void add(NodeId node);
  void clear();
  std::span<const NodeId> nodes() const { return nodes_; }

 private:
  std::vector<NodeId> nodes_;
  std::vector<std::uint8_t> has_;  // by node
};

class SchedulerInstance {
 public:
  // With a snapshot it decides in a thread of its own. While it thinks there, policy, snapshot and
  // what is decided of the transaction are the thread's.
  explicit SchedulerInstance(std::unique_ptr<UnitPlacement> policy,
                             std::unique_ptr<DecisionSnapshot> snapshot = nullptr)
      : policy_(std::move(policy)), snapshot_(std::move(snapshot)) {}

  // ---- what it processes when it takes its next snapshot ----

  // An event of an application of its own.
  void note(const SchedulerEvent& event) { events_.push_back(event); }
  // The node changed.
  void note(NodeId node) { nodes_.add(node); }
  // The node has sent a heartbeat.
  void note_report(NodeId node);
  // The node is closed to it, or open again.
  void close(NodeId node, bool is_closed);

  // ---- its jobs ----

  // Units of the job are wanted.
  void request(ApplicationId job);
  JobQueue& queue() { return queue_; }
  const JobQueue& queue() const { return queue_; }

  // ---- what it decides ----

  bool is_thinking() const { return transaction_.has_value(); }
  bool is_thinking_in_thread() const { return is_thinking() && snapshot_ != nullptr; }
  const std::optional<Transaction>& transaction() const { return transaction_; }
  bool is_deciding_about(ApplicationId job) const;
  // Its snapshot is the cluster as it is now.
  void take_snapshot(const SchedulerInput& input);
  // Begins to decide on the snapshot, about the transaction's jobs.
  void think(const ClusterModel& cluster, Transaction transaction);
  // Decides; `cluster` is the snapshot.
  void decide(const ClusterModel& cluster);
  // In its thread.
  void decide() { decide(snapshot_->cluster()); }
  // What was decided; jobs that were not are not part of it, and returned.
  std::vector<ApplicationId> end_deciding(TraceTime ready_at, Duration thinking);
  Transaction end_thinking();
  // Whether units of the job were requested while it was decided about; forgets that.
  bool take_request(ApplicationId job) { return requested_.erase(job) > 0; }

  // Jobs wait for room that may have been in offers which others held.
  void set_passed_over(bool is_passed_over) { is_passed_over_ = is_passed_over; }
  bool is_passed_over() const { return is_passed_over_; }

  UnitPlacement& policy() { return *policy_; }
  const UnitPlacement& policy() const { return *policy_; }

 private:
  void place(const ClusterModel& cluster, ApplicationId job);

  std::unique_ptr<UnitPlacement> policy_;
  std::unique_ptr<DecisionSnapshot> snapshot_;
  JobQueue queue_;
  std::vector<SchedulerEvent> events_;
  NodeList nodes_;                               // that changed
  NodeList reports_;                             // that sent heartbeats; only with a snapshot
  std::vector<std::pair<NodeId, bool>> closed_;  // what close() was called with
  std::optional<Transaction> transaction_;
  std::set<ApplicationId> requested_;
  bool is_passed_over_ = false;
  Decisions decisions_;  // kept for its memory
};

}  // namespace tracebed
