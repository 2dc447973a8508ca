// Data block density (DBD): units of an ask go to the nodes that hold the blocks of its job's
// input, in proportion to how many (block_density.h); units for which none of those nodes has room
// go, as all units of asks without input do, to the least used node (Spread, nodes_by_use.h). Who
// is next: unit_placement.h. Reduces and masters read no input.
//
// Deviations, each on purpose:
// - [dbd-continued] The paper decides once, when a job is submitted, about all of its pods. Here an
//   ask that does not fit as a whole gets what fits (`partial`) and is continued as nodes become
//   free, or waits until all of its units fit (`gang`).
#pragma once

#include <map>
#include <vector>

#include "schedulers/locality/block_density.h"
#include "schedulers/placement/nodes_by_use.h"
#include "schedulers/placement/unit_placement.h"

namespace tracebed {

struct DensitySettings {
  enum class ShortOfRoom : std::uint8_t { partial, gang };
  DensityOptions density;
  ShortOfRoom short_of_room = ShortOfRoom::partial;
};

class DensityScheduler final : public UnitPlacement {
 public:
  explicit DensityScheduler(const DensitySettings& settings) : settings_(settings) {}

  bool reads_input_blocks() const override { return true; }

 private:
  void begin_call(const SchedulerInput& input) override;
  void node_changed(const ClusterModel& cluster, NodeId node) override;
  void begin_ask(const PlacedAsk& placed, std::uint32_t wanted) override;
  NodeId choose(const PlacedAsk& placed) override;
  std::uint32_t units_at_once(const PlacedAsk&, NodeId, std::uint32_t) const override {
    return units_;
  }
  void end_ask(const PlacedAsk& placed, std::uint32_t units) override;
  bool is_choosy(const Ask& ask) const override;

  // Nodes that have room for units of the ask, at most `wanted` each.
  void find_rooms(const PlacedAsk& placed, std::uint32_t wanted);
  bool has_room_for_all(std::uint32_t wanted) const;
  BlockDensity& density_of(const PlacedAsk& placed, const InputBlocks& input);
  std::vector<NodeScore> figures_of_plan() const;

  DensitySettings settings_;
  NodesByUse nodes_{NodeOrder::least_used, UsedShare::sum};
  AllowedPlaces allowed_;
  std::map<AskId, BlockDensity> densities_;

  // ---- of the ask at hand ----
  std::vector<BlockDensity::Room> rooms_;
  std::vector<BlockDensity::Visit> plan_;
  std::uint64_t plan_blocks_ = 0;
  std::size_t next_ = 0;     // in plan_
  std::uint32_t units_ = 1;  // for the node that was chosen last
  bool waits_ = false;       // for more room
};

}  // namespace tracebed
