// The offset of another machine's wall clock from ours, from the stamps of messages that go there
// and back, as NTP does it (RFC 5905, section 8): the answer's two stamps lie between our two, so
// half of the round trip bounds the error, however unequal the two ways are.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "protocol/wire_messages.h"

namespace tracebed {

class ClockOffset {
 public:
  using Nanoseconds = std::chrono::nanoseconds;
  using Moment = std::chrono::steady_clock::time_point;

  // A stamp of the other side that is not an answer to ours, as in a Hello, and the time at which
  // we received it. It seems too old by its time under way, so it is used only until the first
  // round trip.
  void add_stamp(wire::WallTime stamp, wire::WallTime returned);
  // A heartbeat received at `returned` by our wall clock, at `now` by the monotonic clock. Ignored
  // if the heartbeat has no echo, or an impossible one.
  void add(const wire::Heartbeat& heartbeat, wire::WallTime returned, Moment now);

  // Zero while nothing is known. Positive: the other clock is ahead.
  Nanoseconds ahead() const;
  // The error of ahead() is at most this; nothing before the first round trip.
  std::optional<Nanoseconds> uncertainty() const;

 private:
  struct Sample {
    Nanoseconds ahead{};
    Nanoseconds uncertainty{};
  };

  // The quickest round trip of the latest two windows counts: a busy machine may delay messages for
  // seconds. A clock that drifts is followed after two windows at the latest; one that was set, at
  // once.
  static constexpr std::chrono::seconds window{20};

  const Sample* best() const;

  std::optional<Nanoseconds> first_stamp_;
  std::optional<Sample> before_;
  std::optional<Sample> latest_;
  Moment window_ends_{};
};

// Warnings about an agent's clock: when it is off by more than a tenth of a second, and again
// whenever its offset has changed by that much since.
class ClockWarnings {
 public:
  // The warning that is due; nothing while the clock may be right, or as it was told.
  std::optional<std::string> look(const std::string& agent, const ClockOffset& clock);

 private:
  std::optional<ClockOffset::Nanoseconds> warned_ahead_;
};

}  // namespace tracebed
