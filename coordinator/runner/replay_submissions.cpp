#include "coordinator/runner/replay_submissions.h"

namespace tracebed {

ReplaySubmissions::ReplaySubmissions(const TraceWorkload& workload, const ReplayChoice& choice,
                                     Names& names, std::uint64_t trace_seed)
    : jobs_(workload.open(names, trace_seed)) {
  const WorkloadFacts& facts = workload.facts();
  if (choice.mode == ReplayChoice::Mode::think_time) {
    after_thinking_.emplace(*jobs_, names, facts.jobs_of_users, facts.preceding, choice.think_time);
  } else if (choice.mode == ReplayChoice::Mode::trace && !facts.preceding.empty()) {
    after_others_.emplace(*jobs_, facts.preceding);
  }
}

RecordSink* ReplaySubmissions::sink() {
  if (after_thinking_) return &*after_thinking_;
  return after_others_ ? &*after_others_ : nullptr;
}

ReplayResult ReplaySubmissions::play(Engine& engine, Fleet& fleet, RoundLog* log,
                                     const ReplayObserver& observer, const ReplayOptions& options) {
  if (after_thinking_) return replay(engine, fleet, *after_thinking_, log, observer, options);
  if (after_others_) return replay(engine, fleet, *after_others_, log, observer, options);
  return replay(engine, fleet, jobs_.get(), log, observer, options);
}

}  // namespace tracebed
