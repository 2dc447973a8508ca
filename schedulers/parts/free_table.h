// A scheduler's own count of what is free on each node: the model's figure less what this call has
// proposed so far. The model does not change during a call, so a scheduler that places several
// units in one call has to count for itself.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "core/scheduler.h"
#include "schedulers/parts/node_set.h"

namespace tracebed {

class FreeTable {
 public:
  // To be called first in every decide(): processes what happened since the last one, including
  // refused proposals. Returns the nodes whose count may have changed, possibly repeated.
  //
  // Every change of a node's free resources other than a commit of our own proposals comes with an
  // event that names the node, except a gang's refusal, which names one piece of several; so after
  // any refusal, all nodes that were proposed in the previous call are counted again.
  //
  // `others` are the nodes that changed without an event, as those where another scheduler of the
  // same cluster placed something.
  std::span<const NodeId> follow(const SchedulerInput& input, std::span<const NodeId> others = {});

  // A closed node counts as one that is not alive, from the next follow() that names it on.
  void set_closed(NodeId node, bool is_closed);

  // True if a decision was refused among the events of the last follow().
  bool was_refused() const { return was_refused_; }

  // Counts a proposal of `units` units of `demand`, which is that of one container or of a part of
  // a gang, or takes it back within the same call.
  void take(NodeId node, const Resources& demand, std::int64_t units = 1);
  void take(const Resources& demand, std::span<const GangPiece> pieces);
  // Counts a gang placed on the nodes in id order: each takes as many units as it has room for, so
  // a gang spans nodes and splits them as needed. Fills `pieces`, ascending by node, and returns
  // true, or counts nothing and returns false if there is no room for all units at once. Nothing is
  // placed on the node `avoided`, if it is valid.
  bool take_gang(const Resources& demand, std::uint32_t units, std::vector<GangPiece>& pieces,
                 NodeId avoided = NodeId());
  void give_back(NodeId node, const Resources& demand, std::int64_t units = 1);

  std::size_t nodes() const { return free_.size(); }
  // Nothing is free on a node that is not alive. As Node::free it may be less than nothing; what
  // has room is for has_room() and units_on() to say.
  const Resources& free(NodeId node) const { return free_[node.index()]; }
  // True if `demand` fits `times` times into what is free on the node.
  bool has_room(NodeId node, const Resources& demand, std::int64_t times = 1) const {
    return limits_.fits(demand, free_[node.index()], times) &&
           (devices_.empty() || devices_[node.index()].units(demand) >= times);
  }
  // True if one unit would have room if `victims` were gone, as far as its devices go: what is free
  // in sum is for the caller to compare.
  bool devices_have_room(const ClusterModel& cluster, NodeId node, const Resources& demand,
                         std::span<const ContainerId> victims = {}) const;
  // How often it fits there; without limit if it is for nothing that is limited.
  std::int64_t units_on(NodeId node, const Resources& demand) const {
    const std::int64_t units = limits_.count(demand, free_[node.index()]);
    return devices_.empty() ? units : std::min(units, devices_[node.index()].units(demand));
  }
  // True if it fits `times` times into the sum of all nodes, whatever is free on each.
  bool total_has_room(const Resources& demand, std::int64_t times = 1) const {
    return limits_.fits(demand, total_, times);
  }
  const LimitedDimensions& limits() const { return limits_; }
  bool is_alive(NodeId node) const { return alive_.contains(node); }
  // Sum over alive nodes, and closed ones.
  const Resources& total() const { return total_; }

  // Calls visit(node) for the nodes that have room for `demand`, in id order, until it returns
  // true. `visit` may take from the node it is called with, and from no other.
  template <class Visitor>
  void visit_with_room(const Resources& demand, Visitor&& visit) const {
    std::array<const NodeSet*, Resources::dimensions_max + 1> sets{&alive_};
    std::size_t count = 1;
    for (std::size_t d = 0; d < Resources::dimensions_max; ++d) {
      if (demand[d] > 0 && limits_.is_limited(d)) sets[count++] = &has_some_[d];
    }
    NodeSet::visit_all(std::span<const NodeSet* const>(sets.data(), count),
                       [&](NodeId node) { return has_room(node, demand) && visit(node); });
  }

  // True if it agrees with the model, as it must after follow().
  bool agrees_with(const ClusterModel& cluster) const;

 private:
  // What a node's devices were before the proposals of this call, and these.
  struct Proposals {
    struct Taken {
      Resources demand;
      std::int64_t units = 0;
    };
    FreeDevices before;
    std::vector<Taken> taken;
  };

  void grow(std::size_t nodes);
  void count(const Node& node);
  // Brings the node's membership in the first `dimensions` sets up to date.
  void mark(NodeId node, const Resources& free, std::size_t dimensions) {
    // Whether a node has cores left changes all the time and cannot be predicted; of the other
    // dimensions something is usually left.
    static_assert(Resources::vcores_dimension == 0);
    has_some_[0].set(node, free[0] > 0);
    for (std::size_t d = 1; d < dimensions; ++d) {
      const bool has_some = free[d] > 0;
      if (has_some_[d].contains(node) != has_some) [[unlikely]]
        has_some_[d].set(node, has_some);
    }
  }
  void take_from(NodeId node, const Resources& demand, std::int64_t units);
  void take_devices(NodeId node, const Resources& demand, std::int64_t units);
  void give_devices_back(NodeId node, const Resources& demand, std::int64_t units);

  LimitedDimensions limits_;     // the model's
  std::vector<Resources> free_;  // by node
  // By node, where resources are devices; empty where none are. They are taken in the order of the
  // proposals, as the engine will take them.
  std::vector<FreeDevices> devices_;
  std::map<NodeId, Proposals> device_proposals_;  // of this call
  NodeSet alive_;
  NodeSet closed_;
  // By dimension: the nodes with something free in it.
  std::array<NodeSet, Resources::dimensions_max> has_some_;
  Resources total_;
  std::vector<NodeId> proposed_;  // in this call, or before follow() in the last one
  std::vector<NodeId> changed_;
  bool was_refused_ = false;
};

}  // namespace tracebed
