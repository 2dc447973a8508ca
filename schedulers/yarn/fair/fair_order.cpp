#include "schedulers/yarn/fair/fair_order.h"

#include <algorithm>

#include "schedulers/yarn/fair/master_share.h"
#include "schedulers/yarn/resource_calculator.h"

namespace tracebed {
namespace {

// Puts `member` at its place in the order, takes it out, or moves it.
template <class Member>
void place(StandingOrder<Member>& order, Member& member, bool is_in, const ShareKey& key) {
  if (!is_in) {
    if (member.is_offered) order.erase(member.standing);
    member.is_offered = false;
    return;
  }
  if (!member.is_offered) {
    member.standing = order.insert({key, &member}).first;
    member.is_offered = true;
    return;
  }
  if (member.standing->key == key) return;
  auto node = order.extract(member.standing);
  node.value().key = key;
  member.standing = order.insert(std::move(node)).position;
}

constexpr ResourceCalculator calculator_of(SharePolicy policy) {
  return ResourceCalculator(policy == SharePolicy::drf ? ResourceCalculator::Kind::dominant
                                                       : ResourceCalculator::Kind::memory);
}

double dominant_share(const Resources& amount, const Resources& cluster) {
  double largest = 0;
  for (std::size_t d = 0; d < cluster.dimensions_used(); ++d) {
    if (cluster[d] <= 0) continue;
    largest = std::max(largest, static_cast<double>(amount[d]) / static_cast<double>(cluster[d]));
  }
  return largest;
}

}  // namespace

void FairOrder::charge(LiveApplication& application, const Resources& change) {
  application.usage += change;
  for (LiveQueue* queue = application.leaf; queue != nullptr; queue = queue->parent) {
    queue->usage += change;
  }
}

void FairOrder::refresh(LiveApplication& application) {
  LiveQueue& leaf = *application.leaf;
  const bool wants = std::any_of(application.asks.begin(), application.asks.end(),
                                 [](const LiveAsk& ask) { return ask.remaining > 0; });
  const bool is_offered =
      application.is_runnable && wants && !(application.demand == application.usage);
  count_asks(application, is_offered);
  count_reserving(application, is_offered && could_reserve(application));
  place_application(application, is_offered);
  refresh(leaf);
}

// Who goes over to the other order, or asks for something else first, is taken out in between.
void FairOrder::place_application(LiveApplication& application, bool is_offered) {
  LiveQueue& leaf = *application.leaf;
  const bool waits = is_offered && application.has_master && !application.is_master_running;
  const LineKey as_master{application.id, 0, AskId()};
  if (application.waits_for_master) {
    const bool asks_the_same =
        waits && DemandCensus::has_demand(application.master_kind, next_ask(application)->demand);
    if (!asks_the_same) {
      leaf.wanted_masters.leave(application.master_kind, as_master);
      application.waits_for_master = false;
      place(leaf.offered_masters, application, false, key(application));
    }
  } else if (waits) {
    place(leaf.offered, application, false, key(application));
  }
  if (waits && !application.waits_for_master) {
    application.master_kind = leaf.wanted_masters.join(next_ask(application)->demand, as_master);
    application.waits_for_master = true;
  }
  place(waits ? leaf.offered_masters : leaf.offered, application, is_offered, key(application));
}

ShareKey FairOrder::key(const LiveApplication& application) const {
  static constexpr Resources no_minimum;
  return ShareKey({.demand = application.demand,
                   .usage = application.usage,
                   .minimum = no_minimum,
                   .weight = application.weight,
                   .start = application.start,
                   .name = {},
                   .id = application.id.value()},
                  application.leaf->rules.policy, cluster_);
}

ShareKey FairOrder::key(const LiveQueue& queue) const {
  const bool goes_by_start = settings_.queue_ties_by_submission;
  return ShareKey({.demand = queue.demand,
                   .usage = queue.usage,
                   .minimum = queue.minimum,
                   .weight = queue.rules.weight,
                   .start = goes_by_start ? queue.start : TraceTime{},
                   .name = queue.path,
                   .id = queue.id},
                  queue.parent == nullptr ? queue.rules.policy : queue.parent->rules.policy,
                  cluster_);
}

void FairOrder::refresh(LiveQueue& changed) {
  for (LiveQueue* queue = &changed; queue->parent != nullptr; queue = queue->parent) {
    place(queue->parent->offered_children, *queue, queue->has_offers(), key(*queue));
  }
}

void FairOrder::count_asks(LiveApplication& application, bool is_offered) {
  LiveQueue& leaf = *application.leaf;
  for (LiveAsk& ask : application.asks) {
    const bool counts = is_offered && ask.remaining > 0;
    if (counts && !ask.is_counted) {
      const LineKey key{application.id, ask.priority, ask.id};
      ask.kind = leaf.wanted.join(ask.demand, key);
      ask.kind_of_all = wanted_.join(ask.demand, key);
      ask.is_counted = true;
    } else if (!counts) {
      uncount(application, ask);
    }
  }
}

void FairOrder::uncount(LiveApplication& application, LiveAsk& ask) {
  if (!ask.is_counted) return;
  const LineKey key{application.id, ask.priority, ask.id};
  application.leaf->wanted.leave(ask.kind, key);
  wanted_.leave(ask.kind_of_all, key);
  ask.is_counted = false;
}

bool FairOrder::is_below(const LiveQueue& leaf, const Resources& usage,
                         const Resources& share) const {
  if (leaf.rules.policy != SharePolicy::drf) return usage.memory_mib() < share.memory_mib();
  return dominant_share(usage, cluster_) < dominant_share(share, cluster_);
}

bool FairOrder::is_starved(const LiveApplication& application) const {
  return is_below(*application.leaf, application.usage, application.share);
}

bool FairOrder::is_reservable(const LiveQueue& leaf, const Resources& demand) const {
  const Resources threshold =
      multiply_and_cut(settings_.increment_allocation, settings_.reservation_increments);
  return calculator_of(leaf.rules.policy).compare(demand, threshold, cluster_) >= 0;
}

bool FairOrder::could_reserve(const LiveApplication& application) const {
  return std::any_of(application.asks.begin(), application.asks.end(),
                     [&](const LiveAsk& ask) { return ask.remaining > 0 && ask.is_reservable; }) &&
         is_starved(application);
}

void FairOrder::count_reserving(LiveApplication& application, bool may_reserve) {
  if (application.may_reserve == may_reserve) return;
  application.may_reserve = may_reserve;
  for (LiveQueue* queue = application.leaf; queue != nullptr; queue = queue->parent) {
    queue->reserving += may_reserve ? 1 : -1;
  }
}

}  // namespace tracebed
