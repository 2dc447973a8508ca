// The applications of a leaf all of whose open asks are bound to the places that they name
// (relaxLocality=false). Most nodes do not concern them, so those that named a node are found
// without visiting the others.
#pragma once

#include <map>
#include <vector>

#include "schedulers/parts/demand_census.h"
#include "schedulers/yarn/capacity/running_application.h"

namespace tracebed {

// Inserts an application by rank, or removes it; it must be in the line then.
void enter_line(std::vector<RunningApplication*>& line, RunningApplication& application);
void leave_line(std::vector<RunningApplication*>& line, RunningApplication& application);

// How many such asks, of all leaves, name a node or its rack.
class StrictPlaces {
 public:
  void add_ask(const OpenAsk& ask) { count(ask, 1); }
  void remove_ask(const OpenAsk& ask) { count(ask, -1); }
  bool are_named(const Node& node) const {
    return at(nodes_, node.id.index()) > 0 || at(racks_, node.rack.index()) > 0;
  }

 private:
  using Counts = std::vector<std::int32_t>;
  static std::int32_t at(const Counts& counts, std::size_t place) {
    return place < counts.size() ? counts[place] : 0;
  }
  static void count(Counts& counts, std::size_t place, std::int32_t change);
  void count(const OpenAsk& ask, std::int32_t change);

  Counts nodes_;
  Counts racks_;
};

class StrictLine {
 public:
  // Adds or removes an ask that is bound to its places (OpenAsk::strict_nodes, strict_racks) and
  // has pending units. Its application need not be in the line.
  void add_ask(OpenAsk& ask);
  void remove_ask(OpenAsk& ask);

  void enter(RunningApplication& application) { enter_line(applications_, application); }
  void leave(RunningApplication& application) { leave_line(applications_, application); }

  bool empty() const { return applications_.empty(); }
  // All of them, in the order of their turns.
  const std::vector<RunningApplication*>& all() const { return applications_; }
  // Asks that named the node, or its rack, in no order; places without further pending units stay.
  // Null: none did.
  const std::vector<OpenAsk*>* at(NodeId node) const { return find(by_node_, node); }
  const std::vector<OpenAsk*>* at(RackId rack) const { return find(by_rack_, rack); }
  // In each dimension at least what any such ask of the leaf demands.
  const Resources& largest_demand() const;

 private:
  template <class Place>
  using Places = std::map<Place, std::vector<OpenAsk*>>;
  template <class Place>
  static const std::vector<OpenAsk*>* find(const Places<Place>& places, Place place) {
    const auto found = places.find(place);
    return found == places.end() ? nullptr : &found->second;
  }

  std::vector<RunningApplication*> applications_;
  Places<NodeId> by_node_;
  Places<RackId> by_rack_;
  std::map<Resources, std::uint32_t, DemandOrder> demands_;
  mutable Resources largest_;
  mutable bool is_largest_known_ = true;
};

}  // namespace tracebed
