// The figures that a round of preemption begins with.
#include <algorithm>

#include "schedulers/yarn/capacity/preemption_round.h"

namespace tracebed {
namespace {

struct Pending {
  Resources all;
  Resources less_reserved;
};

// Of one leaf: what its active applications want and their users' limits allow
// (AbstractLeafQueue.getTotalPendingResourcesConsideringUserLimit).
class LeafPending {
 public:
  LeafPending(const CapacityState& state, QueueIndex leaf, PartitionIndex partition,
              const std::map<ApplicationId, Resources>& reserved, const Resources& room)
      : state_(state),
        leaf_(leaf),
        partition_(partition),
        calculator_(state.configuration().calculator),
        reserved_(reserved),
        room_(room) {}

  Pending sum() {
    for (const ApplicationId id : state_.leaf(leaf_).active) add(*state_.application(id));
    return sum_;
  }

 private:
  struct Left {
    Resources all;
    Resources less_reserved;
  };

  void add(const RunningApplication& application) {
    if (application.wanted.size() <= partition_ || application.wanted[partition_] == 0) return;
    const auto [found, is_new] = left_.try_emplace(application.user);
    Left& left = found->second;
    if (is_new) {
      left.all = left.less_reserved = positive_part(state_.limit_of_user(application, partition_) -
                                                    application.leaf_user->uses[partition_].used);
    }
    Resources pending;
    for (const OpenAsk* ask : application.asks) {
      if (ask->partition == partition_ && !ask->is_gang) pending += ask->demand * ask->wanted;
    }
    const auto reserved = reserved_.find(application.id);
    const Resources unreserved =
        reserved == reserved_.end() ? pending : positive_part(pending - reserved->second);
    take(pending, left.all, sum_.all);
    take(unreserved, left.less_reserved, sum_.less_reserved);
    for (const OpenAsk* ask : application.asks) {
      if (ask->partition == partition_ && ask->is_gang) add_gang(*ask, left);
    }
  }

  static void take(const Resources& pending, Resources& left, Resources& sum) {
    const Resources within = component_minimum(left, pending);
    left -= within;
    sum += within;
  }

  void add_gang(const OpenAsk& ask, Left& left) {
    const Resources whole = ask.demand * ask.wanted;
    if (!calculator_.fits(whole, left.all) || !calculator_.fits(sum_.all + whole, room_)) return;
    for (const auto& [sum, rest] :
         {std::pair(&sum_.all, &left.all), std::pair(&sum_.less_reserved, &left.less_reserved)}) {
      *sum += whole;
      *rest = positive_part(*rest - whole);
    }
  }

  const CapacityState& state_;
  const QueueIndex leaf_;
  const PartitionIndex partition_;
  const ResourceCalculator calculator_;
  const std::map<ApplicationId, Resources>& reserved_;
  const Resources& room_;  // what the queue can be given
  std::map<UserId, Left> left_;
  Pending sum_;
};

std::map<ApplicationId, Resources> reserved_in(const CapacityState& state,
                                               PartitionIndex partition) {
  std::map<ApplicationId, Resources> reserved;
  if (state.reservations() == 0) return reserved;
  for (std::size_t i = 0; i < state.reservable_nodes(); ++i) {
    const Reservation* reservation = state.reservation(NodeId(i));
    if (reservation == nullptr || state.partitions().of(NodeId(i)) != partition) continue;
    reserved[reservation->application] += reservation->resources;
  }
  return reserved;
}

}  // namespace

std::vector<QueueBalance> balances_of(const CapacityState& state, PartitionIndex partition,
                                      bool goes_beyond_guarantee) {
  const QueueTree& tree = state.tree();
  const auto reserved = reserved_in(state, partition);
  const bool is_shared =
      state.settings().shared_labels.contains(state.partitions().label(partition));
  std::vector<QueueBalance> balances(tree.size());
  for (auto i = static_cast<QueueIndex>(tree.size()); i-- > 0;) {
    const CapacityQueue& configured = tree.configured(i);
    const QueueUse& use = tree[i].uses[partition];
    QueueBalance& balance = balances[i];
    balance.guaranteed = use.figures.guaranteed;
    balance.absolute_capacity = use.figures.absolute_capacity;
    balance.maximum = is_shared ? state.partitions().resources(partition) : use.figures.maximum;
    balance.used = use.used;
    balance.is_disabled = configured.is_preemption_disabled;
    balance.children = configured.children;
    if (tree[i].leaf != nullptr && use.wanted > 0) {
      const Resources& most = goes_beyond_guarantee ? balance.maximum : balance.guaranteed;
      const Resources room = positive_part(most - balance.used);
      const Pending pending = LeafPending(state, i, partition, reserved, room).sum();
      balance.pending = pending.all;
      balance.pending_less_reserved = pending.less_reserved;
    }
    if (tree.is_root(i)) break;
    const QueueIndex parent = tree.parent(i);
    balances[parent].pending += balance.pending;
    balances[parent].pending_less_reserved += balance.pending_less_reserved;
    if (tree.configured(parent).queue_order == CapacityQueue::QueueOrder::priority_utilization) {
      balance.priority = configured.priority;
    }
  }
  return balances;
}

}  // namespace tracebed
