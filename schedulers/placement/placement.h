// Spread, Binpack, Random and two of vector bin packing: rules for *where*, over one rule for *who
// is next*.
//
// Sources: the strategies of Docker Swarm ("standalone", scheduler/strategy), which Du et al.,
// section 3.2, call the usual ones of cluster managers; Spark's standalone master and Nomad have
// Spread and Binpack too. Of the nodes that have room for a unit
// - spread takes the one whose resources are used least with it, then with the fewest containers;
// - binpack takes the one whose resources are used most with it, then with the most containers;
// - random takes any, each with the same chance;
// ties go to the smaller node id.
//
// Vector bin packing: R. Panigrahy, K. Talwar, L. Uyeda, U. Wieder, Heuristics for Vector Bin
// Packing, 2011. Of the parts of a node that are free and demanded, with weights of the dimensions,
// - dot_product takes the node with the largest Σ w · demanded · free,
// - l2_norm ("norm-based greedy") the one with the least Σ w · (free − demanded)² (free_space.h).
//
// Deviations, each on purpose:
// - [packing-node-for-item] The paper fills one bin after another, each time with the item that
//   scores best. Here the next unit is given, and the node is chosen by the same score: machines
//   stand open all the time, and who is next is not for a packing to say.
// - [packing-weights] The paper's weights are functions of the average demand of all items, which
//   nobody knows of jobs that are yet to come. Here they are a setting, 1 by default.
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
#include "schedulers/placement/free_space.h"
#include "schedulers/placement/nodes_by_use.h"
#include "schedulers/placement/unit_placement.h"

namespace tracebed {

struct PlacementSettings {
  enum class Rule : std::uint8_t { spread, binpack, random, dot_product, l2_norm };
  enum class Locality : std::uint8_t { ignore, prefer };
  Rule rule = Rule::spread;
  UsedShare share = UsedShare::sum;                  // of spread and binpack
  PackingWeights weights = equal_packing_weights();  // of dot_product and l2_norm
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

  bool packs() const {
    return settings_.rule == PlacementSettings::Rule::dot_product ||
           settings_.rule == PlacementSettings::Rule::l2_norm;
  }
  NodeId choose_any(const Resources& demand, NodeId avoided);
  NodeId choose_at_input(const PlacedAsk& placed);
  NodeId choose_in_racks(const PlacedAsk& placed);
  NodeId best_of_candidates(const Resources& demand);

  PlacementSettings settings_;
  // Searches for the units of an ask go on where the last one ended: before that node none had
  // room, and since then room only shrank. A node that was taken comes after it (spread) or has no
  // room left (binpack, which fills it, unless it prefers places; then the search starts again).
  NodesByUse nodes_;
  FreeSpace space_;  // instead of it where the rule is one of packing
  Random random_;
  std::vector<NodeId> candidates_;
  // Units of an ask placed on a node in this pass because its input is there.
  std::map<std::pair<AskId, NodeId>, std::uint32_t> placed_at_input_;
};

}  // namespace tracebed
