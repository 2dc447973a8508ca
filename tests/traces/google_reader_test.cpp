// Google's tables of 2011: tasks from rows of events, whatever lies between them.
#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <span>
#include <utility>
#include <vector>

#include "core/random.h"
#include "traces/parts/statistics.h"
#include "traces/trace_texts.h"
#include "traces/workload_digest.h"

namespace tracebed::testing {
namespace {

using ::testing::HasSubstr;

std::string google_row(std::string_view time, std::string_view job, std::string_view index,
                       std::string_view event, std::string_view priority = "2",
                       std::string_view cpu = "0.5") {
  return std::string(time) + ",," + std::string(job) + "," + std::string(index) + ",7," +
         std::string(event) + ",ab/+=,1," + std::string(priority) + "," + std::string(cpu) +
         ",0.25,0.001,1\n";
}

TEST(Google, ATaskLastsAsLongAsItsLastAttempt) {
  const std::string text = google_row("0", "1", "0", "1") +  // there before
                           google_row("600000000", "6000000000", "0", "0") +
                           google_row("601000000", "6000000000", "0", "1") +
                           google_row("605000000", "6000000000", "0", "2") +  // evicted
                           google_row("605000000", "6000000000", "0", "0") +
                           google_row("610000000", "6000000000", "0", "1") +
                           google_row("612000000", "1", "0", "4") +
                           google_row("613000000", "6000000000", "1", "0") +
                           google_row("613000000", "6000000000", "1", "5") +  // never scheduled
                           google_row("620000000", "6000000000", "0", "4");
  const ReadTrace trace = read_trace(text);
  ASSERT_EQ(trace.jobs.size(), 1u);
  const Job& job = trace.jobs[0];
  EXPECT_EQ(job.name, "6000000000");
  EXPECT_EQ(job.kind, JobKind::dag);
  EXPECT_EQ(job.priority, 2);
  EXPECT_EQ(trace.names.users.name(job.user), "ab/+=");
  ASSERT_EQ(job.stages.size(), 1u);
  EXPECT_EQ(job.stages[0].demand, Resources(8000, 16'384));
  EXPECT_EQ(task_count(job.stages[0]), 1u);
  EXPECT_EQ(job.stages[0].runs[0].work.duration, seconds(10));
  EXPECT_EQ(
      read_trace(text, with_rule("google.attempts", "sum")).jobs[0].stages[0].runs[0].work.duration,
      seconds(14));
  const ReadTrace kept = read_trace(text, with_rule("google.initial", "keep"));
  ASSERT_EQ(kept.jobs.size(), 2u);
  EXPECT_EQ(kept.jobs[0].stages[0].runs[0].work.duration, seconds(12)) << "since the trace began";
}

TEST(Google, WhatStillRunsLastsToTheEndAndDifferentRequestsAreStages) {
  const std::string text = google_row("600000000", "5", "0", "0", "9") +
                           google_row("600000000", "5", "0", "1", "9") +
                           google_row("600000000", "5", "1", "0", "9", "0.25") +
                           google_row("600000000", "5", "1", "1", "9", "0.25") +
                           google_row("630000000", "5", "1", "4", "9", "0.25") +
                           google_row("9223372036854775807", "5", "0", "4", "9");
  const ReadTrace trace = read_trace(text);
  ASSERT_EQ(trace.jobs.size(), 1u);
  EXPECT_EQ(trace.jobs[0].kind, JobKind::service);
  ASSERT_EQ(trace.jobs[0].stages.size(), 2u);
  EXPECT_EQ(trace.jobs[0].stages[0].runs[0].work.duration, seconds(30));
  EXPECT_EQ(read_trace(text, with_rule("google.running", "drop")).jobs[0].stages.size(), 1u);
}

TEST(Google, RefusesRowsOutOfTimeAndUnknownEvents) {
  EXPECT_THAT(read_error(google_row("9", "5", "0", "0") + google_row("8", "5", "0", "0")),
              HasSubstr("t:2: column 1 (time): expected 9 or later, as in the row above (rule "
                        "trace.order = any sorts), got '8'"));
  TraceOptions google;
  google.skip_bad = true;
  google.format = "google2011";
  EXPECT_EQ(read_trace(google_row("9", "5", "0", "9"), google).bad_rows, 1u);
  EXPECT_EQ(read_trace(google_row("9", "5", "-1", "0"), google).bad_rows, 1u);
}

TEST(Google, RowsOutOfTimeAreSortedWhereTheRuleSaysSo) {
  const std::vector<std::string> rows = {
      google_row("600000000", "5", "0", "0"), google_row("601000000", "5", "0", "1"),
      google_row("605000000", "5", "0", "2"), google_row("606000000", "6", "0", "0"),
      google_row("607000000", "5", "0", "1"), google_row("608000000", "6", "0", "1"),
      google_row("627000000", "5", "0", "4"), google_row("638000000", "6", "0", "4")};
  std::string sorted;
  std::string reversed;
  for (const std::string& row : rows) {
    sorted += row;
    reversed = row + reversed;
  }
  const ReadTrace expected = read_trace(sorted);
  ASSERT_EQ(expected.jobs.size(), 2u);
  EXPECT_EQ(expected.jobs[0].stages[0].runs[0].work.duration, seconds(20));
  EXPECT_EQ(read_trace(reversed, with_rule("trace.order", "any")).jobs, expected.jobs);
}

// Its job's own end, which another table has, may come long after the rows of tasks end.
TEST(Google, WhatStillRunsLastsToTheEndOfItsJobIfThatIsKnown) {
  const TemporaryFolder folder;
  folder.write("task_events/part-00000-of-00001.csv",
               google_row("600000000", "5", "0", "0") + google_row("600000000", "5", "0", "1") +
                   google_row("601000000", "6", "0", "0") + google_row("601000000", "6", "0", "1") +
                   google_row("602000000", "7", "0", "0") + google_row("602000000", "7", "0", "1"));
  folder.write("job_events/part-00000-of-00001.csv",
               "600000000,,5,0,u,1,n,l\n650000000,,6,4,u,1,n,l\n650000000,,7,3,u,1,n,l\n"
               "651000000,,7,0,u,1,n,l\n700000000,,5,5,u,1,n,l\n");
  Names names;
  const auto reader = open_trace(folder.path().string(), {}, names);
  std::vector<Duration> durations;
  for (Job job; reader->next(job);) durations.push_back(job.stages[0].runs[0].work.duration);
  // The third was submitted again and has no end, so it lasts to the last row.
  EXPECT_THAT(durations, ::testing::ElementsAre(seconds(100), seconds(49), microseconds(1)));
}

// Rows of several jobs by time, in which everything comes that can: attempts that end in every way,
// ends of attempts that never began, requests that are missing, jobs there before, and jobs' own
// ends and resubmissions.
struct EventTables {
  std::vector<std::string> tasks;
  std::vector<std::string> jobs;
};

constexpr int rows_before = 400;  // at time 0

EventTables random_tables(std::uint64_t seed) {
  Random random(seed);
  EventTables tables;
  std::int64_t time = 0;
  for (int row = 0; row < 4000; ++row) {
    const bool has_begun = row >= rows_before;
    time = has_begun ? std::max<std::int64_t>(time, 600'000'000) + random.between(1, 900'000) : 0;
    const std::uint64_t job = 6'000'000'000 + random.below(30);
    tables.tasks.push_back(fmt::format(
        "{},,{},{},7,{},u{},1,{},{},{},0,1\n", time, job, random.below(12), random.below(9),
        job % 7, random.below(12), random.below(3) == 0 ? "" : fmt::format("0.{}", random.below(3)),
        random.below(3) == 0 ? "" : "0.5"));
    if (has_begun && random.below(40) == 0) {
      tables.jobs.push_back(fmt::format("{},,{},{},u,1,n,l\n", time, job, random.below(9)));
    }
  }
  return tables;
}

void shuffle(std::span<std::string> rows, Random& random) {
  for (std::size_t left = rows.size(); left > 1; --left) {
    std::swap(rows[left - 1], rows[random.below(left)]);
  }
}

std::string text_of(const std::vector<std::string>& rows) {
  std::string text;
  for (const std::string& row : rows) text += row;
  return text;
}

// What is read in so much memory for sorting: the digest of the workload, and what is told of it.
std::string reading_of(const EventTables& tables, const char* order, std::size_t sort_bytes_max) {
  const TemporaryFolder folder;
  folder.write("task_events/part-00000-of-00001.csv", text_of(tables.tasks));
  folder.write("job_events/part-00000-of-00001.csv", text_of(tables.jobs));
  TraceOptions options = with_rule("google.attempts", "sum");
  options = with_rule("trace.order", order, options);
  options = with_rule("google.initial", "keep", options);
  options.sort_bytes_max = sort_bytes_max;
  Names names;
  TraceTally tally;
  const auto reader = open_trace(folder.path().string(), options, names);
  reader->tally_into(tally);
  WorkloadDigest digest(names);
  std::size_t jobs = 0;
  for (Job job; reader->next(job); ++jobs) digest.add(job);
  std::string result = fmt::format("{} jobs {}", jobs, digest.to_string());
  for (TraceTally::Distribution& each : tally.distributions()) {
    result += fmt::format("; {} {}", each.name, each.values.count());
    for (const unsigned percent : {10U, 50U, 90U, 100U}) {
      result += fmt::format(" {}", each.values.percentile(percent));
    }
  }
  const LoadReport report = reader->report();
  for (const TraceCount& note : report.notes)
    result += fmt::format("; {} {}", note.name, note.count);
  return result;
}

// In little memory what is known of the tasks at hand is put aside again and again, at every row
// even, and must come to the same when it is put together.
TEST(Google, WhatIsPutAsideBetweenRowsChangesNothing) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const EventTables tables = random_tables(seed);
    const std::string expected = reading_of(tables, "submit", std::size_t{64} << 20);
    EXPECT_THAT(expected, HasSubstr("30 jobs")) << expected;
    EXPECT_THAT(expected, ::testing::Not(HasSubstr("attempts 0 "))) << expected;
    for (const std::size_t memory : {std::size_t{1}, std::size_t{10'000}, std::size_t{100'000}}) {
      EXPECT_EQ(reading_of(tables, "submit", memory), expected) << "in " << memory << " bytes";
    }
    EventTables shuffled = tables;
    Random random(seed);
    // Those of one time stay in their order.
    shuffle(std::span(shuffled.tasks).subspan(rows_before), random);
    shuffle(std::span(shuffled.jobs), random);
    EXPECT_EQ(reading_of(shuffled, "any", 10'000), expected);
  }
}

}  // namespace
}  // namespace tracebed::testing
