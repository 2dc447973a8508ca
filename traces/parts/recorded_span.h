// When a trace recorded that a job ran, beside the work that a reader makes of it: what a replay on
// an unlimited, ideal cluster is compared with (traces/span_comparison.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "core/time.h"

namespace tracebed {

struct RecordedSpan {
  // From the first recorded start of its work to the last recorded end. Waiting for machines before
  // the first start is no part of it; waiting between the two is.
  Duration length{};
  // Stages whose tasks have times of their own, and those of them whose tasks did not all run at
  // once: more tasks than ran at a time, so they came in waves. In an ideal replay they all do.
  std::uint32_t stages = 0;
  std::uint32_t stages_in_waves = 0;

  bool operator==(const RecordedSpan&) const = default;
};

// Makes one of the times of a job's tasks, which are µs of any clock.
class RecordedTimes {
 public:
  // Tasks added from now on are those of another stage.
  void begin_stage() {
    close_stage();
    stage_ = {};
  }
  // The job ran then, whatever its tasks' own times; `end` is not before `start`, in both.
  void extend(std::int64_t start, std::int64_t end) {
    first_start_ = std::min(first_start_, start);
    last_end_ = std::max(last_end_, end);
  }
  // A task of the stage ran then.
  void add(std::int64_t start, std::int64_t end) {
    extend(start, end);
    stage_.latest_start = std::max(stage_.latest_start, start);
    stage_.earliest_end = std::min(stage_.earliest_end, end);
    has_tasks_ = true;
  }
  // None if no task was added.
  std::optional<RecordedSpan> span() {
    close_stage();
    if (first_start_ > last_end_) return std::nullopt;
    span_.length = microseconds(last_end_ - first_start_);
    return span_;
  }

 private:
  struct StageTimes {
    std::int64_t latest_start = std::numeric_limits<std::int64_t>::min();
    std::int64_t earliest_end = std::numeric_limits<std::int64_t>::max();
  };

  // Intervals that all overlap pairwise have a moment in common (Helly), so that all tasks ran at
  // once if and only if the last one began no later than the first one ended.
  void close_stage() {
    if (!has_tasks_) return;
    ++span_.stages;
    if (stage_.latest_start > stage_.earliest_end) ++span_.stages_in_waves;
    has_tasks_ = false;
  }

  RecordedSpan span_;
  StageTimes stage_;
  bool has_tasks_ = false;
  std::int64_t first_start_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t last_end_ = std::numeric_limits<std::int64_t>::min();
};

}  // namespace tracebed
