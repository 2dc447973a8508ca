#include "coordinator/recorded/recorded_fleet.h"

namespace tracebed {

void RecordedFleet::execute(std::span<const Command> commands, const HeartbeatInterest&) {
  commands_seen_ += commands.size();
}

void RecordedFleet::wait_until(TraceTime, Round& round) {
  if (rounds_.next(round)) {
    ++rounds_yielded_;
  } else {
    round.clear();
    round.now = never;
  }
}

}  // namespace tracebed
