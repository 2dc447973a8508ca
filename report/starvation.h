// How long leaf queues lacked what they are entitled to: the time from starvation to share.
//
// A leaf queue starves while it has a pending unit within its share:
//   - an application of it that the scheduler has accepted has an open ask of which a unit is
//     pending (of a gang: all of them, since it starts whole or not at all), and
//   - what the queue's containers have, including those being killed, together with that unit is no
//     more than what the queue is entitled to, in every dimension that limits what is placed and in
//     which any leaf is entitled to anything (YARN's policy "fair" divides only memory).
// What it is entitled to is QueueView::entitled: what Capacity guarantees it, its steady share
// under Fair. The time from starvation to share lasts from when this begins to hold until it no
// longer holds: the queue has its share, as far as whole units fill it, or all that it asked for.
//
// What is reserved for a queue does not count as used, and a queue whose applications are blocked
// by its own limit (YARN's AM limit) starves all the same. Starvation that begins and ends at one
// moment is not counted. If a container ends and another follows on the next heartbeat, the queue
// starves in between, so that most times are short.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/time.h"
#include "report/log_histogram.h"
#include "report/percentiles.h"

namespace tracebed {

struct QueueStarvation {
  std::string queue;   // the leaf's path
  Spread seconds;      // of the times that ended; percentiles within 0.1 %
  double total = 0;    // seconds, with the one that had not ended when the run did
  double unended = 0;  // seconds, of that one; zero if there was none

  bool operator==(const QueueStarvation&) const = default;
};

struct StarvationFigures {
  // Both ends of a time were observed at most this long after they happened: zero if the queues
  // were checked after every round. Shorter times may have been missed.
  double seen_within_seconds = 0;
  std::vector<QueueStarvation> queues;  // those that ever starved, by path

  bool operator==(const StarvationFigures&) const = default;
};

class StarvationMeter {
 public:
  // A leaf, which has not been added before, is known by its position from then on.
  std::size_t add(std::string queue);
  // Whether it starves at `at`, which is not before the last look's.
  void look(std::size_t queue, TraceTime at, bool is_starving) {
    Spell& spell = spells_[queue];
    if (is_starving == spell.is_open) return;
    if (is_starving) {
      spell.began = at;
    } else if (at > spell.began) {
      spell.ended.add(at - spell.began);
      spell.total += at - spell.began;
    }
    spell.is_open = is_starving;
  }
  // The run ended at `at`.
  StarvationFigures figures(TraceTime at, Duration seen_within) const;

 private:
  struct Spell {
    std::string queue;
    bool is_open = false;
    TraceTime began{};
    Duration total{};  // of the ended
    LogHistogram ended;
  };
  std::vector<Spell> spells_;
};

}  // namespace tracebed
