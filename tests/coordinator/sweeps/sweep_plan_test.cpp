#include "coordinator/sweeps/sweep_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/config/load_experiment.h"
#include "core/input_error.h"
#include "support/schedulers.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* swept_text = R"(name = "swept"
world = "virtual"
repetitions = 2
schedulers = ["fcfs", "fifo"]
[trace]
file = "jobs.swf"
[cluster]
nodes = 2
vcores = 2
memory = "2 GiB"
)";

class SweepPlans : public ::testing::Test {
 protected:
  SweepPlans() { folder_.write("jobs.swf", "1 0 -1 10 1 -1 -1 1 20 -1 1 1 1 1 1 -1 -1 -1\n"); }

  SweepPlan plan(const std::string& sweep, std::uint64_t limit = 1000) const {
    const std::filesystem::path file = folder_.write("swept.toml", swept_text + sweep);
    return plan_sweep({file, std::nullopt, limit}, test::schedulers());
  }
  std::string refusal(const std::string& sweep, std::uint64_t limit = 1000) const {
    try {
      plan(sweep, limit);
    } catch (const InputError& error) {
      return error.what();
    }
    return "not refused";
  }
  std::string place(int line) const {
    return folder_.file("swept.toml") + ":" + std::to_string(line) + ": ";
  }

  TemporaryFolder folder_;
};

TEST_F(SweepPlans, NumberCombinationsWithTheLastKeyFastest) {
  const SweepPlan made = plan("[sweep]\ncluster.nodes = [2, 4]\nseed = [1, 2, 3]\n");
  ASSERT_EQ(made.points.size(), 6U);
  EXPECT_EQ(values_text(made.keys, made.points[0].values), "cluster.nodes=2, seed=1");
  EXPECT_EQ(values_text(made.keys, made.points[1].values), "cluster.nodes=2, seed=2");
  EXPECT_EQ(values_text(made.keys, made.points[3].values), "cluster.nodes=4, seed=1");
  EXPECT_EQ(made.points[5].number, 6U);
}

TEST_F(SweepPlans, MakeDocumentsThatAreExperimentsAnywhere) {
  const SweepPlan made =
      plan("[sweep]\ncluster.nodes = [4]\nscheduler.fifo.maximum_allocation_mib = [2048]\n");
  const TraceFolders elsewhere{"/", std::nullopt, false};
  const Experiment experiment = parse_experiment(made.points[0].document, "point.toml", elsewhere);
  EXPECT_EQ(experiment.cluster.machines.size(), 4U);
  EXPECT_EQ(experiment.trace.file, folder_.path() / "jobs.swf");
  ASSERT_EQ(experiment.schedulers.size(), 2U);
  EXPECT_EQ(experiment.schedulers[0].label, "fcfs");
  EXPECT_EQ(experiment.schedulers[1].settings.at(0).value, "2048");
}

TEST_F(SweepPlans, RunOneSchedulerToAPointAndVaryItsSettingsOnlyThere) {
  const SweepPlan made = plan(
      "[sweep]\nschedulers = [\"fcfs\", \"fifo\", \"spread\"]\n"
      "scheduler.fifo.maximum_allocation_mib = [2048, 4096]\n");
  ASSERT_EQ(made.points.size(), 4U);
  EXPECT_EQ(values_text(made.keys, made.points[0].values), "schedulers=fcfs");
  EXPECT_EQ(values_text(made.keys, made.points[2].values),
            "schedulers=fifo, scheduler.fifo.maximum_allocation_mib=4096");
  const Experiment alone =
      parse_experiment(made.points[3].document, "point.toml", {"/", std::nullopt, false});
  ASSERT_EQ(alone.schedulers.size(), 1U);
  EXPECT_EQ(alone.schedulers[0].name, "spread");
}

TEST_F(SweepPlans, KnowPointsByTheContentsOfTheirInputs) {
  const std::string sweep = "[sweep]\nseed = [1, 2]\n";
  const SweepPlan first = plan(sweep);
  EXPECT_NE(first.points[0].digest, first.points[1].digest);
  EXPECT_EQ(plan(sweep).digest, first.digest);
  // A point is the same whatever other points there are.
  EXPECT_EQ(plan("[sweep]\nseed = [2]\n").points[0].digest, first.points[1].digest);
  folder_.write("jobs.swf", "1 0 -1 11 1 -1 -1 1 20 -1 1 1 1 1 1 -1 -1 -1\n");
  EXPECT_NE(plan(sweep).points[0].digest, first.points[0].digest);
}

TEST_F(SweepPlans, FindFilesOfSchedulersFromWhereTheExperimentIs) {
  constexpr const char* queues =
      "<configuration><property><name>yarn.scheduler.capacity.root.queues</name>"
      "<value>a</value></property><property><name>yarn.scheduler.capacity.root.a.capacity</name>"
      "<value>100</value></property></configuration>";
  folder_.write("queues.xml", queues);
  folder_.write("more.xml", std::string(queues) + "\n");
  const std::string sweep =
      "[[scheduler]]\nname = \"capacity\"\nconfig = \"queues.xml\"\n"
      "[sweep]\nscheduler.capacity.config = [\"queues.xml\", \"more.xml\"]\n";
  const SweepPlan made = plan(sweep);
  ASSERT_EQ(made.points.size(), 2U);
  EXPECT_THAT(made.points[1].document, HasSubstr(folder_.file("more.xml")));
  folder_.write("more.xml", std::string(queues) + "\n\n");
  const SweepPlan changed = plan(sweep);
  EXPECT_EQ(changed.points[0].digest, made.points[0].digest);
  EXPECT_NE(changed.points[1].digest, made.points[1].digest);
}

TEST_F(SweepPlans, ReadATraceOnceUnlessRulesDiffer) {
  EXPECT_EQ(plan("[sweep]\nseed = [1, 2]\n").traces.size(), 1U);
  EXPECT_EQ(plan("[sweep]\ntrace.rules.swf.processor_vcores = [1, 2]\n").traces.size(), 2U);
}

TEST_F(SweepPlans, RefuseWhatIsNoExperimentWithItsPlaceAndPoint) {
  EXPECT_EQ(refusal("[sweep]\ncluster.nodes = [1, 0]\n"),
            place(12) +
                "cluster.nodes: expected a whole number from 1 to 100000, got 0 (point 2: "
                "cluster.nodes=0)");
  EXPECT_THAT(refusal("[sweep]\nclutser.nodes = [1]\n"), HasSubstr("did you mean cluster?"));
  EXPECT_THAT(refusal("[sweep]\nscheduler.fifo.frobnicate = [1]\n"),
              AllOf(StartsWith(place(12)), HasSubstr("frobnicate")));
  EXPECT_THAT(refusal("[sweep]\nscheduler.fair.x = [1]\n"),
              StartsWith(place(12) + "scheduler.fair.x: expected scheduler.LABEL.KEY"));
  EXPECT_THAT(refusal("[sweep]\nschedulers = [\"fcfs\"]\nscheduler.fifo.x = [1]\n"),
              StartsWith(place(13) + "scheduler.fifo.x: expected a setting of a scheduler that "
                                     "`sweep.schedulers` runs"));
  EXPECT_THAT(refusal("[sweep]\nworld = [\"local\"]\n"),
              StartsWith(place(12) + "world: expected \"virtual\" for a sweep"));
  EXPECT_THAT(refusal("[sweep]\noutput.folder = [\"a\"]\n"),
              StartsWith(place(12) + "output.folder: expected no"));
  EXPECT_THAT(refusal(""), HasSubstr("sweep: this key is missing"));
}

TEST_F(SweepPlans, RefuseMorePointsThanAllowedBeforeMakingAny) {
  EXPECT_THAT(
      refusal("[sweep]\nseed = { from = 1, to = 50000, step = 1 }\ncluster.nodes = { from = "
              "1, to = 50000, step = 1 }\ncluster.vcores = [1, 2]\n"),
      HasSubstr("expected at most 1000 points (--limit), got 50000 × 50000 × 2"));
  EXPECT_THAT(refusal("[sweep]\nseed = [1, 2]\n", 1), HasSubstr("expected at most 1 points"));
}

}  // namespace
}  // namespace tracebed
