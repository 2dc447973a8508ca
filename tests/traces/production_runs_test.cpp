// Virtual runs of production traces under FIFO: every job ends once, no invariant breaks, and what
// the trace says of order shows in the results. Found through TRACEBED_TRACES.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <set>

#include "applications/masters.h"
#include "coordinator/engine/engine.h"
#include "coordinator/engine/replay.h"
#include "coordinator/virtual/virtual_fleet.h"
#include "support/real_traces.h"
#include "support/scheduler_parameters.h"
#include "support/schedulers.h"
#include "traces/open_trace.h"

namespace tracebed {
namespace {

// The first jobs of a trace, and what each stage of them needs.
class FirstJobs final : public WorkloadSource {
 public:
  FirstJobs(TraceReader& reader, std::uint64_t jobs_max) : reader_(reader), left_(jobs_max) {}

  bool next(Job& job) override {
    if (left_ == 0 || !reader_.next(job)) return false;
    --left_;
    ++jobs;
    for (const Stage& stage : job.stages) {
      tasks += task_count(stage);
      needs[job.id].push_back(stage.needs);
      recorded_hosts.insert(stage.places.hosts.begin(), stage.places.hosts.end());
    }
    return true;
  }

  std::uint64_t jobs = 0;
  std::uint64_t tasks = 0;
  std::map<JobId, std::vector<std::vector<std::uint16_t>>> needs;
  std::set<std::string> recorded_hosts;

 private:
  TraceReader& reader_;
  std::uint64_t left_;
};

class Results final : public RecordSink {
 public:
  struct StageTimes {
    TraceTime first_start = never;
    TraceTime last_end{};
  };

  void attempt_ended(const AttemptRecord& record) override {
    if (!record.launched) return;
    StageTimes& times = stages[{record.job, record.stage}];
    times.first_start = std::min(times.first_start, record.account.started);
    times.last_end = std::max(times.last_end, record.account.ended);
    if (record.end == ContainerEnd::succeeded) tasks += record.units;
    ++localities[record.locality];
  }
  void job_ended(const JobRecord& record) override {
    ++outcomes[record.outcome];
    EXPECT_TRUE(ended.insert(record.job).second) << record.name << " ended twice";
    if (record.outcome != JobOutcome::succeeded) rejected_tasks += record.tasks;
  }
  void preemption_ended(const PreemptionRecord&) override {}
  void sampled(const ClusterSample&) override {}

  std::map<std::pair<JobId, std::uint16_t>, StageTimes> stages;
  std::map<JobOutcome, std::uint64_t> outcomes;
  std::map<Locality, std::uint64_t> localities;
  std::set<JobId> ended;
  std::uint64_t tasks = 0;
  std::uint64_t rejected_tasks = 0;
};

struct RunCase {
  const char* name;
  const char* file;
  std::uint64_t jobs_max;
  bool paranoid;
  const char* rule = nullptr;
  const char* value = nullptr;
};

void PrintTo(const RunCase& run, std::ostream* out) {
  *out << run.name;
}

std::vector<Machine> machines_of(std::size_t count, const std::set<std::string>& names = {}) {
  std::vector<Machine> machines(count);
  auto name = names.begin();
  for (std::size_t i = 0; i < count; ++i) {
    machines[i].name = name != names.end() ? *name++ : "machine" + std::to_string(i);
    machines[i].rack = "/rack" + std::to_string(i % 20);
    machines[i].capacity = Resources(128'000, 1 << 20);
  }
  return machines;
}

struct RunResult {
  RunOutcome outcome{};
  Results results;
};

void run_fifo(WorkloadSource& jobs, std::vector<Machine> machines, bool paranoid,
              RunResult& result) {
  auto scheduler = test::schedulers().make("fifo", test::parameters_for("fifo"));
  ASSERT_TRUE(scheduler.has_value());
  EngineSetup setup;
  setup.scheduler = std::move(scheduler).value();
  setup.make_master = MasterBuilder(MasterOptions(), 1);
  setup.paranoid = paranoid;
  Engine engine(std::move(setup), result.results);
  VirtualOptions options;
  options.is_ideal = true;
  VirtualFleet fleet(options, std::move(machines), {});
  result.outcome =
      replay(engine, fleet, &jobs, nullptr, [](const ReplayProgress&) { return true; }).outcome;
}

class ProductionRun : public ::testing::TestWithParam<RunCase> {};

TEST_P(ProductionRun, FinishesAndKeepsTheOrderOfStages) {
  const RunCase& run = GetParam();
  const auto path = traces_folder() / run.file;
  if (!std::filesystem::exists(path)) {
    GTEST_SKIP() << "no trace at " << path << "; set TRACEBED_TRACES to the folder of real traces";
  }
  TraceOptions options;
  if (run.rule != nullptr) {
    ASSERT_TRUE(set_rule(options.rules, run.rule, run.value));
  }
  Names names;
  const auto reader = open_trace(path.string(), options, names);
  FirstJobs jobs(*reader, run.jobs_max);
  RunResult result;
  run_fifo(jobs, machines_of(400), run.paranoid, result);
  EXPECT_EQ(result.outcome, RunOutcome::complete);
  EXPECT_GT(jobs.jobs, 0u);
  EXPECT_EQ(result.results.ended.size(), jobs.jobs);
  EXPECT_EQ(result.results.outcomes[JobOutcome::succeeded], jobs.jobs);
  EXPECT_EQ(result.results.tasks, jobs.tasks);
  std::uint64_t edges = 0;
  for (const auto& [job, stages] : jobs.needs) {
    for (std::uint16_t stage = 0; stage < stages.size(); ++stage) {
      for (const std::uint16_t needed : stages[stage]) {
        ++edges;
        ASSERT_GE(result.results.stages.at({job, stage}).first_start,
                  result.results.stages.at({job, needed}).last_end)
            << "job " << job.value() << ", stage " << stage << " needs " << needed;
      }
    }
  }
  const bool has_order = std::string_view(run.name).find("Dag") != std::string_view::npos;
  EXPECT_EQ(edges > 0, has_order);
}

INSTANTIATE_TEST_SUITE_P(
    Traces, ProductionRun,
    ::testing::Values(
        RunCase{"Google", "google_2011", ~0ULL, false},
        RunCase{"GoogleChecked", "google_2011", 60, true},
        RunCase{"Alibaba2017", "alibaba_v2017/batch_task.csv", ~0ULL, false,
                "alibaba.instances_max", "2"},
        RunCase{"Alibaba2018Dag", "alibaba_v2018_dags/csv/set0_6600.csv", ~0ULL, false,
                "alibaba.instances_max", "3"},
        RunCase{"Alibaba2018DagChecked", "alibaba_v2018_dags/csv/random_50.csv", 50, true,
                "alibaba.instances_max", "20"},
        RunCase{"Pods", "alibaba_gpu_v2023/openb_pod_list_default.csv", ~0ULL, false},
        RunCase{"PodsChecked", "alibaba_gpu_v2023/openb_pod_list_default.csv", 300, true},
        RunCase{"Philly", "philly/philly.csv", 20'000, false},
        RunCase{"PhillyChecked", "philly/philly.csv", 200, true},
        RunCase{"Yahoo", "eagle_hawk_tr/YH1_sub.tr", ~0ULL, false},
        RunCase{"YahooChecked", "eagle_hawk_tr/YH_small.tr", ~0ULL, true},
        RunCase{"Mumak", "hadoop_rumen/mumak/19-jobs.trace.json.gz", ~0ULL, false},
        RunCase{"GridmixChecked", "hadoop_rumen/gridmix/trace_10m.json.gz", ~0ULL, true},
        RunCase{"SlsChecked", "hadoop_sls/test/resources/inputsls.json", ~0ULL, true},
        RunCase{"SynthChecked", "hadoop_sls/test/resources/syn.json", ~0ULL, true},
        RunCase{"MontageDagChecked", "wfinstances/montage-chameleon-2mass-01d-001.json", ~0ULL,
                true}),
    [](const auto& param) { return std::string(param.param.name); });

// On machines of the names that the trace recorded, tasks are placed by where their input was.
TEST(ProductionRuns, RecordedPlacesShowInTheLocality) {
  const auto path = traces_folder() / "hadoop_rumen/mumak/19-jobs.trace.json.gz";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no trace at " << path;
  Names names;
  const auto first = open_trace(path.string(), {}, names);
  FirstJobs hosts(*first, ~0ULL);
  Job job;
  while (hosts.next(job)) {
  }
  ASSERT_GT(hosts.recorded_hosts.size(), 1000u);
  const auto reader = open_trace(path.string(), {}, names);
  FirstJobs jobs(*reader, ~0ULL);
  RunResult result;
  run_fifo(jobs, machines_of(hosts.recorded_hosts.size(), hosts.recorded_hosts), false, result);
  EXPECT_EQ(result.outcome, RunOutcome::complete);
  // 1,506 of the 8,573 maps recorded no place; theirs are modelled, as of any other file.
  EXPECT_GT(result.results.localities[Locality::node], 0u);
  EXPECT_EQ(result.results.localities[Locality::node] + result.results.localities[Locality::rack] +
                result.results.localities[Locality::off_switch],
            8573u);
}

}  // namespace
}  // namespace tracebed
