// Where a job's completion time went.
//
// A job's time from submission to end is cut along its critical chain of attempts, walked
// backwards: the chain ends with the last attempt that succeeded before the job ended; before an
// attempt comes the last one of the same job whose end was reported when that attempt's task began
// to wait (the report that caused its ask, as far as the job's own attempts show). Before an
// attempt that was launched held, such as a reduce before the last map, comes the last one reported
// when its work began: its own launch overlapped and cost the job no time. Each piece of time
// belongs to exactly one part, so the parts add up to the completion time to the microsecond:
//
//   launch      allocated → started, of the chain's successful attempts that were not held
//   work        their nominal duration, and of others what their successors begin with
//   contention  (work begun → ended) − nominal; negative if a task ended sooner than nominal
//   heartbeat   ended → reported
//   lost        allocated → reported of attempts on the chain that did not succeed, less what was
//               kept
//   waiting     the rest: from submission or from the report that came before, to the allocation
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/ids.h"
#include "core/paged_table.h"
#include "core/records.h"
#include "core/time.h"

namespace tracebed {

enum class JctPart : std::uint8_t { launch, heartbeat, contention, lost, work, waiting };
inline constexpr std::size_t jct_part_count = static_cast<std::size_t>(JctPart::waiting) + 1;
std::string_view name(JctPart part);

// Indexed by JctPart.
using JctParts = std::array<Duration, jct_part_count>;

constexpr Duration& part_of(JctParts& parts, JctPart part) {
  return parts[static_cast<std::size_t>(part)];
}
constexpr Duration part_of(const JctParts& parts, JctPart part) {
  return parts[static_cast<std::size_t>(part)];
}

// When the attempt's work began: with its process, or later if it was held.
inline TraceTime work_begun(const AttemptRecord& record) {
  return std::max(record.account.started, record.work_begun);
}

// How long the attempt, which did not succeed, worked on what was kept of it.
inline Duration kept_time(const AttemptRecord& record) {
  constexpr std::int64_t whole = whole_work;
  const Duration kept = record.nominal / whole * record.account.progress +
                        record.nominal % whole * record.account.progress / whole;
  const Duration ran = record.account.ended - work_begun(record);
  return std::max(Duration::zero(), std::min(kept, ran));
}

// What the chain needs to know of a launched attempt. In a list, ordered by `reported`.
struct AttemptTimes {
  TraceTime asked{};
  TraceTime allocated{};
  TraceTime started{};
  TraceTime work_begun{};  // later than `started` if it was held
  TraceTime ended{};
  TraceTime reported{};
  Duration nominal{};
  bool succeeded = false;
  Duration kept{};  // of one that did not succeed: the time whose work its successor begins with
};

// `attempts` are those of one job, in the order of their reports.
JctParts jct_parts(TraceTime submitted, TraceTime finished,
                   const std::vector<AttemptTimes>& attempts);

// What is known of a job's attempts when it ends.
struct EndedAttempts {
  JctParts parts{};
  std::uint32_t ended = 0;  // launched
  std::uint32_t lost = 0;   // of these, not succeeded
};

// Keeps the attempts of jobs that have not ended, and drops those of ended ones.
class OpenAttempts {
 public:
  void attempt_ended(const AttemptRecord& record);
  // Its attempts are forgotten, and later ones of it ignored.
  EndedAttempts job_ended(const JobRecord& record);
  // Jobs of which attempts are kept.
  std::size_t size() const { return open_.size(); }

 private:
  PagedTable<ApplicationId, std::vector<AttemptTimes>> open_;
  std::vector<std::vector<AttemptTimes>> spare_;  // emptied lists, kept for their memory
  std::vector<bool> ended_;                       // by application
};

}  // namespace tracebed
