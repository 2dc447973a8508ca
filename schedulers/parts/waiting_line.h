// The open asks with pending units, in the order of submission. The scheduler chooses what is kept
// about their demands (parts/demand_census.h).
#pragma once

#include <cstdint>
#include <limits>
#include <map>

#include "core/check.h"
#include "core/scheduler.h"
#include "core/visit.h"
#include "schedulers/parts/demand_census.h"

namespace tracebed {

template <class Demands>
class WaitingLine {
 public:
  struct Entry {
    std::uint32_t remaining = 0;  // pending in the model less what this call has proposed
    typename Demands::Kind kind{};
  };
  using Iterator = typename std::map<LineKey, Entry>::iterator;

  // To be called first in every decide(): processes what happened since the last one.
  void follow(const SchedulerInput& input) {
    for (const SchedulerEvent& event : input.events) see(input.cluster, event);
  }
  // The same for one event, for a scheduler that iterates over them itself.
  void see(const ClusterModel& cluster, const SchedulerEvent& event) {
    visit_all(
        event, [&](const OneOf<AskChanged, Refused> auto& of) { update(cluster, of.ask); },
        [&](const AskRemoved& removed) { remove(removed.application, removed.ask); },
        Ignore<NodeAdded, NodeRemoved, NodeUpdated, ApplicationAdded, ApplicationRemoved,
               ContainerFinished, ContainerRecovered, PreemptionSettled, PreemptionDue, Tick,
               DecisionMade>{});
  }

  bool empty() const { return entries_.empty(); }
  Iterator begin() { return entries_.begin(); }
  Iterator end() { return entries_.end(); }
  Iterator find(const LineKey& key) { return entries_.find(key); }
  // The first ask of the application, or what follows if it has none in the line.
  Iterator first_of(ApplicationId application) {
    return entries_.lower_bound(
        {application, std::numeric_limits<std::int32_t>::min(), AskId(std::uint32_t{0})});
  }
  // The first ask of the next application after `application`.
  Iterator after(ApplicationId application) {
    return entries_.upper_bound({application, std::numeric_limits<std::int32_t>::max(), AskId()});
  }

  // Counts proposed units. An ask without further units leaves the line; the next one is returned.
  Iterator take(Iterator entry, std::uint32_t units) {
    TRACEBED_CHECK(units <= entry->second.remaining, "no more units are placed than are wanted");
    entry->second.remaining -= units;
    return entry->second.remaining == 0 ? remove(entry) : std::next(entry);
  }
  // Takes an ask out, wherever it is, until it is put in again.
  Iterator remove(Iterator entry) {
    demands_.leave(entry->second.kind, entry->first);
    return entries_.erase(entry);
  }
  // Puts the ask in, or brings its count up to date; takes it out if no units are pending.
  void update(const ClusterModel& cluster, AskId id) {
    // An ask that is already removed has its AskRemoved among the same events.
    const Ask* ask = id.is_valid() ? cluster.asks.find(id) : nullptr;
    if (ask == nullptr) return;
    if (ask->pending == 0) return remove(ask->application, id);
    const LineKey key{ask->application, ask->priority, id};
    const bool is_last = entries_.empty() || entries_.rbegin()->first < key;
    const Iterator place = is_last ? entries_.end() : entries_.lower_bound(key);
    if (is_last || place->first != key) {
      entries_.emplace_hint(place, key, Entry{ask->pending, demands_.join(ask->demand, key)});
      return;
    }
    Entry& entry = place->second;
    entry.remaining = ask->pending;
    if (!Demands::has_demand(entry.kind, ask->demand)) {
      demands_.leave(entry.kind, key);
      entry.kind = demands_.join(ask->demand, key);
    }
  }

  const Demands& demands() const { return demands_; }

 private:
  void remove(ApplicationId application, AskId ask) {
    // An application has a handful of asks.
    Iterator entry = first_of(application);
    for (; entry != entries_.end() && entry->first.application == application; ++entry) {
      if (entry->first.ask != ask) continue;
      remove(entry);
      return;
    }
  }

  std::map<LineKey, Entry> entries_;
  Demands demands_;
};

}  // namespace tracebed
