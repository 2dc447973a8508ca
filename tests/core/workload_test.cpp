#include "core/workload.h"

#include <array>
#include <gtest/gtest.h>

#include "core/cluster_model.h"

namespace tracebed {
namespace {

Work lasting(Duration duration) {
  Work work;
  work.duration = duration;
  return work;
}

// Tasks 0 and 1 take 10 s, task 2 takes 20 s, tasks 3 to 5 take 30 s.
Stage three_runs() {
  Stage stage;
  stage.runs = {{2, lasting(seconds(10))}, {1, lasting(seconds(20))}, {3, lasting(seconds(30))}};
  return stage;
}

TEST(Stages, CountTheTasksOfAllTheirRuns) {
  EXPECT_EQ(task_count(three_runs()), 6u);
  EXPECT_EQ(task_count(Stage{}), 0u);
}

TEST(Stages, KnowTheWorkOfEachTask) {
  const Stage stage = three_runs();
  const std::vector<Duration> expected = {seconds(10), seconds(10), seconds(20),
                                          seconds(30), seconds(30), seconds(30)};
  for (std::uint32_t task = 0; task < expected.size(); ++task) {
    EXPECT_EQ(work_of(stage, task).duration, expected[task]) << "task " << task;
  }
}

TEST(StagesDeathTest, ATaskBeyondTheLastIsAFailedInvariant) {
  const Stage stage = three_runs();
  EXPECT_EXIT(work_of(stage, 6), testing::ExitedWithCode(70), "a stage has the task asked for");
}

TEST(TaskRefs, OrderByStageThenTask) {
  EXPECT_LT((TaskRef{0, 9}), (TaskRef{1, 0}));
  EXPECT_LT((TaskRef{1, 0}), (TaskRef{1, 1}));
}

TEST(IdealDuration, OfADagIsItsLongestWay) {
  Job job;
  job.kind = JobKind::dag;
  job.stages.assign(4, Stage{});
  const std::array<int, 4> lasts = {10, 30, 5, 7};
  for (std::size_t i = 0; i < 4; ++i) job.stages[i].runs = {{2, lasting(seconds(lasts[i]))}};
  job.stages[2].needs = {0};
  job.stages[2].delay = seconds(4);
  job.stages[3].needs = {0, 2};
  // 0, then 2 after its delay, then 3: 10 + 4 + 5 + 7; stage 1 alone is longer.
  EXPECT_EQ(ideal_duration(job), seconds(30));
  job.stages[1].runs[0].work.duration = seconds(20);
  EXPECT_EQ(ideal_duration(job), seconds(26));
}

TEST(IdealDuration, OfMapsAndReducesIsTheirSum) {
  Job job;
  job.stages = {three_runs(), three_runs()};
  EXPECT_EQ(ideal_duration(job), seconds(60));
}

// 60 s of computing in 100 s: at half the speed 120 s in 160 s, at twice the speed 30 s in 70 s.
// With several threads the whole duration is computing.
TEST(AtSpeed, StretchesTheComputingAndNotTheWaiting) {
  const Work work{.duration = seconds(100), .cpu_time = seconds(60), .memory_mib = 7};
  EXPECT_EQ(at_speed(work, 500),
            (Work{.duration = seconds(160), .cpu_time = seconds(120), .memory_mib = 7}));
  EXPECT_EQ(at_speed(work, 2'000),
            (Work{.duration = seconds(70), .cpu_time = seconds(30), .memory_mib = 7}));
  const Work threads{.duration = seconds(100), .cpu_time = seconds(200)};
  EXPECT_EQ(at_speed(threads, 500), (Work{.duration = seconds(200), .cpu_time = seconds(400)}));
  EXPECT_EQ(at_speed(work, 1'000), work);
}

TEST(Splits, AreTheBlocksOfAFileThatHasOneForEachTask) {
  const InputFile file{.id = 16'386, .size = 250, .block_size = 100};
  EXPECT_EQ(split_of(file, 3, 0), (InputSplit{0, 100}));
  EXPECT_EQ(split_of(file, 3, 1), (InputSplit{100, 100}));
  EXPECT_EQ(split_of(file, 3, 2), (InputSplit{200, 50}));
  EXPECT_EQ(split_of({.id = 1, .size = 200, .block_size = 100}, 2, 1), (InputSplit{100, 100}));
}

TEST(Splits, AreEqualSharesOfAFileWithOtherBlocks) {
  const InputFile file{.id = 16'386, .size = 250, .block_size = 100};
  EXPECT_EQ(split_of(file, 2, 1), (InputSplit{125, 125}));
  EXPECT_EQ(split_of(file, 4, 0), (InputSplit{0, 63}));
  EXPECT_EQ(split_of(file, 4, 1), (InputSplit{63, 63}));
  EXPECT_EQ(split_of(file, 4, 2), (InputSplit{126, 62}));
  EXPECT_EQ(split_of(file, 4, 3), (InputSplit{188, 62}));
  EXPECT_EQ(split_of({.id = 1, .size = 0, .block_size = 100}, 2, 1), (InputSplit{0, 0}));
}

TEST(Splits, CoverEachByteOnce) {
  for (const std::int64_t size : {0, 1, 7, 1'000, 4'097}) {
    for (std::uint32_t tasks = 1; tasks < 12; ++tasks) {
      std::int64_t end = 0;
      for (std::uint32_t i = 0; i < tasks; ++i) {
        const InputSplit split = split_of({.id = 1, .size = size, .block_size = 512}, tasks, i);
        EXPECT_EQ(split.offset, end);
        end += split.length;
      }
      EXPECT_EQ(end, size) << tasks;
    }
  }
}

TEST(InputPlaces, AreThoseOfEachTask) {
  const InputPlaces places{{"a", "b"}, {2, 2, 3}, {0, 1, 1}};
  EXPECT_EQ(places.of(0).size(), 2u);
  EXPECT_TRUE(places.of(1).empty());
  EXPECT_EQ(places.of(2).front(), 1u);
}

}  // namespace
}  // namespace tracebed
