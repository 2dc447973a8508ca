// The ledger: the one place where the cluster model changes. Each change checks that no node is
// given more than its capacity (invariant 1); verify() recomputes everything from the containers
// alone.
#pragma once

#include <optional>

#include "core/cluster_model.h"
#include "core/machines.h"
#include "core/names.h"

namespace tracebed {

class Ledger {
 public:
  const ClusterModel& model() const { return model_; }
  ClusterModel& model() { return model_; }

  // Makes the node alive with the machine's capacity, all of it free. Ids below a new one that were
  // not seen yet stand for nodes that are not alive. Returns false, changing nothing, if the node
  // is alive already.
  bool add_node(NodeId id, const Machine& machine);
  // The node, which must be alive and hold no container, leaves.
  void remove_node(NodeId id);

  // Who gets containers: an open ask with its application. Good while both are open.
  struct Taker {
    AskId id;
    Ask& ask;
    Application& application;
  };
  Taker taker(AskId ask) {
    Ask& figures = model_.asks[ask];
    return {ask, figures, model_.applications[figures.application]};
  }
  struct Allocated {
    ContainerId id;
    Container& container;
  };
  // Takes `units` on a node that has room for them, and stops the run if it has not.
  Allocated allocate(const Taker& taker, NodeId node, std::uint32_t units, TraceTime now);
  // Gives back what the container, one of the model's, holds; it is gone then.
  void release(ContainerId id, const Container& container);

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
};

}  // namespace tracebed
