// How far the wall clock of another machine is ahead of ours, from the stamps of messages that go
// there and back, as NTP does it (RFC 5905, section 8): the answer's two stamps lie between our
// two, so that half of the round trip bounds the error, however unequal the two ways are.
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

  // A stamp of the other's that nothing of ours preceded, as in a Hello, and the time at which we
  // had it. It looks too old by as long as it was under way, so it counts until a round trip does.
  void add_stamp(wire::WallTime stamp, wire::WallTime returned);
  // A heartbeat that came at `returned` by our wall clock, at `now` by the one that is never set.
  // Does nothing if the heartbeat has no echo, or one that cannot be.
  void add(const wire::Heartbeat& heartbeat, wire::WallTime returned, Moment now);

  // Zero while nothing is known. Positive: the other clock is ahead.
  Nanoseconds ahead() const;
  // ahead() is right to this, plus and minus; nothing before the first round trip.
  std::optional<Nanoseconds> uncertainty() const;

 private:
  struct Sample {
    Nanoseconds ahead{};
    Nanoseconds uncertainty{};
  };

  // The quickest round trip of the latest two windows counts: a busy machine keeps messages waiting
  // for seconds on end. A clock that drifts is believed after two windows at the latest; one that
  // was set, at once.
  static constexpr std::chrono::seconds window{20};

  const Sample* best() const;

  std::optional<Nanoseconds> first_stamp_;
  std::optional<Sample> before_;
  std::optional<Sample> latest_;
  Moment window_ends_{};
};

// What the user should know of an agent's clock; nothing while it may be right to a tenth of a
// second.
std::optional<std::string> clock_warning(const std::string& agent, const ClockOffset& clock);

}  // namespace tracebed
