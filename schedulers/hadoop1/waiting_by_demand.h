// What waits, in an order, filed by what it demands: what has no room on a node is passed over by
// whole demands instead of one by one. One may wait with several demands; it is visited if any of
// them has room. A change costs a logarithm for each demand that it concerns; a visit a step for
// each demand without room of which something comes before what is visited.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "schedulers/hadoop1/slot_jobs.h"
#include "schedulers/parts/demand_census.h"

namespace tracebed {

// What the job's waiting tasks of the kind demand: ascending in the order of DemandOrder, each
// once.
std::vector<Resources> waiting_demands(const SlotJob& job, SlotKind kind);

// `Key` is the place in the order, another one for each `Id`.
template <class Id, class Key>
class WaitingByDemand {
 public:
  WaitingByDemand() = default;
  WaitingByDemand(const WaitingByDemand&) = delete;  // it has iterators into itself
  WaitingByDemand& operator=(const WaitingByDemand&) = delete;

  // It waits there with these demands: ascending, each once, and at least one.
  void set(Id id, const Key& key, std::span<const Resources> demands);
  void remove(Id id);

  bool empty() const { return records_.empty(); }
  // The first of all; it is not empty.
  const Key& first() const { return *(*fronts_.begin())->second.begin(); }
  // Ascending.
  std::vector<Resources> demands() const;
  // All, in order: a logarithm for each.
  std::set<Key> keys() const;

  // Calls visit(key) in order for all for which has_room(demand) is true for one of their demands,
  // until it returns true, and returns whether it did. A visit that returns true may change this.
  template <class HasRoom, class Visit>
  bool visit_with_room(HasRoom&& has_room, Visit&& visit) const;

 private:
  // None is empty.
  using Classes = std::map<Resources, std::set<Key>, DemandOrder>;
  using Class = typename Classes::iterator;
  struct FrontOrder {
    bool operator()(Class a, Class b) const {
      const Key& first = *a->second.begin();
      const Key& second = *b->second.begin();
      if (first != second) return first < second;
      return DemandOrder()(a->first, b->first);
    }
  };
  struct Record {
    Key key;
    std::vector<Class> classes;  // ascending
  };

  Class enter(const Resources& demand, const Key& key);
  void leave(Class of_demand, const Key& key);

  Classes classes_;
  std::set<Class, FrontOrder> fronts_;  // all classes, by the first of each
  std::map<Id, Record> records_;
};

template <class Id, class Key>
void WaitingByDemand<Id, Key>::set(Id id, const Key& key, std::span<const Resources> demands) {
  const auto place = records_.try_emplace(id, Record{key, {}}).first;
  Record& record = place->second;
  const bool has_moved = record.key != key;
  const bool is_same = std::equal(
      record.classes.begin(), record.classes.end(), demands.begin(), demands.end(),
      [](Class of_demand, const Resources& demand) { return of_demand->first == demand; });
  if (!has_moved && is_same) return;
  std::vector<Class> classes;
  auto old = record.classes.begin();
  const auto leave_old = [&] { leave(*old++, record.key); };
  for (const Resources& demand : demands) {
    while (old != record.classes.end() && DemandOrder()((*old)->first, demand)) leave_old();
    const bool was_there = old != record.classes.end() && (*old)->first == demand;
    if (was_there && !has_moved) {
      classes.push_back(*old++);
      continue;
    }
    classes.push_back(enter(demand, key));
    if (was_there) leave_old();
  }
  while (old != record.classes.end()) leave_old();
  record = {key, std::move(classes)};
}

template <class Id, class Key>
void WaitingByDemand<Id, Key>::remove(Id id) {
  const auto found = records_.find(id);
  if (found == records_.end()) return;
  for (const Class of_demand : found->second.classes) leave(of_demand, found->second.key);
  records_.erase(found);
}

template <class Id, class Key>
auto WaitingByDemand<Id, Key>::enter(const Resources& demand, const Key& key) -> Class {
  const auto [of_demand, is_new] = classes_.try_emplace(demand);
  const bool becomes_first = is_new || key < *of_demand->second.begin();
  if (becomes_first && !is_new) fronts_.erase(of_demand);
  of_demand->second.insert(key);
  if (becomes_first) fronts_.insert(of_demand);
  return of_demand;
}

template <class Id, class Key>
void WaitingByDemand<Id, Key>::leave(Class of_demand, const Key& key) {
  const bool was_first = *of_demand->second.begin() == key;
  if (was_first) fronts_.erase(of_demand);
  of_demand->second.erase(key);
  if (of_demand->second.empty()) {
    classes_.erase(of_demand);
  } else if (was_first) {
    fronts_.insert(of_demand);
  }
}

template <class Id, class Key>
std::vector<Resources> WaitingByDemand<Id, Key>::demands() const {
  std::vector<Resources> all;
  all.reserve(classes_.size());
  for (const auto& [demand, keys] : classes_) all.push_back(demand);
  return all;
}

template <class Id, class Key>
std::set<Key> WaitingByDemand<Id, Key>::keys() const {
  std::set<Key> all;
  for (const auto& [id, record] : records_) all.insert(record.key);
  return all;
}

template <class Id, class Key>
template <class HasRoom, class Visit>
bool WaitingByDemand<Id, Key>::visit_with_room(HasRoom&& has_room, Visit&& visit) const {
  struct Rest {
    typename std::set<Key>::const_iterator next;
    typename std::set<Key>::const_iterator end;
  };
  const auto comes_later = [](const Rest& a, const Rest& b) { return *b.next < *a.next; };
  std::vector<Rest> open;  // a heap of the demands with room, by the next of each
  auto front = fronts_.begin();
  const Key* visited = nullptr;
  for (;;) {
    for (; front != fronts_.end(); ++front) {
      const std::set<Key>& keys = (*front)->second;
      if (!open.empty() && *open.front().next < *keys.begin()) break;
      if (!has_room((*front)->first)) continue;
      open.push_back({keys.begin(), keys.end()});
      std::push_heap(open.begin(), open.end(), comes_later);
    }
    if (open.empty()) return false;
    std::pop_heap(open.begin(), open.end(), comes_later);
    Rest& rest = open.back();
    // Who waits with several demands comes once for each of them.
    const bool is_another = visited == nullptr || *visited != *rest.next;
    if (is_another && visit(*rest.next)) return true;
    visited = &*rest.next;
    if (++rest.next == rest.end) {
      open.pop_back();
    } else {
      std::push_heap(open.begin(), open.end(), comes_later);
    }
  }
}

}  // namespace tracebed
