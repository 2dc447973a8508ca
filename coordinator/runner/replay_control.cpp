#include "coordinator/runner/replay_control.h"

#include <fmt/format.h>

#include "coordinator/resolving/scheduler_files.h"

namespace tracebed {
ReplayControl::ReplayControl(const Surroundings& surroundings) : surroundings_(surroundings) {
  const ResolvedController& controller = surroundings_.controller;
  loop_.emplace(
      surroundings_.engine, make_controller(controller), controller.loop, controller.share,
      [this](std::int64_t share) { return configuration_of(share); },
      [this](const ControlChange& change) { note(change); });
}

Result<SchedulerConfiguration> ReplayControl::configuration_of(std::int64_t share) {
  return surroundings_.changes.tune(
      surroundings_.controller.loop.queue, share, [&](ResolvedScheduler& changed) {
        rewritten_ = keep_rewritten_file(changed, changed.entry->master_share->setting,
                                         surroundings_.folder);
      });
}

void ReplayControl::note(const ControlChange& change) {
  ControlRow row;
  row.input = change.input;
  row.due = change.due;
  row.queue = surroundings_.controller.loop.queue;
  row.parameter = surroundings_.controller.parameter;
  row.before = change.before;
  row.wanted = change.wanted;
  row.outcome = change.outcome;
  row.reason = change.reason;
  ++outcomes_[static_cast<std::size_t>(row.outcome)];
  surroundings_.writer.add_control(row);
}

void ReplayControl::finish() {
  loop_->stop();
  if (rewritten_) surroundings_.writer.vouch(*rewritten_);
}

std::vector<NamedCount> ReplayControl::counters() const {
  std::vector<NamedCount> named;
  for (const ControlOutcome outcome :
       {ControlOutcome::taken, ControlOutcome::refused, ControlOutcome::dropped}) {
    named.emplace_back(fmt::format("control_changes_{}", name(outcome)),
                       outcomes_[static_cast<std::size_t>(outcome)]);
  }
  return named;
}

}  // namespace tracebed
