#include "agents/agent/coordinator_monitor.h"

#include <fmt/format.h>

namespace tracebed::agent {

std::string CoordinatorMonitor::trouble_text(LinkState link) const {
  switch (link) {
    case LinkState::unreachable:
      return fmt::format("cannot reach the coordinator at {}; retrying every second", coordinator_);
    case LinkState::handshake_failed:
      if (!has_keys_) {
        return fmt::format(
            "no Tracebed coordinator without keys answers at {}; retrying every second",
            coordinator_);
      }
      return fmt::format(
          "the coordinator at {} does not accept this agent's key, or keys.coordinator is not its "
          "key; retrying every second",
          coordinator_);
    case LinkState::connected:
      return fmt::format(
          "the coordinator at {} is connected but does not answer; retrying at least every 8 s",
          coordinator_);
  }
  TRACEBED_CHECK(false, "a link is in one of the known states");
}

std::optional<CoordinatorMonitor::Line> CoordinatorMonitor::look(SteadyTime now, bool is_welcome,
                                                                 bool waits, LinkState link) {
  if (is_welcome) {
    std::optional<Line> line;
    if (told_) {
      const std::chrono::duration<double> away = now - *asks_since_;
      line = {false, fmt::format("registered with {}{} after {:.0f} s", coordinator_,
                                 was_welcome_ ? " again" : "", away.count())};
    } else if (!was_welcome_) {
      line = {false, fmt::format("registered with {}", coordinator_)};
    }
    was_welcome_ = true;
    asks_since_.reset();
    told_.reset();
    return line;
  }
  if (waits) {
    if (!told_) asks_since_.reset();
    return std::nullopt;
  }
  if (!asks_since_) asks_since_ = now;
  if (now - *asks_since_ < trouble_after || told_ == link) return std::nullopt;
  told_ = link;
  return Line{true, trouble_text(link)};
}

}  // namespace tracebed::agent
