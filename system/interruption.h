// Ctrl-C, SIGTERM, and SIGHUP of a terminal that was closed. The first ends the run in order, so
// that its folder is valid; the second cleans up and leaves; a third ends the process at once. In a
// daemon without a terminal, SIGHUP may mean to read its files again.
#pragma once

#include <chrono>

namespace tracebed {

class Interruption {
 public:
  enum class Hangup { interrupts, asks_to_reload };

  // Catches them while it lives; an interrupting SIGHUP only if it was not ignored (nohup). One at
  // a time.
  explicit Interruption(Hangup hangup = Hangup::interrupts);
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  // The number of signals since this was made.
  int count() const;
  // The first of them, as of signal.h; 0 before it.
  int first() const;
  // Returns when the first signal has arrived.
  void wait() const;
  // True when the first has arrived; false if none has within `timeout`.
  bool wait_for(std::chrono::milliseconds timeout) const;
  // Whether a reload was requested since the last call.
  bool take_reload();
};

}  // namespace tracebed
