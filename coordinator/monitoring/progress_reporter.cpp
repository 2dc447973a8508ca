#include "coordinator/monitoring/progress_reporter.h"

#include <utility>

namespace tracebed {
namespace {

// A virtual round is shorter than a look at the clock.
constexpr std::uint64_t virtual_rounds_between_looks = 64;

}  // namespace

ProgressReporter::ProgressReporter(RunObserver& observer, RunProgress at_start,
                                   const RunSampler& sampler, const SnapshotBuilder& snapshots,
                                   RunFolderWriter* writer)
    : observer_(observer),
      progress_(std::move(at_start)),
      sampler_(sampler),
      snapshots_(snapshots),
      writer_(writer),
      rounds_between_looks_(writer == nullptr ? virtual_rounds_between_looks : 1) {}

void ProgressReporter::report(const ReplayProgress& now) {
  next_ = Clock::now() + std::chrono::milliseconds(100);
  progress_.now = now.now;
  progress_.jobs_submitted = now.jobs_submitted;
  progress_.jobs_ended = now.jobs_ended;
  progress_.containers = now.containers;
  const double done_of_this =
      static_cast<double>(now.jobs_ended) / static_cast<double>(progress_.jobs);
  progress_.done = (progress_.replay - 1 + done_of_this) / progress_.replays;
  if (next_ >= next_waiting_) {
    next_waiting_ = next_ + std::chrono::seconds(1);
    progress_.waiting = sampler_.waiting_now(now.now);
  }
  RunRequests* const requests = observer_.requests();
  const bool wants_snapshot = requests != nullptr && requests->wants_snapshot();
  observer_.progressed(progress_);
  if (wants_snapshot) {
    RunSnapshot snapshot = snapshots_.take(now.now);
    snapshot.choices = sampler_.choices();
    requests->shown(std::move(snapshot));
  }
  if (writer_ != nullptr) writer_->flush();
}

}  // namespace tracebed
