// How many units an ask may have on a node as far as places go, in one call of the scheduler: none
// on the node that it avoids; if its places are binding, what is named there less what this call
// has placed. The model's counts of preferred places do not change until the call is over.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "core/cluster_model.h"

namespace tracebed {

class AllowedPlaces {
 public:
  static bool is_choosy(const Ask& ask) { return !ask.relax_locality || ask.avoided.is_valid(); }

  // To be called first in every decide().
  void clear() {
    in_racks_.clear();
    on_nodes_.clear();
  }
  // At most `wanted`.
  std::uint32_t units(AskId id, const Ask& ask, const Node& node, std::uint32_t wanted) const;
  void placed(AskId id, const Ask& ask, const Node& node, std::uint32_t units);

 private:
  // Of asks that do not relax their locality.
  std::map<std::pair<AskId, RackId>, std::uint32_t> in_racks_;
  std::map<std::pair<AskId, NodeId>, std::uint32_t> on_nodes_;
};

}  // namespace tracebed
