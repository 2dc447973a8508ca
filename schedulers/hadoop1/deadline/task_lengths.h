// How long tasks take, from those that have ended: what schedulers with deadlines estimate by. A
// task's length is that of its container, from the allocation to the report of its end. Attempts
// that did not succeed say nothing of it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "schedulers/hadoop1/slot_jobs.h"

namespace tracebed {

// A sum of times of all tasks of a run, in microseconds.
__extension__ using TimeSum = __int128;

// Lengths of tasks of one kind.
struct EndedTasks {
  std::int64_t tasks = 0;
  TimeSum total = 0;

  std::optional<Duration> mean() const {
    if (tasks == 0) return std::nullopt;
    return Duration(static_cast<std::int64_t>(total / tasks));
  }
};

class TaskLengths {
 public:
  // To be called once in every decide(), with what SlotJobs::follow() returned.
  void follow(const SchedulerInput& input, const SlotJobs& jobs, const SlotJobs::Changes& changes);
  // Of which it knows more since then, possibly repeated.
  std::span<const ApplicationId> changed() const { return changed_; }

  // From now on `of` knows what has ended so far for other jobs of the same users.
  void publish();

  // What a task of the job takes, or will: by the job's own tasks, or else by those of its user's
  // jobs as they were published; none if none has ended.
  std::optional<Duration> of(const SlotJob& job, SlotKind kind) const;
  // Microseconds that the job's running tasks have run by `now`, summed up; at most `length` for
  // each of them.
  double done(const SlotJob& job, SlotKind kind, TraceTime now, Duration length) const;

 private:
  struct Running {
    ApplicationId application;
    SlotKind kind = SlotKind::map;
    std::int64_t units = 1;
    TraceTime allocated{};
  };
  struct Tasks {
    PerKind<EndedTasks> ended;
    PerKind<std::int64_t> running;
    PerKind<TimeSum> starts;  // Σ over them of when they were allocated
  };

  void see_new(const ClusterModel& cluster, const SlotJobs& jobs);
  void end(const SlotJobs::Ended& ended, const SlotJobs& jobs, TraceTime now);

  ContainerId next_{0u};  // those below are known, or were gone before they were seen
  TraceTime last_call_{};
  std::map<ContainerId, Running> running_;
  std::map<ApplicationId, Tasks> jobs_;
  std::map<UserId, PerKind<EndedTasks>> users_;
  std::map<UserId, PerKind<EndedTasks>> published_;
  std::set<UserId> unpublished_;  // users of whom more is known
  std::vector<ApplicationId> changed_;
};

}  // namespace tracebed
