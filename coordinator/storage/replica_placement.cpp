#include "coordinator/storage/replica_placement.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "coordinator/storage/target_chooser.h"
#include "core/rack_limit.h"

namespace tracebed {
namespace {

using Scope = DatanodeTopology::Scope;

// What all policies have in common: enough datanodes, stale ones as a last resort, a pipeline.
class OrderedPlacement : public ReplicaPlacement {
 public:
  std::vector<NodeId> choose(const PlacementView& view, const ReplicaRequest& request,
                             Random& random) const final {
    TargetChooser chooser(view, request, random);
    const std::size_t total = chooser.total_max();
    if (total <= request.existing.size()) return {};
    // A replica that is added later counts the first of the others as its writer.
    const bool is_on_datanode = view.topology.rack_of(request.writer).is_valid();
    const NodeId writer =
        !is_on_datanode && !request.existing.empty() ? request.existing.front() : request.writer;
    if (!add_targets(view, chooser, writer, total) && view.options.avoids_stale_for_writes) {
      chooser.set_avoids_stale(false);
      chooser.look_again();
      add_targets(view, chooser, writer, total);
    }
    const auto begin =
        chooser.targets().begin() + static_cast<std::ptrdiff_t>(request.existing.size());
    return pipeline_of(view.topology, writer, {begin, chooser.targets().end()});
  }

 private:
  // False if it could not come to `total` targets.
  virtual bool add_targets(const PlacementView& view, TargetChooser& chooser, NodeId writer,
                           std::size_t total) const = 0;
};

class DefaultPlacement : public OrderedPlacement {
  bool add_targets(const PlacementView& view, TargetChooser& chooser, NodeId writer,
                   std::size_t total) const final {
    chooser.set_rack_max(default_rack_max(total, view.topology.racks()));
    const bool is_new_block = chooser.targets().empty();
    while (chooser.targets().size() < total) {
      if (!add_next(view, chooser, writer, is_new_block)) return false;
    }
    return true;
  }

  virtual bool add_second(TargetChooser& chooser) const {
    return chooser.choose_remote(chooser.targets().front());
  }

  bool add_next(const PlacementView& view, TargetChooser& chooser, NodeId writer,
                bool is_new_block) const {
    const std::vector<NodeId>& targets = chooser.targets();
    switch (targets.size()) {
      case 0:
        return chooser.choose_local(writer);
      case 1:
        return add_second(chooser);
      case 2: {
        const bool are_on_one_rack =
            view.topology.rack_of(targets[0]) == view.topology.rack_of(targets[1]);
        if (are_on_one_rack) return chooser.choose_remote(targets[0]);
        return chooser.choose_near(is_new_block ? targets[1] : writer);
      }
      default:
        return chooser.choose(Scope::any());
    }
  }
};

// The placement that Du's data block density assumes (section 3.2): a replica on a node, one on
// another node of its rack, one on another rack.
class SameRackSecondPlacement final : public DefaultPlacement {
  bool add_second(TargetChooser& chooser) const override {
    return chooser.choose_near(chooser.targets().front());
  }
};

class RackFaultTolerantPlacement final : public OrderedPlacement {
  bool add_targets(const PlacementView& view, TargetChooser& chooser, NodeId writer,
                   std::size_t total) const override {
    const std::size_t racks = view.topology.racks();
    const std::size_t rack_max = fault_tolerant_rack_max(total, racks);
    chooser.set_rack_max(rack_max);
    if (total < racks || total % racks == 0) {
      if (add_up_to(chooser, writer, total)) return true;
    } else {
      // First as many on each rack as all can have, then one more on some.
      chooser.set_rack_max(rack_max - 1);
      if (add_up_to(chooser, writer, evenly(view, chooser, rack_max - 1, total))) {
        chooser.set_rack_max(rack_max);
        chooser.look_again();
        if (add_up_to(chooser, writer, total)) return true;
      }
    }
    // Racks with too few datanodes: the rest as evenly as it goes.
    for (std::size_t most = rack_max + 1; most <= total; ++most) {
      chooser.set_rack_max(most);
      chooser.look_again();
      if (add_up_to(chooser, writer, total)) return true;
    }
    return false;
  }

  // `writer` becomes the first target that it adds.
  static bool add_up_to(TargetChooser& chooser, NodeId& writer, std::size_t total) {
    if (chooser.targets().size() >= total) return true;
    if (!chooser.choose_local(writer)) return false;
    const NodeId first = chooser.targets().back();
    while (chooser.targets().size() < total) {
      if (!chooser.choose(Scope::any())) return false;
    }
    writer = first;
    return true;
  }

  // How many targets there are when each rack has `most`, beside what some have above it.
  static std::size_t evenly(const PlacementView& view, const TargetChooser& chooser,
                            std::size_t most, std::size_t total) {
    std::vector<RackId> racks;
    for (const NodeId target : chooser.targets()) racks.push_back(view.topology.rack_of(target));
    std::sort(racks.begin(), racks.end());
    std::size_t excess = 0;
    for (auto at = racks.begin(); at != racks.end();) {
      const auto end = std::upper_bound(at, racks.end(), *at);
      const auto count = static_cast<std::size_t>(end - at);
      excess += count > most ? count - most : 0;
      at = end;
    }
    return std::min(total, most * view.topology.racks() + excess);
  }
};

template <class Policy>
std::unique_ptr<ReplicaPlacement> make() {
  return std::make_unique<Policy>();
}

struct PolicyEntry {
  std::string_view name;
  std::unique_ptr<ReplicaPlacement> (*make)();
};
constexpr std::array policies{
    PolicyEntry{"default", make<DefaultPlacement>},
    PolicyEntry{"rack_fault_tolerant", make<RackFaultTolerantPlacement>},
    PolicyEntry{"same_rack_second", make<SameRackSecondPlacement>},
};

}  // namespace

Result<std::unique_ptr<ReplicaPlacement>> make_replica_placement(std::string_view name) {
  std::string known;
  for (const PolicyEntry& policy : policies) {
    if (policy.name == name) return policy.make();
    known.append(known.empty() ? "" : ", ").append(policy.name);
  }
  return Error{"expected one of " + known + ", got \"" + std::string(name) + "\""};
}

}  // namespace tracebed
