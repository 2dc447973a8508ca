#include "schedulers/concurrent/scheduler_instance.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "core/check.h"

namespace tracebed {
void NodeList::add(NodeId node) {
  if (has_.size() <= node.index()) has_.resize(node.index() + 1);
  if (has_[node.index()] != 0) return;
  has_[node.index()] = 1;
  nodes_.push_back(node);
}

void NodeList::clear() {
  for (const NodeId node : nodes_) has_[node.index()] = 0;
  nodes_.clear();
}

void SchedulerInstance::note_report(NodeId node) {
  if (snapshot_ != nullptr) reports_.add(node);
}

void SchedulerInstance::close(NodeId node, bool is_closed) {
  closed_.emplace_back(node, is_closed);
  note(node);
}

void SchedulerInstance::request(ApplicationId job) {
  if (is_deciding_about(job)) {
    requested_.insert(job);
  } else {
    queue_.add(job);
  }
}

bool SchedulerInstance::is_deciding_about(ApplicationId job) const {
  return transaction_ && std::find(transaction_->jobs.begin(), transaction_->jobs.end(), job) !=
                             transaction_->jobs.end();
}

void SchedulerInstance::take_snapshot(const SchedulerInput& input) {
  for (const auto& [node, is_closed] : closed_) policy_->set_closed(node, is_closed);
  policy_->follow({input.now, events_, input.cluster}, nodes_.nodes());
  if (snapshot_ != nullptr) {
    snapshot_->follow(input.cluster, nodes_.nodes());
    snapshot_->follow(input.cluster, reports_.nodes());
    for (const SchedulerEvent& event : events_) {
      const auto* const removed = std::get_if<ApplicationRemoved>(&event);
      if (removed != nullptr) snapshot_->forget_input(removed->application);
    }
  }
  closed_.clear();
  events_.clear();
  nodes_.clear();
  reports_.clear();
}

void SchedulerInstance::think(const ClusterModel& cluster, Transaction transaction) {
  if (snapshot_ != nullptr) {
    for (const ApplicationId job : transaction.jobs) snapshot_->add(cluster, job);
  }
  transaction_ = std::move(transaction);
}

void SchedulerInstance::decide(const ClusterModel& cluster) {
  Transaction& transaction = *transaction_;
  std::optional<Resources> left = transaction.offer;
  for (const ApplicationId job : transaction.jobs) {
    if (left && !cluster.limits.has_something(*left)) return;
    const std::size_t first = transaction.proposals.size();
    place(cluster, job);
    ++transaction.decided;
    for (std::size_t i = first; left && i < transaction.proposals.size(); ++i) {
      const ProposedUnits& units = transaction.proposals[i];
      for (const GangPiece& piece : units.pieces) {
        left->add_times(cluster.asks[units.ask].demand, -std::int64_t{piece.units});
      }
    }
  }
}

void SchedulerInstance::place(const ClusterModel& cluster, ApplicationId job) {
  std::vector<ProposedUnits>& proposals = transaction_->proposals;
  decisions_.clear();
  policy_->place(cluster, job, decisions_);
  const std::size_t first = proposals.size();
  for (const Decision& decision : decisions_.list()) {
    if (const auto* const gang = std::get_if<AllocateGang>(&decision)) {
      const auto pieces = decisions_.pieces(*gang);
      proposals.push_back({gang->ask, job, true, GangPieces(pieces.begin(), pieces.end())});
      continue;
    }
    const auto* const one = std::get_if<Allocate>(&decision);
    TRACEBED_CHECK(one != nullptr, "a placement only allocates");
    if (proposals.size() > first && proposals.back().ask == one->ask &&
        proposals.back().pieces.front().node == one->node) {
      ++proposals.back().pieces.front().units;
    } else {
      proposals.push_back({one->ask, job, false, {GangPiece{one->node, 1}}});
    }
  }
}

std::vector<ApplicationId> SchedulerInstance::end_deciding(TraceTime ready_at, Duration thinking) {
  TRACEBED_CHECK(is_thinking(), "a scheduler ends what it began");
  if (snapshot_ != nullptr) snapshot_->remove_jobs();
  Transaction& transaction = *transaction_;
  transaction.ready_at = ready_at;
  transaction.thinking = thinking;
  const auto first = transaction.jobs.begin() + static_cast<std::ptrdiff_t>(transaction.decided);
  std::vector<ApplicationId> undecided(first, transaction.jobs.end());
  transaction.jobs.erase(first, transaction.jobs.end());
  for (const ApplicationId job : undecided) (void)take_request(job);
  return undecided;
}

Transaction SchedulerInstance::end_thinking() {
  TRACEBED_CHECK(is_thinking(), "a scheduler ends what it began");
  return *std::exchange(transaction_, std::nullopt);
}

}  // namespace tracebed
