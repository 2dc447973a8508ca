// Between the applications of under-served leaves (monitor.capacity.IntraQueueCandidatesSelector).
#include <algorithm>

#include "schedulers/yarn/capacity/preemption/within_queue.h"
#include "schedulers/yarn/capacity/victims.h"

namespace tracebed {
namespace {

class WithinSelection {
 public:
  WithinSelection(const CapacityState& state, PartitionIndex partition, QueueIndex leaf,
                  const QueueBalance& balance, Victims& victims)
      : state_(state),
        settings_(state.configuration().preemption),
        partition_(partition),
        leaf_(leaf),
        victims_(victims) {
    figures_.used = balance.used;
    figures_.guaranteed = balance.guaranteed;
    figures_.to_obtain = balance.to_obtain;
    figures_.chosen = victims.chosen_of(leaf, partition);
    figures_.is_fair =
        state.tree().configured(leaf).application_order == CapacityQueue::ApplicationOrder::fair;
  }

  // Decides how much each application gives, before anything within a leaf is chosen.
  void balance() {
    const LeafState& leaf = state_.leaf(leaf_);
    for (const ApplicationId id : leaf.active) add(*state_.application(id));
    for (const ApplicationRank& rank : leaf.waiting) add(*state_.application(rank.id));
    if (figures_.is_fair) set_turns();
    if (figures_.applications.size() < 2) return;
    balance_within(figures_, {.calculator = victims_.calculator(),
                              .cluster = victims_.cluster(),
                              .allowed = victims_.allowed(),
                              .minimum_allocation = state_.settings().minimum_allocation,
                              .most_taken = settings_.most_taken_within_queues,
                              .spares_users_below_limit = settings_.spares_users_below_limit,
                              .is_conservative = settings_.is_conservative_within_queues});
  }

  void select() {
    Resources sum;
    for (const ApplicationBalance& each : figures_.applications) sum += each.to_obtain;
    Wants wants(victims_.calculator(), victims_.cluster());
    wants.add(partition_, sum);
    for (const ApplicationBalance& each : figures_.applications) {
      if (!each.to_obtain.is_zero()) take_from(each, wants);
    }
  }

 private:
  void add(const RunningApplication& application) {
    const LiveContainers::OfApplication& owner = victims_.containers().of(application.id);
    ApplicationBalance& added = figures_.applications.emplace_back();
    added.id = application.id;
    added.user = user_of(application);
    added.priority = application.priority;
    added.used = sum_in(application.used, partition_);
    added.master = sum_in(owner.masters, partition_);
    // What leaves already is as good as chosen.
    added.chosen = sum_in(owner.chosen, partition_) + sum_in(owner.leaving, partition_);
    for (const OpenAsk* ask : application.asks) {
      if (ask->partition == partition_) added.pending += ask->demand * ask->wanted;
    }
    figures_.users[added.user].masters += added.master;
  }

  void set_turns() {
    std::vector<std::pair<ApplicationRank, ApplicationBalance*>> ranked;
    for (ApplicationBalance& each : figures_.applications) {
      ranked.emplace_back(state_.rank_of(*state_.application(each.id)), &each);
    }
    std::sort(ranked.begin(), ranked.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < ranked.size(); ++i) ranked[i].second->turn = i;
  }

  std::size_t user_of(const RunningApplication& application) {
    const auto [found, is_new] = users_.try_emplace(application.user, figures_.users.size());
    if (is_new) {
      UserBalance& user = figures_.users.emplace_back();
      const LeafUser& known = *application.leaf_user;
      user.used = known.uses[partition_].used;
      user.limit = state_.leaf(leaf_).users.limit_among_all(
          known, partition_, state_.tree()[leaf_].uses[partition_].basis);
    }
    return found->second;
  }

  void take_from(const ApplicationBalance& giver, Wants& wants) {
    UserBalance& user = figures_.users[giver.user];
    for (LiveContainer& each : victims_.containers().in_order_of(giver.id).live) {
      if (wants.empty()) return;
      if (each.is_chosen || each.is_master || each.partition != partition_) continue;
      const Resources& amount = each.container->resources;
      // The user stays above his limit.
      const bool spares = settings_.spares_users_below_limit;
      if (spares &&
          victims_.calculator().compare(user.used - amount, user.limit, victims_.cluster()) <= 0) {
        return;
      }
      const bool was_taken = victims_.take(each, wants, ChosenFor::within_queue,
                                           settings_.is_conservative_within_queues);
      if (was_taken && spares) user.used -= amount;
    }
  }

  const CapacityState& state_;
  const PreemptionSettings& settings_;
  const PartitionIndex partition_;
  const QueueIndex leaf_;
  Victims& victims_;
  LeafBalance figures_;
  std::map<UserId, std::size_t> users_;
};

}  // namespace

void select_within_queues(const CapacityState& state, const Balances& balances,
                          const std::vector<std::vector<std::size_t>>& under_served,
                          Victims& victims) {
  const PreemptionSettings& settings = state.configuration().preemption;
  std::vector<WithinSelection> selections;
  for (PartitionIndex p = 0; p < balances.size(); ++p) {
    for (const std::size_t index : under_served[p]) {
      const auto leaf = static_cast<QueueIndex>(index);
      const RunningQueue& queue = state.tree()[leaf];
      if (queue.leaf == nullptr) continue;
      if (state.tree().configured(leaf).is_intra_queue_preemption_disabled) continue;
      if (queue.uses[p].used_share < settings.least_used_within_queues) continue;
      selections.emplace_back(state, p, leaf, balances[p][index], victims).balance();
    }
  }
  for (WithinSelection& each : selections) each.select();
}

}  // namespace tracebed
