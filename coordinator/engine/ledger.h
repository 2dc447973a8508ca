// The ledger: the one place where the cluster model changes, by verbs. Each change checks that no
// node is given more than its capacity, in the dimensions that are limited (invariant 1); verify()
// recomputes everything from the containers alone.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/application_master.h"
#include "core/cluster_model.h"
#include "core/decisions.h"
#include "core/machines.h"
#include "core/names.h"
#include "core/workload.h"

namespace tracebed {

class Ledger {
 public:
  explicit Ledger(LimitedDimensions limits = LimitedDimensions::all()) { model_.limits = limits; }

  const ClusterModel& model() const { return model_; }

  // ---- nodes ----

  // Makes the node alive with the machine's capacity, all of it free. Lower ids that were not seen
  // yet denote nodes that are not alive. Returns false, changing nothing, if the node is present
  // already, or withheld.
  bool add_node(NodeId id, const Machine& machine);
  // The node, which must be present and hold no container, leaves. It remains withheld if it was.
  void remove_node(NodeId id);
  // The node takes no new containers until it is restored, even if it leaves and returns. What runs
  // on it continues.
  void withhold_node(NodeId id);
  // Returns true if it takes containers from now on, since its machine is alive.
  bool restore_node(NodeId id);
  const NameTable<RackId>& racks() const { return racks_; }  // of nodes
  // NodeReport; with nothing allocated and used, of a node that has joined.
  void set_report(NodeId id, const Resources& used, std::int32_t io_pressure, TraceTime now) {
    Node& node = model_.nodes[id.index()];
    node.report = {used, io_pressure, node.capacity - node.free, now};
  }

  // ---- applications ----

  // Opens an application without asks or containers for the job, and returns its id.
  ApplicationId open_application(const Job& job, TraceTime now);
  // Application::master_demand.
  void set_master_demand(ApplicationId id, const Resources& demand) {
    model_.applications[id].master_demand = demand;
  }
  // ClusterModel::inputs, once for an application.
  void set_input(ApplicationId id, InputBlocks blocks) {
    model_.inputs.emplace(id, std::move(blocks));
  }
  void set_leaf(ApplicationId id, LeafId leaf) { model_.applications[id].leaf = leaf; }
  // Its asks are closed. Its containers remain until they are released.
  void close_application(ApplicationId id) {
    ++changes_;
    model_.applications.erase(id);
    model_.inputs.erase(id);
  }

  // ---- asks ----

  // Opens the application's ask, or replaces the figures of an open one, whose priority and kind do
  // not change. `demand` is of one unit, as the scheduler normalised it. The avoided node is set by
  // avoid().
  AskId open_ask(ApplicationId id, const SetAsk& figures, const Resources& demand);
  void change_ask(AskId id, const SetAsk& figures, const Resources& demand);
  // The ask needs `units` more.
  void raise_ask(AskId id, std::uint32_t units) { model_.asks[id].pending += units; }
  // It avoids the node; invalid: none.
  void avoid(AskId id, NodeId node) { model_.asks[id].avoided = node; }
  // Takes one off the preferred count at each of the places, which must have been stated.
  void lower_preferences(AskId id, std::span<const NodeId> nodes, std::span<const RackId> racks);
  void close_ask(AskId id);

  // ---- containers ----

  // Takes the pieces' units of an open ask on nodes that have room for them, and stops the run if
  // one has not. The containers, one for each piece, have consecutive ids; returns the first.
  ContainerId allocate(AskId ask, std::span<const GangPiece> pieces, TraceTime now);
  // A task or the application's master is launched in the container, or tasks of a gang in several.
  // Once for a container.
  void launch_task(ContainerId id, Locality locality);
  void launch_gang(ContainerId first, std::size_t containers);
  void launch_master(ContainerId id);
  void mark_as_being_killed(ContainerId id) { model_.containers[id].is_being_killed = true; }
  // Frees what containers of one application hold, which have consecutive ids; they cease to exist.
  void release(ContainerId first, std::size_t containers);

  // ---- what fits ----

  // How many units of `demand` all known nodes, alive or not, could hold together if they were
  // empty.
  std::int64_t units_that_ever_fit(const Resources& demand) const;
  // True if some known node could hold `demand` if it were empty, and in no dimension it is more
  // than the largest has: YARN refuses such requests by the largest node, whatever limits placement
  // (ClusterNodeTracker.getMaxAllowedAllocation).
  bool ever_fits(const Resources& demand) const;

  // Nodes that opened or closed, or of which containers took or freed something, since the last
  // call; some several times. Kept only where resources are devices.
  std::vector<NodeId> take_changed_nodes() { return std::exchange(changed_nodes_, {}); }

  // Recomputes every derived figure from the containers and compares. Stops the run on a
  // difference.
  void verify() const;
  // Grows with each change of what verify() looks at: what is unchanged needs no second look.
  std::uint64_t changes() const { return changes_; }

 private:
  // How many known nodes have each capacity: machines are bought in batches, so there are few
  // kinds.
  struct NodeKind {
    Resources capacity;
    std::int64_t nodes = 0;
  };

  void count_kind(const Resources& capacity, std::int64_t change);
  void take_devices(Node& node, ContainerId container, const Resources& demand, std::int64_t units);
  void give_devices_back(Node& node, ContainerId container);
  void verify_devices() const;
  void note_change(NodeId node) {
    if (!model_.limits.devices().empty()) changed_nodes_.push_back(node);
  }
  // The sum over the node's containers.
  Resources used_on(NodeId id) const;
  void open(Node& node);
  void close(Node& node);

  ClusterModel model_;
  NameTable<RackId> racks_;
  std::vector<NodeKind> kinds_;
  std::vector<bool> was_seen_;  // by node
  std::vector<NodeId> changed_nodes_;
  std::uint64_t changes_ = 0;
};

}  // namespace tracebed
