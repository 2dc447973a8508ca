#include "coordinator/real/replay_clock.h"

#include <cmath>
#include <fmt/format.h>

#include "core/check.h"

namespace tracebed {

namespace {

constexpr double nanoseconds_per_microsecond = 1'000;
// Wall times beyond this are as good as never: a century.
constexpr double nanoseconds_max = 3.2e18;

}  // namespace

ReplayClock::ReplayClock(double time_scale) : time_scale_(time_scale) {
  TRACEBED_CHECK(std::isfinite(time_scale) && time_scale > 0, "a time scale is positive");
}

void ReplayClock::start() {
  TRACEBED_CHECK(!is_started_, "a replay starts once");
  started_ = std::chrono::steady_clock::now();
  is_started_ = true;
}

TraceTime ReplayClock::at(WallMoment moment) const {
  if (!is_started_ || moment <= started_) return TraceTime();
  return TraceTime(to_trace(moment - started_));
}

WallMoment ReplayClock::moment_of(TraceTime time) const {
  const double nanoseconds =
      static_cast<double>(to_microseconds(time)) * nanoseconds_per_microsecond / time_scale_;
  const WallMoment start = is_started_ ? started_ : std::chrono::steady_clock::now();
  if (nanoseconds >= nanoseconds_max) return WallMoment::max();
  return start + WallDuration(static_cast<std::int64_t>(std::ceil(nanoseconds)));
}

Duration ReplayClock::to_trace(WallDuration duration) const {
  return Duration(static_cast<std::int64_t>(std::floor(static_cast<double>(duration.count()) *
                                                       time_scale_ / nanoseconds_per_microsecond)));
}

WallDuration ReplayClock::to_wall(Duration duration) const {
  const double nanoseconds =
      static_cast<double>(duration.count()) * nanoseconds_per_microsecond / time_scale_;
  return WallDuration(static_cast<std::int64_t>(std::ceil(std::min(nanoseconds, nanoseconds_max))));
}

std::string short_interval_warning(const std::string& name, Duration interval,
                                   const ReplayClock& clock) {
  const WallDuration wall = clock.to_wall(interval);
  if (interval == Duration::zero() || wall >= dependable_interval) return {};
  return fmt::format(
      "{} of {:g} s of trace time is {:.3g} ms of wall time at time scale {:g}; below {} ms "
      "machines "
      "cannot keep it exactly",
      name, to_seconds(interval), static_cast<double>(wall.count()) / 1e6, clock.time_scale(),
      std::chrono::duration_cast<std::chrono::milliseconds>(dependable_interval).count());
}

}  // namespace tracebed
