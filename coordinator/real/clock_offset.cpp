#include "coordinator/real/clock_offset.h"

#include <algorithm>
#include <fmt/format.h>

namespace tracebed {
namespace {

constexpr std::chrono::milliseconds offset_warned{100};

// Sums of four stamps up to here keep to 64 bits; it is the year 2116.
constexpr wire::WallTime stamp_max{std::chrono::nanoseconds(std::int64_t{1} << 62)};

}  // namespace

void ClockOffset::add_stamp(wire::WallTime stamp, wire::WallTime returned) {
  if (stamp < stamp_max) first_stamp_ = stamp - returned;
}

void ClockOffset::add(const wire::Heartbeat& heartbeat, wire::WallTime returned, Moment now) {
  if (!heartbeat.echo) return;
  const wire::WallTime sent = heartbeat.echo->sent;
  const wire::WallTime received = heartbeat.echo->received;
  const wire::WallTime answered = heartbeat.wall_clock;
  if (std::max({sent, received, answered, returned}) >= stamp_max) return;
  const Nanoseconds round_trip = (returned - sent) - (answered - received);
  // A clock was set between two of the stamps, or they are made up.
  if (round_trip < Nanoseconds(0) || returned < sent) return;
  const Sample sample{((received - sent) + (answered - returned)) / 2, round_trip / 2};
  if (now >= window_ends_) {
    before_ = latest_;
    latest_.reset();
    window_ends_ = now + window;
  }
  const Sample* const believed = best();
  const bool was_set = believed != nullptr && std::chrono::abs(sample.ahead - believed->ahead) >
                                                  sample.uncertainty + believed->uncertainty;
  if (was_set) before_.reset();
  if (was_set || !latest_ || sample.uncertainty < latest_->uncertainty) latest_ = sample;
}

const ClockOffset::Sample* ClockOffset::best() const {
  if (!before_ || !latest_) return before_ ? &*before_ : latest_ ? &*latest_ : nullptr;
  return before_->uncertainty < latest_->uncertainty ? &*before_ : &*latest_;
}

ClockOffset::Nanoseconds ClockOffset::ahead() const {
  if (const Sample* const sample = best()) return sample->ahead;
  return first_stamp_.value_or(Nanoseconds(0));
}

std::optional<ClockOffset::Nanoseconds> ClockOffset::uncertainty() const {
  const Sample* const sample = best();
  return sample == nullptr ? std::nullopt : std::optional(sample->uncertainty);
}

std::optional<std::string> ClockWarnings::look(const std::string& agent, const ClockOffset& clock) {
  const auto uncertainty = clock.uncertainty();
  if (!uncertainty) return std::nullopt;
  const auto ahead = clock.ahead();
  const auto off = std::chrono::abs(ahead);
  if (off - *uncertainty < offset_warned) {
    if (off + *uncertainty < offset_warned) warned_ahead_.reset();
    return std::nullopt;
  }
  if (warned_ahead_ && std::chrono::abs(ahead - *warned_ahead_) - *uncertainty < offset_warned)
    return std::nullopt;
  warned_ahead_ = ahead;
  return fmt::format(
      "the clock of agent {} is {:.3f} s {} the coordinator's; its timestamps are corrected, but "
      "synchronise the clocks",
      agent, static_cast<double>(off.count()) / 1e9, ahead.count() > 0 ? "ahead of" : "behind");
}

}  // namespace tracebed
