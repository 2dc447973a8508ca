// How long an ask waits for the nodes and racks that it prefers (FSAppAttempt.getAllowedLocality-
// Level and …ByTime): it takes nodes only, then racks too, then anything; each level lasts for a
// number of offers, a part of the cluster's nodes, or with continuous scheduling for a time.
#pragma once

#include <cstdint>

#include "core/time.h"

namespace tracebed {

class LocalityDelay {
 public:
  enum class Level : std::uint8_t { node, rack, off_switch };

  // Counts an offer, whatever its outcome.
  void count_offer() { ++offers_; }

  // The level at which the offer just counted may be taken. The thresholds are parts of `nodes`, at
  // most all of them; negative: no delay. A level ends with the first offer beyond its threshold,
  // and counting restarts.
  Level by_offers(std::size_t nodes, double node_threshold, double rack_threshold);
  // Likewise by time since the level began, or, for the first, since it was first asked for.
  Level by_time(TraceTime now, Duration node_delay, Duration rack_delay);

  // Something was taken at `level`: if that is better than the allowed level, the ask waits for it
  // again.
  void placed_at(Level level);

  Level level() const { return level_; }
  std::uint32_t offers() const { return offers_; }
  // When this level began, if time counts.
  TraceTime since() const { return since_; }

 private:
  void relax();

  bool has_begun_ = false;
  Level level_ = Level::node;
  std::uint32_t offers_ = 0;
  TraceTime since_{};
};

}  // namespace tracebed
