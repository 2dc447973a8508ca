#include "schedulers/concurrent/scheduler_instance.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "core/check.h"

namespace tracebed {

void SchedulerInstance::note(NodeId node) {
  if (is_noted_.size() <= node.index()) is_noted_.resize(node.index() + 1);
  if (is_noted_[node.index()] != 0) return;
  is_noted_[node.index()] = 1;
  nodes_.push_back(node);
}

void SchedulerInstance::close(NodeId node, bool is_closed) {
  policy_->set_closed(node, is_closed);
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
  policy_->follow({input.now, events_, input.cluster}, nodes_);
  events_.clear();
  for (const NodeId node : nodes_) is_noted_[node.index()] = 0;
  nodes_.clear();
}

void SchedulerInstance::decide(const ClusterModel& cluster, ApplicationId job,
                               std::vector<ProposedUnits>& proposals) {
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

Transaction SchedulerInstance::end_thinking() {
  TRACEBED_CHECK(is_thinking(), "a scheduler ends what it began");
  return *std::exchange(transaction_, std::nullopt);
}

}  // namespace tracebed
