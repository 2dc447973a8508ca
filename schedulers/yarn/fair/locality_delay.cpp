#include "schedulers/yarn/fair/locality_delay.h"

#include <algorithm>

namespace tracebed {

LocalityDelay::Level LocalityDelay::by_offers(std::size_t nodes, double node_threshold,
                                              double rack_threshold) {
  if (node_threshold < 0 || rack_threshold < 0) return Level::off_switch;
  if (!has_begun_) {
    has_begun_ = true;
    return level_;
  }
  if (level_ == Level::off_switch) return level_;
  const double threshold = std::min(level_ == Level::node ? node_threshold : rack_threshold, 1.0);
  if (static_cast<double>(offers_) > static_cast<double>(nodes) * threshold) {
    relax();
    offers_ = 0;
  }
  return level_;
}

LocalityDelay::Level LocalityDelay::by_time(TraceTime now, Duration node_delay,
                                            Duration rack_delay) {
  if (node_delay < Duration::zero() || rack_delay < Duration::zero()) return Level::off_switch;
  if (!has_begun_) {
    has_begun_ = true;
    since_ = now;
    return level_;
  }
  if (level_ == Level::off_switch) return level_;
  if (now - since_ > (level_ == Level::node ? node_delay : rack_delay)) {
    relax();
    offers_ = 0;
    since_ = now;
  }
  return level_;
}

void LocalityDelay::placed_at(Level level) {
  if (has_begun_ && level < level_) level_ = level;
}

void LocalityDelay::relax() {
  level_ = level_ == Level::node ? Level::rack : Level::off_switch;
}

}  // namespace tracebed
