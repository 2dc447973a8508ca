// Spread, Binpack and Random: three rules for *where*, over one rule for *who is next*.
//
// Sources: the strategies of Docker Swarm ("standalone", scheduler/strategy), which Du et al.,
// section 3.2, call the usual ones of cluster managers; Spark's standalone master and Nomad have
// Spread and Binpack too. Of the nodes that have room for a unit
// - spread takes the one whose resources are used least, then with the fewest containers;
// - binpack takes the one whose resources are used most, then with the most containers;
// - random takes any, each with the same chance;
// ties go to the smaller node id.
//
// How used a node is, by the setting `share`: `sum` adds the used shares of all dimensions, which
// for vcores and memory is Swarm's weight; `dominant` takes the largest one. Shares are counted in
// units of 2^-60, rounded down: `dominant` is then exact for capacities up to 2^30, `sum` exact
// between nodes of the same capacity and right to 2^-57 otherwise. Swarm rounds to whole percents
// and adds the demand before it ranks; we rank current use, so that an order of the nodes can be
// kept. Between nodes of the same capacity this is the same order.
//
// Who is next: a pass is made whenever something happened that could help. It goes through the asks
// by application id, priority and age; what does not fit is skipped, so nothing blocks the line,
// and a large ask waits until smaller ones leave enough room. Of a gang, unit after unit is placed
// by the same rule; it is taken if all units found room, else nothing of it.
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
#include "core/scheduler.h"
#include "schedulers/parts/free_table.h"
#include "schedulers/parts/ranked_nodes.h"
#include "schedulers/parts/waiting_line.h"

namespace tracebed {

struct PlacementSettings {
  enum class Rule : std::uint8_t { spread, binpack, random };
  enum class Share : std::uint8_t { sum, dominant };
  enum class Locality : std::uint8_t { ignore, prefer };
  Rule rule = Rule::spread;
  Share share = Share::sum;
  Locality locality = Locality::ignore;
  std::uint64_t seed = 1;
};

class PlacementScheduler final : public Scheduler {
 public:
  explicit PlacementScheduler(const PlacementSettings& settings);

  void decide(const SchedulerInput& input, Decisions& decisions) override;
  // It places at the event that makes room, so heartbeats change nothing; but what was refused is
  // tried again at the next event, and there may be no other.
  HeartbeatInterest heartbeat_interest() const override {
    return {.any = free_.was_refused(), .minimum = {}};
  }

 private:
  void follow_nodes(const SchedulerInput& input);
  void pass(const ClusterModel& cluster, Decisions& decisions);
  struct Outcome {
    std::uint32_t placed = 0;
    bool has_room = true;  // false: no node has room for a unit of this demand
  };
  Outcome place(const ClusterModel& cluster, AskId id, std::uint32_t wanted, Decisions& decisions);
  Outcome place_units(const ClusterModel& cluster, AskId id, const Ask& ask, std::uint32_t wanted,
                      Decisions& decisions);
  Outcome place_gang(const ClusterModel& cluster, AskId id, const Ask& ask, std::uint32_t wanted,
                     Decisions& decisions);

  // The node that the rule takes for one unit; none if it fits nowhere. `from` is the rank of the
  // ordered rules' last choice for the same ask, or the least rank: before it no node had room, and
  // since then room only shrank, so the search continues there. A node that was taken comes after
  // it (spread) or has no room left (binpack, which fills it, unless it prefers places; then the
  // search starts again).
  NodeId choose(const ClusterModel& cluster, AskId id, const Ask& ask, NodeRank& from);
  NodeId choose_any(const Resources& demand, NodeId avoided, NodeRank& from);
  NodeId choose_at_input(AskId id, const Ask& ask);
  NodeId choose_in_racks(const ClusterModel& cluster, const Ask& ask);
  NodeId best_of_candidates();

  // How many units of the ask go to the chosen node before the rule is applied again.
  std::uint32_t units_at_once(const Ask& ask, NodeId node, std::uint32_t wanted) const;

  void take(const ClusterModel& cluster, NodeId node, const Resources& amount,
            std::uint32_t containers);
  void give_back(const ClusterModel& cluster, const GangPiece& piece, const Resources& demand);
  NodeRank rank_of(const ClusterModel& cluster, NodeId node) const;

  PlacementSettings settings_;
  Random random_;
  FreeTable free_;
  std::vector<std::uint32_t> containers_;  // by node, including proposed ones
  RankedNodes ranked_;
  WaitingLine<DemandList> line_;

  std::vector<LineKey> turns_;  // a heap: the next ask of each kind of demand
  std::vector<NodeId> candidates_;
  std::vector<GangPiece> pieces_;
  // Units of an ask placed on a node in this pass because its input is there.
  std::map<std::pair<AskId, NodeId>, std::uint32_t> placed_at_input_;
};

}  // namespace tracebed
