// When a roster's peer was last heard from: the moment, which is shown, and the same by the clock
// that counts as silence only the time in which somebody listened. Nothing but a message moves the
// first.
#pragma once

#include <algorithm>
#include <chrono>

#include "coordinator/real/roster_intervals.h"
#include "system/listening_clock.h"

namespace tracebed {

class LastContact {
 public:
  // A message was read now.
  void note(const ListeningClock& listening) {
    at_ = std::chrono::steady_clock::now();
    heard_ = listening.now();
  }
  // The last message that a run has read, which had the socket.
  void note_of_run(WallMoment at) { at_ = at; }
  // The run has given the socket back. Whoever was silent in it stays so, and whoever was there has
  // the time to say Hello: those that a run does not answer do so every eight seconds.
  void begin_again(const ListeningClock& listening) {
    const WallDuration silence = std::chrono::steady_clock::now() - at_;
    heard_ = listening.now() - std::min(silence, roster_silence_max - roster_return_time);
  }

  WallMoment at() const { return at_; }
  bool is_silent_for(WallDuration duration, const ListeningClock& listening) const {
    return listening.now() >= heard_ + duration;
  }

 private:
  WallMoment at_{};
  WallMoment heard_{};  // by the listening clock
};

}  // namespace tracebed
