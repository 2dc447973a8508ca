#include "report/jct_parts.h"

#include <gtest/gtest.h>
#include <numeric>
#include <string>
#include <vector>

namespace tracebed {
namespace {

TraceTime at(std::int64_t microseconds_since_start) {
  return trace_time(microseconds_since_start);
}

// An attempt whose times are given in the order in which they come.
AttemptTimes attempt(std::int64_t asked, std::int64_t allocated, std::int64_t started,
                     std::int64_t ended, std::int64_t reported, std::int64_t nominal) {
  return {at(asked), at(allocated), at(started),       at(started),
          at(ended), at(reported),  Duration(nominal), true};
}
AttemptTimes lost_attempt(std::int64_t asked, std::int64_t allocated, std::int64_t reported) {
  AttemptTimes lost = attempt(asked, allocated, allocated, reported, reported, 0);
  lost.succeeded = false;
  return lost;
}
AttemptTimes held(AttemptTimes attempt, std::int64_t begun) {
  attempt.work_begun = at(begun);
  return attempt;
}

struct Case {
  std::string name;
  std::int64_t submitted;
  std::int64_t finished;
  std::vector<AttemptTimes> attempts;
  // launch, heartbeat, contention, lost, work, waiting
  std::array<std::int64_t, jct_part_count> parts;
};

std::vector<Case> cases() {
  return {
      {"one task", 100, 150, {attempt(100, 110, 112, 140, 150, 25)}, {2, 10, 3, 0, 25, 10}},
      {"a task faster than nominal", 0, 20, {attempt(0, 0, 0, 20, 20, 25)}, {0, 0, -5, 0, 25, 0}},
      {"of parallel tasks the last counts",
       0,
       50,
       {attempt(0, 1, 2, 20, 21, 18), attempt(0, 5, 7, 48, 50, 40)},
       {2, 2, 1, 0, 40, 5}},
      {"a second stage asks when the first has been reported",
       0,
       100,
       {attempt(0, 0, 3, 33, 40, 30), attempt(40, 60, 64, 94, 100, 28)},
       {7, 13, 2, 0, 58, 20}},
      {"a lost attempt and its successor",
       0,
       60,
       {lost_attempt(0, 10, 25), attempt(25, 30, 31, 59, 60, 28)},
       {1, 1, 0, 15, 28, 15}},
      {"a held reduce hangs on the last map, not on its own launch",
       0,
       100,
       // Asked at the first map's report, launched early, let go at 60 by the second map's report.
       {attempt(0, 0, 2, 18, 20, 16), attempt(0, 30, 32, 58, 60, 26),
        held(attempt(20, 25, 29, 97, 100, 35), 60)},
       {2, 5, 2, 0, 61, 30}},
      {"time between the last report and the end is waiting",
       0,
       70,
       {attempt(0, 0, 0, 60, 60, 60)},
       {0, 0, 0, 0, 60, 10}},
      {"no attempt at all", 5, 25, {}, {0, 0, 0, 0, 0, 20}},
      {"attempts without duration",
       0,
       10,
       {attempt(10, 10, 10, 10, 10, 0), attempt(10, 10, 10, 10, 10, 0)},
       {0, 0, 0, 0, 0, 10}},
      {"a killed copy that is reported last is not the chain's end",
       0,
       30,
       {attempt(0, 0, 1, 28, 30, 27), lost_attempt(0, 12, 30)},
       {1, 2, 0, 0, 27, 0}},
  };
}

TEST(JctParts, CutTheTimeAlongTheCriticalChain) {
  for (const Case& c : cases()) {
    const JctParts parts = jct_parts(at(c.submitted), at(c.finished), c.attempts);
    for (std::size_t p = 0; p < jct_part_count; ++p) {
      EXPECT_EQ(parts[p].count(), c.parts[p]) << c.name << ": " << name(static_cast<JctPart>(p));
    }
  }
}

TEST(JctParts, AddUpToTheCompletionTime) {
  for (const Case& c : cases()) {
    const JctParts parts = jct_parts(at(c.submitted), at(c.finished), c.attempts);
    const Duration sum = std::accumulate(parts.begin(), parts.end(), Duration());
    EXPECT_EQ(sum.count(), c.finished - c.submitted) << c.name;
  }
}

AttemptRecord attempt_record(std::uint32_t application, std::int64_t from, std::int64_t to) {
  AttemptRecord record;
  record.application = ApplicationId(application);
  record.launched = true;
  record.asked = record.allocated = record.account.started = at(from);
  record.account.ended = record.reported = at(to);
  record.nominal = Duration(to - from);
  return record;
}

JobRecord job_record(std::uint32_t application, std::int64_t submitted, std::int64_t finished) {
  JobRecord record;
  record.application = ApplicationId(application);
  record.submitted = at(submitted);
  record.finished = at(finished);
  return record;
}

TEST(OpenAttempts, KeepJobsApart) {
  OpenAttempts open;
  open.attempt_ended(attempt_record(0, 0, 10));
  open.attempt_ended(attempt_record(1, 0, 20));
  JctParts first = open.job_ended(job_record(0, 0, 10)).parts;
  JctParts second = open.job_ended(job_record(1, 0, 20)).parts;
  EXPECT_EQ(part_of(first, JctPart::work), Duration(10));
  EXPECT_EQ(part_of(second, JctPart::work), Duration(20));
  EXPECT_EQ(open.size(), 0u);
}

TEST(OpenAttempts, IgnoreWhatComesAfterTheJobsEnd) {
  OpenAttempts open;
  JctParts killed = open.job_ended(job_record(0, 0, 10)).parts;
  EXPECT_EQ(part_of(killed, JctPart::waiting), Duration(10));
  open.attempt_ended(attempt_record(0, 0, 15));
  EXPECT_EQ(open.size(), 0u);
}

TEST(OpenAttempts, ContainersWithoutATaskAreNoPartOfAChain) {
  OpenAttempts open;
  AttemptRecord released = attempt_record(0, 2, 8);
  released.launched = false;
  open.attempt_ended(released);
  JctParts parts = open.job_ended(job_record(0, 0, 8)).parts;
  EXPECT_EQ(part_of(parts, JctPart::waiting), Duration(8));
}

}  // namespace
}  // namespace tracebed
