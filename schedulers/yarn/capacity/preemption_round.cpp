#include "schedulers/yarn/capacity/preemption_round.h"

#include <algorithm>

#include "schedulers/parts/component_maximum.h"
#include "schedulers/yarn/capacity/victims.h"

namespace tracebed {
namespace {

class Round {
 public:
  Round(const CapacityState& state, const ClusterModel& cluster, const ClosedPriorities& closed)
      : state_(state),
        settings_(state.configuration().preemption),
        cluster_(cluster),
        containers_(state, cluster, closed),
        victims_(state, containers_),
        balances_(state.partitions().size()),
        wanted_(state.partitions().size()),
        under_served_(state.partitions().size()) {}

  RoundChoice choose(TraceTime now) {
    std::vector<MovedReservation> moved;
    if (settings_.selects_by_priority) {
      moved = select_by_priority(state_, cluster_, now, victims_);
    }
    if (settings_.selects_for_reserved) {
      balance(true, false);
      select_for_reserved(state_, cluster_, balances_, victims_);
    }
    balance(settings_.counts_reserved, false);
    deduct_chosen();
    select_by_share(state_, balances_, ChosenFor::guarantee, victims_);
    if (settings_.balances_beyond_guarantee) {
      balance(false, true);
      deduct_chosen();
      select_by_share(state_, balances_, ChosenFor::evening_out, victims_);
    }
    if (settings_.is_enabled_within_queues) {
      select_within_queues(state_, balances_, under_served_, victims_);
    }
    RoundChoice choice = victims_.finish();
    choice.moved = std::move(moved);
    return choice;
  }

  // Chooses, and returns the figures by which it did.
  Balances balances(TraceTime now) {
    choose(now);
    for (PartitionIndex p = 0; p < balances_.size(); ++p) {
      for (QueueIndex i = 0; i < balances_[p].size(); ++i) {
        balances_[p][i].to_obtain = wanted_[p][i];
      }
    }
    return std::move(balances_);
  }

 private:
  void balance(bool counts_reserved, bool goes_beyond_guarantee) {
    const BalanceRules rules{.calculator = victims_.calculator(),
                             .cluster = victims_.cluster(),
                             .allowed = victims_.allowed(),
                             .counts_reserved = counts_reserved,
                             .goes_beyond_guarantee = goes_beyond_guarantee,
                             .ignored_over_capacity = settings_.ignored_over_capacity,
                             .natural_termination = settings_.natural_termination};
    for (PartitionIndex p = 0; p < balances_.size(); ++p) {
      balances_[p] = balances_of(state_, p, goes_beyond_guarantee);
      for (const LiveContainers::OfApplication& owner : containers_.all()) {
        balances_[p][owner.application->leaf].leaving += sum_in(owner.leaving, p);
      }
      std::vector<std::size_t>& noted = under_served_[p];
      for (const std::size_t queue : balance_queues(balances_[p], rules)) {
        if (std::find(noted.begin(), noted.end(), queue) == noted.end()) noted.push_back(queue);
      }
    }
  }

  // What earlier selectors chose is not wanted by the next once more.
  void deduct_chosen() {
    for (PartitionIndex p = 0; p < balances_.size(); ++p) {
      wanted_[p].resize(balances_[p].size());
      for (QueueIndex i = 0; i < balances_[p].size(); ++i) {
        Resources& to_obtain = balances_[p][i].to_obtain;
        const Resources chosen = victims_.chosen_of(i, p);
        wanted_[p][i] = component_maximum(to_obtain, chosen);
        to_obtain = positive_part(to_obtain - chosen);
      }
    }
  }

  const CapacityState& state_;
  const PreemptionSettings& settings_;
  const ClusterModel& cluster_;
  LiveContainers containers_;
  Victims victims_;
  Balances balances_;
  // By partition and queue: what was chosen of it before the last pass, and what that wants more.
  std::vector<std::vector<Resources>> wanted_;
  std::vector<std::vector<std::size_t>> under_served_;  // by partition
};

}  // namespace

std::string_view reason_text(ChosenFor chosen_for) {
  switch (chosen_for) {
    case ChosenFor::priority:
      return "its node is reserved for a more important queue that has less than its guarantee";
    case ChosenFor::reservation:
      return "its queue has more than its guarantee, and its node is reserved for others";
    case ChosenFor::guarantee:
      return "its queue has more than its guarantee, and others have less and want more";
    case ChosenFor::evening_out:
      return "its queue has more above its guarantee than others that want more";
    case ChosenFor::within_queue:
      break;
  }
  return "more important applications of its queue, or users below their limit, want more";
}

Balances balances_now(const CapacityState& state, const ClusterModel& cluster,
                      const ClosedPriorities& closed, TraceTime now) {
  return Round(state, cluster, closed).balances(now);
}

RoundChoice choose_containers(const CapacityState& state, const ClusterModel& cluster,
                              const ClosedPriorities& closed, TraceTime now) {
  return Round(state, cluster, closed).choose(now);
}

}  // namespace tracebed
