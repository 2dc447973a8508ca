#include "traces/scale_model.h"

#include <gtest/gtest.h>

namespace tracebed {
namespace {

// Two kinds of job in turn, a second apart.
class Jobs : public WorkloadSource {
 public:
  explicit Jobs(int count) : count_(count) {}
  bool next(Job& job) override {
    if (given_ == count_) return false;
    job = Job();
    job.id = JobId(static_cast<std::size_t>(given_));
    job.name = "job" + std::to_string(given_);
    job.submit = trace_time(std::int64_t{1'000'000} * given_);
    Stage stage;
    stage.demand = given_ % 2 == 0 ? Resources(1000, 1000) : Resources(4000, 6000);
    TaskRun run{3, {}};
    run.work.duration = seconds(10);
    run.work.cpu_time = seconds(8);
    run.work.memory_mib = stage.demand.memory_mib() / 2;
    run.work.input_bytes = 1000;
    stage.runs = {run};
    job.stages = {stage};
    ++given_;
    return true;
  }

 private:
  int count_;
  int given_ = 0;
};

std::vector<Job> scaled(int count, const ScaleFactors& factors) {
  Jobs source(count);
  ScaledWorkload workload(source, factors);
  std::vector<Job> jobs;
  Job job;
  while (workload.next(job)) jobs.push_back(job);
  return jobs;
}

TEST(ScaleDown, RoundsToTheNearestAndNeverToZero) {
  EXPECT_EQ(scale_down(0, 300), 0);
  EXPECT_EQ(scale_down(1, 300), 1);
  EXPECT_EQ(scale_down(1000, 300), 3);  // 3.33
  EXPECT_EQ(scale_down(5, 2), 3);       // 2.5
  EXPECT_EQ(scale_down(4, 2), 2);
  EXPECT_EQ(scale_down(10, 0.5), 20);
  EXPECT_EQ(scale_down(9'223'372'036'854'775'807, 1), 9'223'372'036'854'775'807);
}

TEST(ScaledWorkload, WithFactorsOfOneIsTheWorkload) {
  Jobs source(4);
  std::vector<Job> jobs;
  Job job;
  while (source.next(job)) jobs.push_back(job);
  EXPECT_EQ(scaled(4, {}), jobs);
}

TEST(ScaledWorkload, DividesEachQuantityByItsFactor) {
  ScaleFactors factors;
  factors.cpu = 4;
  factors.memory = 100;
  factors.data = 300;
  factors.stretch = 2;
  factors.time = 10;  // the replay clock's
  const std::vector<Job> jobs = scaled(2, factors);
  const Work& work = jobs[1].stages[0].runs[0].work;
  EXPECT_EQ(jobs[1].submit, trace_time(2'000'000));
  EXPECT_EQ(jobs[0].stages[0].demand, Resources(250, 10));
  EXPECT_EQ(jobs[1].stages[0].demand, Resources(1000, 60));
  EXPECT_EQ(work.duration, seconds(10));
  EXPECT_EQ(work.cpu_time, seconds(2));
  EXPECT_EQ(work.memory_mib, 30);
  EXPECT_EQ(work.input_bytes, 3);
  EXPECT_EQ(work.shuffle_bytes, 0);
}

TEST(ScaledWorkload, ThinsBySeedAndNumbersTheRestAnew) {
  ScaleFactors factors;
  factors.thin = 4;
  const std::vector<Job> jobs = scaled(4000, factors);
  EXPECT_NEAR(static_cast<double>(jobs.size()), 1000, 100);
  for (std::size_t i = 0; i < jobs.size(); ++i) EXPECT_EQ(jobs[i].id, JobId(i));
  EXPECT_EQ(scaled(4000, factors), jobs);
  factors.seed = 2;
  EXPECT_NE(scaled(4000, factors), jobs);
}

TEST(ScaledWorkload, KeepsWhatIsTouchedWithinWhatIsAskedFor) {
  for (const double factor : {3.0, 7.0, 999.0, 1e6}) {
    ScaleFactors factors;
    factors.memory = factor;
    for (const Job& job : scaled(2, factors)) {
      EXPECT_LE(job.stages[0].runs[0].work.memory_mib, job.stages[0].demand.memory_mib());
      EXPECT_GT(job.stages[0].runs[0].work.memory_mib, 0);
    }
  }
}

TEST(ScaledWorkload, DividesTheTasksOfAStageEvenlyAndKeepsOne) {
  class OneJob final : public WorkloadSource {
   public:
    bool next(Job& job) override {
      if (was_given_) return false;
      was_given_ = true;
      job = Job();
      Stage stage;
      for (const std::uint32_t count : {4u, 1u, 2u}) {
        stage.runs.push_back({count, Work{.duration = seconds(std::int64_t{count})}});
      }
      stage.places.hosts = {"a", "b"};
      for (std::uint32_t task = 0; task < 7; ++task) {
        stage.places.entries.push_back(task % 2);
        stage.places.ends.push_back(task + 1);
      }
      job.stages = {stage, stage};
      job.stages[1].runs = {{1, Work{.duration = seconds(9)}}};
      job.stages[1].places.clear();
      return true;
    }

   private:
    bool was_given_ = false;
  };
  OneJob source;
  ScaleFactors factors;
  factors.tasks = 3;
  ScaledWorkload workload(source, factors);
  Job job;
  ASSERT_TRUE(workload.next(job));
  // Of tasks 0 to 6, 0, 3 and 6 stay: two of the first run, none of the second, one of the third.
  ASSERT_EQ(job.stages[0].runs.size(), 2u);
  EXPECT_EQ(job.stages[0].runs[0].count, 2u);
  EXPECT_EQ(job.stages[0].runs[0].work.duration, seconds(4));
  EXPECT_EQ(job.stages[0].runs[1].count, 1u);
  EXPECT_EQ(job.stages[0].runs[1].work.duration, seconds(2));
  EXPECT_EQ(job.stages[0].places.entries, (std::vector<std::uint32_t>{0, 1, 0}));
  EXPECT_EQ(job.stages[0].places.ends, (std::vector<std::uint32_t>{1, 2, 3}));
  EXPECT_EQ(task_count(job.stages[1]), 1u);
}

TEST(JobShapes, AreComparedWithWhatTheFactorsAloneWouldMakeOfThem) {
  Jobs source(1000);
  ScaleFactors factors;
  factors.tasks = 3;
  factors.stretch = 2;
  ScaledWorkload workload(source, factors);
  JobShapes before;
  JobShapes after;
  ScaleRounding rounding;
  workload.measure_into(before, after, rounding);
  for (Job job; workload.next(job);) {
  }
  const auto rows =
      compare_scaled(workload.before(), workload.after(), {}, {}, factors, &before, &after);
  const auto row = [&](std::string_view statistic) {
    for (const ScaleComparison& each : rows) {
      if (each.statistic == statistic) return each;
    }
    ADD_FAILURE() << statistic;
    return ScaleComparison();
  };
  EXPECT_EQ(row("gap between jobs, s, p50").after, 2);
  EXPECT_EQ(row("gap between jobs, s, p50").deviation, 0);
  EXPECT_EQ(row("tasks of a job, p90").before, 3);
  EXPECT_EQ(row("tasks of a job, p90").after, 1);
  EXPECT_EQ(row("longest task of a job, s, p99").after, 10);
  EXPECT_EQ(row("vcore-seconds of a job, p99").before, 120);
  EXPECT_EQ(row("vcore-seconds of a job, p99").expected, 40);
  EXPECT_EQ(row("vcore-seconds of a job, p99").after, 40);
}

std::vector<Machine> machines_of(std::size_t count) {
  std::vector<Machine> machines(count);
  for (std::size_t i = 0; i < count; ++i) {
    machines[i].name = "m" + std::to_string(i);
    machines[i].capacity = Resources(16'000, 65'536);
  }
  return machines;
}

TEST(ScaledMachines, AreSpreadEvenlyAndDivided) {
  ScaleFactors factors;
  factors.machines = 3;
  factors.cpu = 4;
  factors.memory = 64;
  const auto machines = scale_machines(machines_of(7), factors);
  ASSERT_EQ(machines.size(), 3u);  // 7 / 3, rounded up
  EXPECT_EQ(machines[0].name, "m0");
  EXPECT_EQ(machines[1].name, "m3");
  EXPECT_EQ(machines[2].name, "m6");
  EXPECT_EQ(machines[0].capacity, Resources(4000, 1024));
}

TEST(ScaledMachines, AreNeverNone) {
  ScaleFactors factors;
  factors.machines = 1000;
  EXPECT_EQ(scale_machines(machines_of(5), factors).size(), 1u);
}

TEST(ScaledMachines, KeepTheirChangesUnderTheirNewIds) {
  ScaleFactors factors;
  factors.machines = 3;
  const std::vector<MachineChange> changes = {{trace_time(1), NodeId(3u), false},
                                              {trace_time(2), NodeId(4u), false},
                                              {trace_time(3), NodeId(6u), true}};
  const auto kept = scale_changes(changes, 7, factors);
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(kept[0].node, NodeId(1u));
  EXPECT_EQ(kept[1].node, NodeId(2u));
  EXPECT_EQ(kept[1].at, trace_time(3));
}

TEST(ScaleFactorsCheck, NamesTheFactorThatIsOutOfRange) {
  ScaleFactors factors;
  EXPECT_TRUE(check_scale(factors));
  factors.thin = 0.5;
  EXPECT_EQ(check_scale(factors).error().message,
            "scale factor thin: expected a number from 1 to 1000000000, got 0.5");
  factors.thin = 1;
  factors.cpu = 0;
  EXPECT_FALSE(check_scale(factors));
}

TEST(ScaleComparison, StatesWhatChangedAgainstWhatTheFactorsPromise) {
  ScaleFactors factors;
  factors.cpu = 3000;  // 1000 and 4000 milli-vcores become 1 (not 0.33) and 1 (not 1.33)
  factors.machines = 2;
  factors.stretch = 2;
  Jobs source(10);
  ScaledWorkload workload(source, factors);
  Job job;
  while (workload.next(job)) {
  }
  const auto machines = machines_of(4);
  const auto rows = compare_scaled(workload.before(), workload.after(), machines,
                                   scale_machines(machines, factors), factors);
  const auto find = [&](std::string_view statistic) {
    for (const ScaleComparison& row : rows) {
      if (row.statistic == statistic) return row;
    }
    ADD_FAILURE() << statistic;
    return ScaleComparison();
  };
  EXPECT_EQ(find("jobs").after, 10);
  EXPECT_EQ(find("jobs").deviation, 0);
  EXPECT_EQ(find("span of submissions, s").before, 9);
  EXPECT_EQ(find("span of submissions, s").after, 18);
  EXPECT_EQ(find("span of submissions, s").deviation, 0);
  // Before: (1 + 4) / 2 vcores × 3 tasks × 10 s = 75. After: 0.001 × 30 = 0.03 instead of 0.025.
  EXPECT_DOUBLE_EQ(find("vcore-seconds of a job, mean").before, 75);
  EXPECT_NEAR(find("vcore-seconds of a job, mean").after, 0.03, 1e-12);
  EXPECT_NEAR(find("vcore-seconds of a job, mean").deviation, 0.2, 1e-9);
  // 750 vcore-s over 9 s on 64 vcores.
  EXPECT_NEAR(find("load of vcores").before, 750.0 / 9 / 64, 1e-12);
}

TEST(ScaleStatements, AreMadeForTheFactorsInUse) {
  EXPECT_TRUE(scale_statements({}).empty());
  ScaleFactors factors;
  factors.time = 60;
  const auto statements = scale_statements(factors);
  ASSERT_EQ(statements.size(), 1u);
  EXPECT_EQ(statements[0].factor, "time ÷ 60");
}

}  // namespace
}  // namespace tracebed
