// The jobs of Google's task_events, put together from rows in the order of time. The rows of one
// job may be anywhere between the first and the last day, and no row is marked as the last; so what
// is known of the current tasks is stored, whenever it is too much, as one part of each job, and
// the parts are joined by job (traces/parts/record_sorter.h) after the last row. Memory is bounded
// by the sorter's, and by the largest job.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/names.h"
#include "traces/csv/google_events.h"
#include "traces/parts/record_sorter.h"

namespace tracebed {

// 19:00 of the first day on the trace's clock, in µs. What ran before it is unknown.
inline constexpr std::int64_t google_trace_begins = 600'000'000;

bool is_end(GoogleEvent event);

// A row of task_events.
struct GoogleTaskEvent {
  std::int64_t time = 0;  // µs
  std::int64_t job = 0;
  std::int64_t index = 0;
  GoogleEvent event = GoogleEvent::submit;
  std::int64_t priority = 0;
  std::int64_t scheduling_class = 0;
  std::int64_t cpu = -1;  // millionths of the largest machine's, at most 1000 of it; negative: none
  std::int64_t memory = -1;
  std::int64_t disk = -1;
  std::string_view user;
};

// The contents of consecutive rows on a task: all of its rows, or those of one part.
struct GoogleTask {
  std::int64_t first_end = -1;    // µs; of an attempt that began in an earlier part
  std::int64_t scheduled = -1;    // µs; of the attempt that runs
  std::int64_t last = -1;         // µs; how long the last attempt ran that ended
  std::int64_t sum = 0;           // µs; of all attempts that began and ended
  std::int64_t first_begin = -1;  // µs; of an attempt, if not before the trace
  std::int64_t last_end = -1;     // µs; of an attempt that began
  std::int32_t index = 0;
  std::int32_t cpu = -1;  // as in the event, of the last row that has it
  std::int32_t memory = -1;
  std::uint32_t submits = 0;
  bool has_begun = false;  // in these rows
};

struct GoogleJob {
  std::int64_t id = 0;
  std::int64_t submit = 0;          // µs
  std::optional<std::int64_t> end;  // µs; from job_events
  std::int64_t priority = 0;
  UserId user;
  bool was_there_before = false;  // before the trace began
  std::vector<GoogleTask> tasks;  // by index
};

class GoogleJobs {
 public:
  // Called for every attempt that began and ended, with its run time in µs. May be empty.
  using AttemptTally = std::function<void(std::int64_t)>;

  // Sorts in `memory_max` bytes, and holds current tasks in an eighth of it. `users` outlives this.
  GoogleJobs(std::size_t memory_max, NameTable<UserId>& users, AttemptTally tally_attempt);

  // A row of job_events, in any order, before all of task_events: the job ended then, or it exists.
  void take_job_event(std::int64_t job, std::int64_t time, bool has_ended);
  // The next row in the order of time.
  void take(const GoogleTaskEvent& event);
  // After the last row: the next job by its id. False at the end.
  bool next(GoogleJob& job);

 private:
  // What is stored of a job before its tasks, or of a row of job_events, which has none.
  struct PartHead {
    std::int64_t time = 0;  // of submission, or of the row
    std::int64_t priority = 0;
    std::uint32_t user = 0;
    bool was_there_before = false;
    bool is_job_event = false;
    bool has_ended = false;
  };
  struct OpenJob {
    PartHead head;
    std::map<std::int64_t, GoogleTask> tasks;
  };

  OpenJob& open(const GoogleTaskEvent& event);
  void end_attempt(GoogleTask& task, std::int64_t time) const;
  // Stores what is known of all current jobs.
  void park();
  void append_part(std::string_view record, GoogleJob& job);
  // The parts of each task become one.
  void fold(std::vector<GoogleTask>& tasks) const;

  NameTable<UserId>& users_;
  AttemptTally tally_attempt_;
  std::size_t tasks_open_max_;
  std::size_t tasks_open_ = 0;
  std::map<std::int64_t, OpenJob> open_;
  RecordSorter parts_;  // by job; its rows of job_events, then its parts in the order of time
  std::string record_;
  bool is_complete_ = false;  // all rows have come, and next_ is the next part, if there is one
  bool has_next_ = false;
  std::int64_t next_job_ = 0;
  std::string_view next_;
  // Of the job at hand:
  std::int64_t last_job_event_ = 0;  // when
  std::size_t folded_ = 0;           // tasks after the last fold()
};

}  // namespace tracebed
