// The ledger: the one place where the cluster model changes. Each change checks that no node is
// given more than its capacity (invariant 1); verify() recomputes everything from the containers
// alone.
#pragma once

#include <optional>
#include <span>

#include "core/cluster_model.h"
#include "core/decisions.h"
#include "core/machines.h"
#include "core/names.h"

namespace tracebed {

class Ledger {
 public:
  const ClusterModel& model() const { return model_; }
  ClusterModel& model() { return model_; }

  // Makes the node alive with the machine's capacity, all of it free. Ids below a new one that were
  // not seen yet stand for nodes that are not alive. Returns false, changing nothing, if the node
  // is present already, or withheld.
  bool add_node(NodeId id, const Machine& machine);
  // The node, which must be present and hold no container, leaves. It stays withheld if it was.
  void remove_node(NodeId id);
  // The node takes no new containers, nor does it when it comes back, until it is restored. What
  // runs on it stays.
  void withhold_node(NodeId id);
  // Returns true if it takes containers from now on, since its machine is there.
  bool restore_node(NodeId id);

  // Who gets containers: an open ask, by its application's number for it. Good while both are open.
  struct AllocationTarget {
    AskId id;
    std::uint32_t slot;
    Ask& ask;
    Application& application;
  };
  AllocationTarget taker(AskId ask, std::uint32_t slot) {
    Ask& figures = model_.asks[ask];
    return {ask, slot, figures, model_.applications[figures.application]};
  }
  // Takes the pieces' units on nodes that have room for them, and stops the run if one has not. The
  // containers, one for each piece, have ids that follow each other; returns the first.
  ContainerId allocate(const AllocationTarget& taker, std::span<const GangPiece> pieces,
                       TraceTime now);
  // Gives back what containers of one application hold, which have ids that follow each other; they
  // are gone then.
  void release(ContainerId first, std::size_t containers);

  // How many units of `demand` all known nodes, alive or not, could hold together if they were
  // empty.
  std::int64_t units_that_ever_fit(const Resources& demand) const;
  // True if some known node could hold `demand` if it were empty.
  bool ever_fits(const Resources& demand) const;

  // Recomputes every derived figure from the containers and compares. Stops the run on a
  // difference.
  void verify() const;

 private:
  ClusterModel model_;
  NameTable<RackId> racks_;
  // How many known nodes have each capacity: machines are bought in batches, so there are few
  // kinds.
  struct NodeKind {
    Resources capacity;
    std::int64_t nodes = 0;
  };
  std::vector<NodeKind> kinds_;
  std::vector<bool> was_seen_;  // by node

  void count_kind(const Resources& capacity, std::int64_t change);
  // Of the node's containers, added up.
  Resources used_on(NodeId id) const;
  void open(Node& node);
  void close(Node& node);
};

}  // namespace tracebed
