// The machines of a trace as the cluster of a virtual experiment: which of them there are, in which
// racks, and when they go and come shows in what becomes of the tasks.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

#include "applications/masters.h"
#include "coordinator/config/load_experiment.h"
#include "coordinator/engine/engine.h"
#include "coordinator/engine/replay.h"
#include "coordinator/virtual/virtual_fleet.h"
#include "coordinator/workload/trace_workload.h"
#include "core/input_error.h"
#include "support/scheduler_parameters.h"
#include "support/schedulers.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using testing::HasSubstr;

class Attempts final : public RecordSink {
 public:
  void attempt_ended(const AttemptRecord& record) override {
    if (record.launched) list.push_back(record);
  }
  void job_ended(const JobRecord& record) override { ++outcomes[record.outcome]; }
  void preemption_ended(const PreemptionRecord&) override {}
  void sampled(const ClusterSample&) override {}

  std::uint64_t with(ContainerEnd end) const {
    return static_cast<std::uint64_t>(std::count_if(
        list.begin(), list.end(), [end](const AttemptRecord& each) { return each.end == end; }));
  }

  std::vector<AttemptRecord> list;
  std::map<JobOutcome, std::uint64_t> outcomes;
};

class TraceMachines : public testing::Test {
 protected:
  Experiment experiment(const std::string& trace, const std::string& cluster,
                        const std::string& world = "virtual") const {
    return parse_experiment("name = \"t\"\nworld = \"" + world +
                                "\"\nschedulers = [\"fifo\"]\n[trace]\nfile = \"" + trace +
                                "\"\n[cluster]\n" + cluster,
                            "t.toml", {folder_.path(), std::nullopt, false});
  }
  std::string fault_of(const std::string& trace, const std::string& cluster,
                       const std::string& world = "virtual") const {
    try {
      const Experiment chosen = experiment(trace, cluster, world);
      const ResolvedExperiment resolved = resolve(test::schedulers(), chosen);
      const TraceWorkload workload(resolved);
    } catch (const InputError& error) {
      return error.what();
    }
    return "none";
  }

  // Replays the experiment's trace under FIFO, on machines without any delay of their own.
  static void run(const Experiment& experiment, Attempts& attempts) {
    const ResolvedExperiment resolved = resolve(test::schedulers(), experiment);
    const TraceWorkload workload(resolved);
    Names names;
    const auto jobs = workload.open(names, experiment.seed);
    auto scheduler = test::schedulers().make("fifo", test::parameters_for("fifo"));
    ASSERT_TRUE(scheduler.has_value());
    EngineSetup setup;
    setup.scheduler = std::move(scheduler).value();
    setup.make_master = MasterBuilder(MasterOptions(), 1);
    setup.paranoid = true;
    Engine engine(std::move(setup), attempts);
    VirtualOptions options;
    options.is_ideal = true;
    options.node_expiry = seconds(10);
    VirtualFleet fleet(options, workload.machines(), workload.changes());
    EXPECT_EQ(replay(engine, fleet, jobs.get(), nullptr, [](const ReplayProgress&) { return true; })
                  .outcome,
              RunOutcome::complete);
  }

  const TemporaryFolder folder_;
};

// One task of 1000 s, submitted at 600 s of the file's clock, on machines half as large as asked.
const std::string google_tasks =
    "600000000,,1,0,,0,u,0,2,0.5,0.25,0.001,0\n"
    "601000000,,1,0,5,1,u,0,2,0.5,0.25,0.001,0\n"
    "1601000000,,1,0,5,4,u,0,2,0.5,0.25,0.001,0\n";

TEST_F(TraceMachines, OfGoogleGoAndTheTasksOnThemRunAgainElsewhere) {
  folder_.write("tasks.csv", google_tasks);
  // The first goes 100 s after the job came; the second comes at 200 s.
  folder_.write("machines.csv",
                "0,5,0,p,0.5,0.25\n"
                "700000000,5,1,p,0.5,0.25\n"
                "800000000,6,0,p,0.5,0.25\n");
  Attempts attempts;
  run(experiment("tasks.csv", "machines = \"machines.csv\"\n"), attempts);
  ASSERT_EQ(attempts.list.size(), 2u);
  EXPECT_EQ(attempts.list[0].end, ContainerEnd::node_lost);
  EXPECT_EQ(attempts.list[0].node, NodeId(0u));
  EXPECT_EQ(attempts.list[1].end, ContainerEnd::succeeded);
  EXPECT_EQ(attempts.list[1].node, NodeId(1u));
  EXPECT_EQ(attempts.list[1].account.started, trace_time(0) + seconds(200));
  EXPECT_EQ(attempts.list[1].account.ended, trace_time(0) + seconds(1200));
}

TEST_F(TraceMachines, ThatAreThereAllTheTimeLoseNoTask) {
  folder_.write("tasks.csv", google_tasks);
  folder_.write("machines.csv", "0,5,0,p,0.5,0.25\n700000000,6,0,p,0.5,0.25\n");
  Attempts attempts;
  run(experiment("tasks.csv", "machines = \"machines.csv\"\n"), attempts);
  ASSERT_EQ(attempts.list.size(), 1u);
  EXPECT_EQ(attempts.list[0].end, ContainerEnd::succeeded);
}

// Three maps whose input lies on `a`, on machines for one map each: `b` is in the same rack.
TEST_F(TraceMachines, OfRumenHaveRacksThatShowInTheLocality) {
  std::string tasks;
  for (int i = 0; i < 3; ++i) {
    tasks += std::string(i == 0 ? "" : ",") +
             R"({"inputBytes":9,"attempts":[{"result":"SUCCESS","hostName":"/r1/a",)"
             R"("startTime":1000,"finishTime":61000}],)"
             R"("preferredLocations":[{"layers":["r1","a"]}]})";
  }
  folder_.write("jobs.json", R"({"jobID":"j","submitTime":1000,"mapTasks":[)" + tasks + "]}");
  folder_.write("topology.json",
                R"({"name":"<root>","children":[{"name":"r1","children":[{"name":"a"},)"
                R"({"name":"b"}]},{"name":"r2","children":[{"name":"c"}]}]})");
  Attempts attempts;
  run(experiment("jobs.json", "machines = \"topology.json\"\nvcores = 1\nmemory = \"1 GiB\"\n"),
      attempts);
  ASSERT_EQ(attempts.list.size(), 3u);
  std::map<NodeId, Locality> on;
  for (const AttemptRecord& each : attempts.list) on[each.node] = each.locality;
  for (const auto& [node, locality] : on) {
    EXPECT_EQ(locality, node == NodeId(0u)   ? Locality::node
                        : node == NodeId(1u) ? Locality::rack
                                             : Locality::off_switch);
  }
  EXPECT_TRUE(on.contains(NodeId(0u)));
  EXPECT_TRUE(on.contains(NodeId(1u)));
}

TEST_F(TraceMachines, AreCountedFromTheBeginOfTheWindow) {
  folder_.write("tasks.swf",
                "1 0 -1 10 1 -1 -1 1 -1 -1 1 7 1 -1 1 -1 -1 -1\n"
                "2 900 -1 10 1 -1 -1 1 -1 -1 1 7 1 -1 1 -1 -1 -1\n");
  folder_.write("machines.csv",
                "0,5,0,p,0.5,0.25\n0,6,0,p,1,1\n700000000,5,1,p,,\n1000000000,6,1,p,,\n");
  Experiment windowed = experiment("tasks.swf", "machines = \"machines.csv\"\n");
  windowed.trace.from = trace_time(0) + seconds(800);
  const ResolvedExperiment resolved = resolve(test::schedulers(), windowed);
  const TraceWorkload workload(resolved);
  ASSERT_EQ(workload.machines().size(), 2u);
  EXPECT_EQ(workload.machines()[1].capacity, Resources(16'000, 65'536));
  ASSERT_EQ(workload.changes().size(), 2u);
  EXPECT_EQ(workload.changes()[0].at, trace_time(0));
  EXPECT_EQ(workload.changes()[0].node, NodeId(0u));
  EXPECT_EQ(workload.changes()[1].at, trace_time(0) + seconds(200));
}

TEST_F(TraceMachines, OfAWrongFileOrKeyAreRefused) {
  folder_.write("tasks.csv", google_tasks);
  folder_.write("machines.csv", "0,5,0,p,0.5,0.25\n");
  EXPECT_THAT(fault_of("tasks.csv", "machines = \"tasks.csv\"\n"),
              HasSubstr("expected a machine file"));
  EXPECT_THAT(fault_of("tasks.csv", "machines = \"none.csv\"\n"),
              HasSubstr("no such machine file"));
  EXPECT_THAT(fault_of("tasks.csv", "machines = \"machines.csv\"\nnodes = 3\n"),
              HasSubstr("nodes"));
  EXPECT_THAT(fault_of("tasks.csv", "machines = \"machines.csv\"\n", "local"),
              HasSubstr("virtual world"));
}

// Whole devices can be asked of a file, but not of an agent.
TEST_F(TraceMachines, OfAgentsLoseWhatIsInNoDevice) {
  folder_.write("tasks.swf", "1 0 -1 10 1 -1 -1 1 -1 -1 1 7 1 -1 1 -1 -1 -1\n");
  const std::string cluster =
      "nodes = 1\nvcores = 4\nmemory = \"8 GiB\"\nextra = { gpu_milli = 2000 }\n";
  ResolvedExperiment resolved = resolve(test::schedulers(), experiment("tasks.swf", cluster));
  const std::size_t gpu = ResourceDimensions(resolved.cluster.extra_dimensions).find("gpu_milli");
  resolved.cluster.machines[0].name = "agent7";
  resolved.cluster.machines[0].capacity[gpu] = 2'500;
  EXPECT_THROW(TraceWorkload{resolved}, InputError);
  resolved.world = World::cluster;
  const TraceWorkload workload(resolved);
  EXPECT_THAT(workload.facts().warnings,
              testing::Contains("agent agent7: 500 of its 2500 of gpu_milli is lost, in no device "
                                "of 1000 (cluster.devices)"));
}

// The whole of Google's sample on the machines of its cell.
TEST_F(TraceMachines, OfTheRealGoogleTraceGoWhileTasksRun) {
  const char* set = std::getenv("TRACEBED_TRACES");
  const std::filesystem::path traces = set != nullptr ? set : TRACEBED_TRACES_DEFAULT;
  const auto google = traces / "google_2011";
  if (!std::filesystem::exists(google)) GTEST_SKIP() << "no trace at " << google;
  Experiment whole = experiment((google / "task_events/part-00000-of-00500.csv.gz").string(),
                                "machines = \"" + google.string() + "\"\n");
  whole.trace.jobs_max = 400;
  const ResolvedExperiment resolved = resolve(test::schedulers(), whole);
  const TraceWorkload workload(resolved);
  // 12,583 machines, of which some had several capacities and some none.
  EXPECT_GT(workload.machines().size(), 12'583u);
  EXPECT_GT(workload.changes().size(), 8'957u);
}

}  // namespace
}  // namespace tracebed
