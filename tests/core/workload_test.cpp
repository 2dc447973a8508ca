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

TEST(InputPlaces, AreThoseOfEachTask) {
  const InputPlaces places{{"a", "b"}, {2, 2, 3}, {0, 1, 1}};
  EXPECT_EQ(places.of(0).size(), 2u);
  EXPECT_TRUE(places.of(1).empty());
  EXPECT_EQ(places.of(2).front(), 1u);
}

}  // namespace
}  // namespace tracebed
