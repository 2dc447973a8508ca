#include "schedulers/yarn/capacity/strict_line.h"

#include <algorithm>

#include "core/check.h"
#include "schedulers/parts/component_maximum.h"

namespace tracebed {
namespace {

auto place_in(std::vector<RunningApplication*>& line, const ApplicationRank& rank) {
  return std::lower_bound(line.begin(), line.end(), rank,
                          [](const RunningApplication* each, const ApplicationRank& other) {
                            return each->rank < other;
                          });
}

template <class Places, class Place>
void remove_from(Places& places, const Place& place, OpenAsk* ask) {
  const auto found = places.find(place);
  TRACEBED_CHECK(found != places.end(), "an ask stands at the places that it named");
  std::erase(found->second, ask);
  if (found->second.empty()) places.erase(found);
}

}  // namespace

void enter_line(std::vector<RunningApplication*>& line, RunningApplication& application) {
  line.insert(place_in(line, application.rank), &application);
}

void leave_line(std::vector<RunningApplication*>& line, RunningApplication& application) {
  const auto place = place_in(line, application.rank);
  TRACEBED_CHECK(place != line.end() && *place == &application,
                 "an application that wants something stands in its leaf's line");
  line.erase(place);
}

void StrictPlaces::count(Counts& counts, std::size_t place, std::int32_t change) {
  if (counts.size() <= place) counts.resize(place + 1);
  counts[place] += change;
}

void StrictPlaces::count(const OpenAsk& ask, std::int32_t change) {
  for (const NodeId node : ask.strict_nodes) count(nodes_, node.index(), change);
  for (const RackId rack : ask.strict_racks) count(racks_, rack.index(), change);
}

void StrictLine::add_ask(OpenAsk& ask) {
  for (const NodeId node : ask.strict_nodes) by_node_[node].push_back(&ask);
  for (const RackId rack : ask.strict_racks) by_rack_[rack].push_back(&ask);
  ++demands_[ask.demand];
  is_largest_known_ = false;
}

void StrictLine::remove_ask(OpenAsk& ask) {
  for (const NodeId node : ask.strict_nodes) remove_from(by_node_, node, &ask);
  for (const RackId rack : ask.strict_racks) remove_from(by_rack_, rack, &ask);
  const auto demand = demands_.find(ask.demand);
  TRACEBED_CHECK(demand != demands_.end(), "a listed ask's demand is counted");
  if (--demand->second == 0) demands_.erase(demand);
  is_largest_known_ = false;
}

const Resources& StrictLine::largest_demand() const {
  if (is_largest_known_) return largest_;
  largest_ = Resources();
  for (const auto& [demand, asks] : demands_) largest_ = component_maximum(largest_, demand);
  is_largest_known_ = true;
  return largest_;
}

}  // namespace tracebed
