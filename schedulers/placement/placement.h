// Spread, Binpack and Random: three rules for *where*, over one rule for *who is next*.
//
// Sources: the strategies of Docker Swarm ("standalone", scheduler/strategy), which Du et al.,
// section 3.2, call the usual ones of cluster managers; Spark's standalone master and Nomad have
// Spread and Binpack too. Of the nodes that have room for a unit
// - spread takes the one whose resources are used least with it, then with the fewest containers;
// - binpack takes the one whose resources are used most with it, then with the most containers;
// - random takes any, each with the same chance;
// ties go to the smaller node id.
//
// How used a node is, by the setting `share`: nodes_by_use.h. Who is next: unit_placement.h.
//
// Where the input is, by the setting `locality`: `ignore` (as Swarm) ignores it; `prefer` takes the
// best by the rule among the nodes that hold input, then among those in racks that do, then among
// all. In one pass a node that several units prefer counts once for each of them, even if some were
// placed elsewhere meanwhile, since masters adjust their preferences only between passes (as YARN's
// do between heartbeats).
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "core/random.h"
#include "schedulers/placement/nodes_by_use.h"
#include "schedulers/placement/unit_placement.h"

namespace tracebed {

struct PlacementSettings {
  enum class Rule : std::uint8_t { spread, binpack, random };
  enum class Locality : std::uint8_t { ignore, prefer };
  Rule rule = Rule::spread;
  UsedShare share = UsedShare::sum;
  Locality locality = Locality::ignore;
  std::uint64_t seed = 1;
};

class PlacementScheduler final : public UnitPlacement {
 public:
  explicit PlacementScheduler(const PlacementSettings& settings);

 private:
  void begin_call(const SchedulerInput&) override { placed_at_input_.clear(); }
  void node_changed(const ClusterModel& cluster, NodeId node) override;
  void begin_ask(const PlacedAsk&, std::uint32_t) override { nodes_.restart(); }
  NodeId choose(const PlacedAsk& placed) override;
  std::uint32_t units_at_once(const PlacedAsk& placed, NodeId node,
                              std::uint32_t left) const override;

  NodeId choose_any(const Resources& demand, NodeId avoided);
  NodeId choose_at_input(const PlacedAsk& placed);
  NodeId choose_in_racks(const PlacedAsk& placed);
  NodeId best_of_candidates(const Resources& demand);

  PlacementSettings settings_;
  // Searches for the units of an ask go on where the last one ended: before that node none had
  // room, and since then room only shrank. A node that was taken comes after it (spread) or has no
  // room left (binpack, which fills it, unless it prefers places; then the search starts again).
  NodesByUse nodes_;
  Random random_;
  std::vector<NodeId> candidates_;
  // Units of an ask placed on a node in this pass because its input is there.
  std::map<std::pair<AskId, NodeId>, std::uint32_t> placed_at_input_;
};

}  // namespace tracebed
