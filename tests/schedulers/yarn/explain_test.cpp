// `explain` against the screen in the YARN analysis, section 6.2.2, and figures worked by hand.
#include "schedulers/yarn/capacity/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedulers/explained_figures.h"

namespace tracebed {
namespace {

using test::formula;
using test::value;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

using Lines = std::vector<std::pair<std::string, std::string>>;

CapacityConfiguration configuration_of(const Lines& lines) {
  HadoopProperties properties;
  for (const auto& [name, value] : lines) {
    properties.set("yarn.scheduler.capacity." + name, value, "test");
  }
  auto loaded = read_capacity_configuration(properties, ResourceDimensions());
  EXPECT_TRUE(loaded.has_value()) << (loaded ? "" : loaded.error().message);
  return loaded ? std::move(loaded->configuration) : CapacityConfiguration();
}

// Ten nodes of 4096 MiB; the queue that the screen shows, and one for the rest.
const Lines screen = {{"root.queues", "a,b"},
                      {"root.a.capacity", "75"},
                      {"root.b.capacity", "25"},
                      {"root.a.user-limit-factor", "10"},
                      {"root.a.maximum-applications", "200"}};
const ExplainedCluster ten_nodes{.resources = {40'000, 40'960}, .minimum_allocation = {1'000, 512}};

// Proves: A6.2.2.page, A6.2.2.screen
TEST(Explain, ShowsTheScreenOfTheAnalysis) {
  const auto queues = explain(configuration_of(screen), ten_nodes, YarnGeneration::hadoop_2);
  ASSERT_EQ(queues.size(), 3u);
  const ExplainedQueue& a = queues[1];
  EXPECT_EQ(a.path, "root.a");
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < 16; ++i) {
    shown.push_back(std::string(a.figures[i].label) + ": " + test::text_of(a.figures[i]));
  }
  EXPECT_THAT(
      shown,
      ElementsAre("Queue State: RUNNING", "Used Capacity: 0.0%", "Absolute Capacity: 75.0%",
                  "Absolute Max Capacity: 100.0%", "Used Resources: memory: 0",
                  "Num Active Applications: 0", "Num Pending Applications: 0", "Num Containers: 0",
                  "Max Applications: 200", "Max Applications Per User: 2000",
                  "Max Active Applications: 8", "Max Active Applications Per User: 60",
                  "Configured Capacity: 75.0%", "Configured Max Capacity: 100.0%",
                  "Configured Minimum User Limit Percent: 100.0%",
                  "Configured User Limit Factor: 10.0"));
}

TEST(Explain, TodaysHadoopHoldsAUserToTheQueueAndLimitsMastersResources) {
  const auto queues = explain(configuration_of(screen), ten_nodes, YarnGeneration::hadoop_3);
  EXPECT_EQ(value(queues[1], "Max Applications Per User"), "200");
  EXPECT_EQ(value(queues[1], "Max Application Master Resources"), "memory: 4096");
  // 30,720 × 0.1 × 10 is 30,720, but no more than the queue's.
  EXPECT_EQ(value(queues[1], "Max Application Master Resources Per User"), "memory: 4096");
  EXPECT_EQ(value(queues[2], "Max Application Master Resources Per User"), "memory: 1024");
  EXPECT_THAT(formula(queues[1], "Max Active Applications"), HasSubstr("not enforced"));
}

TEST(Explain, StandsByItsFormulas) {
  const auto queues = explain(configuration_of({{"root.queues", "a,b"},
                                                {"root.a.capacity", "40"},
                                                {"root.b.capacity", "60"},
                                                {"root.a.queues", "x,y"},
                                                {"root.a.x.capacity", "1w"},
                                                {"root.a.y.capacity", "3w"},
                                                {"root.a.maximum-capacity", "50"}}),
                              ten_nodes, YarnGeneration::hadoop_3);
  const ExplainedQueue& y = queues[3];
  EXPECT_EQ(y.path, "root.a.y");
  EXPECT_EQ(value(y, "Absolute Capacity"), "30.0%");
  EXPECT_EQ(formula(y, "Absolute Capacity"),
            "the parent's × its weight / all siblings': 40.0% × 75.0%");
  EXPECT_EQ(formula(y, "Absolute Max Capacity"), "the parent's × maximum-capacity: 50.0% × 100.0%");
  EXPECT_EQ(value(y, "Guaranteed Resources"), "memory: 12288, vCores: 12");
  EXPECT_EQ(formula(y, "Max Applications"), "the system's × absolute capacity: 10000 × 30.0%");
  EXPECT_EQ(formula(queues[1], "Absolute Capacity"), "the parent's × capacity: 100.0% × 40.0%");
}

TEST(Explain, ParentsHaveNoFiguresOfApplications) {
  const auto queues = explain(configuration_of(screen), ten_nodes, YarnGeneration::hadoop_3);
  EXPECT_FALSE(queues[0].is_leaf);
  for (const Figure& each : queues[0].figures) {
    EXPECT_THAT(std::string(each.label), Not(HasSubstr("Applications")));
    EXPECT_THAT(std::string(each.label), Not(HasSubstr("User")));
  }
  EXPECT_TRUE(queues[1].is_leaf);
}

TEST(Explain, AmountsOfTheirOwnAreSetAgainstTheCluster) {
  const auto queues = explain(configuration_of({{"root.queues", "a"},
                                                {"root.a.capacity", "[memory=10240,vcores=5]"},
                                                {"global-queue-max-application", "70"}}),
                              ten_nodes, YarnGeneration::hadoop_3);
  EXPECT_EQ(value(queues[1], "Absolute Capacity"), "25.0%");
  EXPECT_EQ(formula(queues[1], "Absolute Capacity"),
            "its amount / the cluster's: memory: 10240, vCores: 5 / memory: 40960, vCores: 40");
  EXPECT_EQ(value(queues[1], "Max Applications"), "17");
  EXPECT_EQ(formula(queues[1], "Max Applications"),
            "global-queue-max-application, at most the system's 10000, × absolute capacity: 70 × "
            "25.0%");
}

// Proves: 3.3.maximum-of-labels
TEST(Explain, TakesTheLabelWithTheLargestPartForApplications) {
  const auto queues =
      explain(configuration_of({{"root.queues", "a,b"},
                                {"root.a.capacity", "0"},
                                {"root.b.capacity", "100"},
                                {"root.a.accessible-node-labels.gpu.capacity", "20"},
                                {"root.b.accessible-node-labels.gpu.capacity", "80"}}),
              ten_nodes, YarnGeneration::hadoop_3);
  EXPECT_EQ(value(queues[1], "Max Applications"), "2000");
  EXPECT_EQ(formula(queues[1], "Max Applications"),
            "the system's × absolute capacity of the label gpu: 10000 × 20.0%");
  EXPECT_EQ(value(queues[2], "Max Applications"), "10000");
}

TEST(Explain, ShowsTheLargestContainerOfAQueueThatHasItsOwn) {
  Lines lines = screen;
  lines.emplace_back("root.maximum-allocation-mb", "2048");
  lines.emplace_back("root.b.maximum-allocation-vcores", "4");
  const auto queues = explain(configuration_of(lines), ten_nodes, YarnGeneration::hadoop_3);
  EXPECT_EQ(value(queues[1], "Max Allocation"), "memory: 2048, vCores: the scheduler's");
  EXPECT_EQ(value(queues[2], "Max Allocation"), "memory: 2048, vCores: 4");
  EXPECT_THAT(formula(queues[2], "Max Allocation"), HasSubstr("or its parent's"));
}

}  // namespace
}  // namespace tracebed
