// Ctrl-C, SIGTERM, and SIGHUP of a terminal that was closed. The first asks the run to end in
// order, so that its folder is valid; the second to clean up and leave; a third ends the process
// where it stands. A daemon that has no terminal may be asked by SIGHUP to read its files again.
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

  // How many have come since this was made.
  int count() const;
  // The first of them, as of signal.h; 0 before it.
  int first() const;
  // Returns when the first has come.
  void wait() const;
  // True when the first has come; false if none has within `timeout`.
  bool wait_for(std::chrono::milliseconds timeout) const;
  // Whether it was asked to reload since the last question.
  bool take_reload();
};

}  // namespace tracebed
