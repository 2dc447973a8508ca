#include "core/task_work.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "core/preemption.h"
#include "support/random_work.h"

namespace tracebed {
namespace {

using testing::HasSubstr;

struct Nothing {};
struct Two {
  bool flag = false;
  Duration duration{};
};
struct TwoAndAString : Two {
  std::string text;
};
static_assert(field_count<Nothing> == 0 && field_count<Two> == 2 && field_count<TwoAndAString> == 2,
              "a base counts as one field");

TEST(TaskWork, ComesBackFromItsNumbers) {
  Random random(1);
  for (int i = 0; i < 1'000; ++i) {
    const TaskWork work = test::random_work(random);
    const Result<TaskWork> read = to_task_work(to_numbers(work));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, work);
  }
}

// With the count of the list, which is checked when it is compiled: every field is in it.
TEST(TaskWork, HasANumberOfItsOwnForEachField) {
  for (std::size_t i = 0; i < task_work_fields.size(); ++i) {
    TaskWork work;
    task_work_fields[i].set(work, 1);
    EXPECT_NE(work, TaskWork()) << task_work_fields[i].name;
    TaskWorkNumbers expected{};
    expected[i] = 1;
    EXPECT_EQ(to_numbers(work), expected) << task_work_fields[i].name;
  }
}

TEST(TaskWork, OutOfItsBoundsIsRefusedByTheNameOfTheField) {
  for (std::size_t i = 0; i < task_work_fields.size(); ++i) {
    for (const std::int64_t bad : {std::int64_t{-1}, task_work_fields[i].most + 1}) {
      TaskWorkNumbers numbers{};
      numbers[i] = bad;
      const Result<TaskWork> read = to_task_work(numbers);
      ASSERT_FALSE(read) << task_work_fields[i].name;
      EXPECT_THAT(read.error().message,
                  HasSubstr("expected " + std::string(task_work_fields[i].name) + " from 0 to "));
      EXPECT_THAT(read.error().message, HasSubstr("got " + std::to_string(bad)));
    }
  }
  TaskWork work;
  work.cpu_time = Duration(-1);
  EXPECT_FALSE(check(work));
  EXPECT_TRUE(check(TaskWork()));
}

TEST(TaskWork, OfAnotherNumberOfFieldsIsRefused) {
  const TaskWorkNumbers numbers{};
  EXPECT_FALSE(to_task_work(std::span(numbers).first(numbers.size() - 1)));
  EXPECT_FALSE(to_task_work({}));
}

TEST(TaskWork, IsBroughtIntoItsBounds) {
  TaskWork work;
  work.duration = Duration(-5);
  work.memory_mib = task_memory_mib_max + 1;
  work.exhausts_heap = true;
  const TaskWork bounded = within_bounds(work);
  EXPECT_TRUE(check(bounded));
  EXPECT_EQ(bounded.duration, Duration());
  EXPECT_EQ(bounded.memory_mib, task_memory_mib_max);
  EXPECT_TRUE(bounded.exhausts_heap);
}

TEST(TaskWork, IsPlainIfItHasNothingBesideTheTracesWork) {
  EXPECT_TRUE(is_plain({Work{seconds(3), seconds(2), 5, 6, 7, 8}}));
  TaskWork work = {Work{.duration = seconds(3)}};
  work.exhausts_heap = true;
  EXPECT_FALSE(is_plain(work));
}

TEST(TaskWork, OfTasksSideBySideAddsUpAndKeepsWhatEachOfThemDoes) {
  TaskWork task = {Work{seconds(3), seconds(2), 5, 6, 7, 8}};
  task.exhausts_heap = true;
  TaskWork expected = {Work{seconds(3), seconds(6), 15, 18, 21, 24}};
  expected.exhausts_heap = true;
  EXPECT_EQ(side_by_side(task, 3), expected);
}

TEST(TaskWork, AfterProgressIsLessWorkOfTheSameManner) {
  TaskWork work = {Work{seconds(4), seconds(2), 5, 8, 12, 16}};
  work.exhausts_heap = true;
  TaskWork expected = {Work{seconds(3), milliseconds(1'500), 5, 6, 9, 12}};
  expected.exhausts_heap = true;
  EXPECT_EQ(rest_of(work, whole_work / 4), expected);
  EXPECT_EQ(rest_of(work, 0), work);
  // No product of these overflows.
  work.input_bytes = task_amount_max;
  EXPECT_EQ(rest_of(work, whole_work / 2).input_bytes, task_amount_max / 2);
}

TEST(TaskWork, AfterProgressReadsTheEndOfItsSplit) {
  TaskWork work;
  work.input_file = 16'390;
  work.input_offset = 1'000;
  work.input_length = 801;
  const TaskWork rest = rest_of(work, whole_work / 4);
  EXPECT_EQ(rest.input_file, 16'390);
  EXPECT_EQ(rest.input_length, 600);
  EXPECT_EQ(rest.input_offset + rest.input_length, 1'801);
  EXPECT_EQ(rest_of(work, 0), work);
}

TEST(TaskWork, OfAnotherClockHasOtherDurationsAndTheSameAmounts) {
  const TaskWork work = {Work{seconds(4), seconds(2), 5, 6, 7, 8}};
  const TaskWork expected = {Work{seconds(2), seconds(1), 5, 6, 7, 8}};
  EXPECT_EQ(with_durations(work, [](Duration time) { return time / 2; }), expected);
}

}  // namespace
}  // namespace tracebed
