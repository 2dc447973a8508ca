#include "report/starvation.h"

#include <algorithm>
#include <utility>

namespace tracebed {

std::size_t StarvationMeter::add(std::string queue) {
  spells_.push_back({.queue = std::move(queue), .ended = {}});
  return spells_.size() - 1;
}

StarvationFigures StarvationMeter::figures(TraceTime at, Duration seen_within) const {
  StarvationFigures figures;
  figures.seen_within_seconds = to_seconds(seen_within);
  for (const Spell& spell : spells_) {
    if (!spell.is_open && spell.ended.count() == 0) continue;
    QueueStarvation queue{.queue = spell.queue, .seconds = spell.ended.spread()};
    queue.unended = spell.is_open ? to_seconds(at - spell.began) : 0;
    queue.total = to_seconds(spell.total) + queue.unended;
    figures.queues.push_back(std::move(queue));
  }
  std::sort(figures.queues.begin(), figures.queues.end(),
            [](const QueueStarvation& a, const QueueStarvation& b) { return a.queue < b.queue; });
  return figures;
}

}  // namespace tracebed
