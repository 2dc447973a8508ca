// One of several concurrent schedulers: its jobs, its policy, the events since its last snapshot,
// and the transaction that it is deciding.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "schedulers/concurrent/job_queue.h"
#include "schedulers/concurrent/transaction.h"
#include "schedulers/placement/unit_placement.h"

namespace tracebed {

class SchedulerInstance {
 public:
  explicit SchedulerInstance(std::unique_ptr<UnitPlacement> policy) : policy_(std::move(policy)) {}

  // ---- what it processes when it takes its next snapshot ----

  // An event of an application of its own.
  void note(const SchedulerEvent& event) { events_.push_back(event); }
  // The node changed.
  void note(NodeId node);
  // The node is closed to it, or open again.
  void close(NodeId node, bool is_closed);

  // ---- its jobs ----

  // Units of the job are wanted.
  void request(ApplicationId job);
  JobQueue& queue() { return queue_; }
  const JobQueue& queue() const { return queue_; }

  // ---- what it decides ----

  bool is_thinking() const { return transaction_.has_value(); }
  const std::optional<Transaction>& transaction() const { return transaction_; }
  bool is_deciding_about(ApplicationId job) const;
  // Its snapshot is the cluster as it is now.
  void take_snapshot(const SchedulerInput& input);
  // Decides about the job on the snapshot, and appends the proposals.
  void decide(const ClusterModel& cluster, ApplicationId job,
              std::vector<ProposedUnits>& proposals);
  void think(Transaction transaction) { transaction_ = std::move(transaction); }
  Transaction end_thinking();
  // Whether units of the job were requested while it was decided about; forgets that.
  bool take_request(ApplicationId job) { return requested_.erase(job) > 0; }

  // Jobs wait for room that may have been in offers which others held.
  void set_passed_over(bool is_passed_over) { is_passed_over_ = is_passed_over; }
  bool is_passed_over() const { return is_passed_over_; }

  UnitPlacement& policy() { return *policy_; }
  const UnitPlacement& policy() const { return *policy_; }

 private:
  std::unique_ptr<UnitPlacement> policy_;
  JobQueue queue_;
  std::vector<SchedulerEvent> events_;
  std::vector<NodeId> nodes_;           // those that changed, each once
  std::vector<std::uint8_t> is_noted_;  // by node: it is one of them
  std::optional<Transaction> transaction_;
  std::set<ApplicationId> requested_;
  bool is_passed_over_ = false;
  Decisions decisions_;  // kept for its memory
};

}  // namespace tracebed
