// Which containers YARN's schedulers give for what is asked. Figures are worked by hand.
#include "schedulers/yarn/container_sizes.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/config/xml_file.h"
#include "schedulers/yarn/configuration/yarn_site.h"
#include "support/scheduler_parameters.h"
#include "support/schedulers.h"

namespace tracebed {
namespace {

using testing::HasSubstr;

constexpr ResourceCalculator memory(ResourceCalculator::Kind::memory);
constexpr ResourceCalculator dominant(ResourceCalculator::Kind::dominant);

struct Case {
  const char* scheduler;
  const char* semantics;  // empty: it has no generations
};

class TableOfTheAnalysis : public testing::TestWithParam<Case> {
 protected:
  // The scheduler under a yarn-site.xml with these properties.
  static std::unique_ptr<Scheduler> scheduler(const std::string& properties) {
    const Case& chosen = GetParam();
    SchedulerParameters parameters = test::parameters_for(chosen.scheduler);
    if (*chosen.semantics != '\0') parameters.settings["semantics"] = chosen.semantics;
    const auto site = read_yarn_site(
        parse_xml("<configuration>" + properties + "</configuration>", "yarn-site.xml"),
        *test::schedulers().find(chosen.scheduler), test::schedulers());
    EXPECT_TRUE(site) << site.error().message;
    for (const auto& [name, value] : site->settings) parameters.settings[name] = value.value;
    auto made = test::schedulers().make(chosen.scheduler, parameters);
    EXPECT_TRUE(made) << made.error().message;
    return std::move(made).value();
  }
  static std::string property(const std::string& name, const std::string& value) {
    return "<property><name>" + name + "</name><value>" + value + "</value></property>";
  }
};

// yarn.scheduler.minimum-allocation-mb 512 and maximum-allocation-mb 2048, a master of 1024, maps
// and reduces of 512 each. The Fair Scheduler's step is its own in Hadoop 3.
// Proves: A6.1.sizes, A6.1.refused
TEST_P(TableOfTheAnalysis, GivesMultiplesOfTheMinimumUpToTheMaximum) {
  const auto made = scheduler(property("yarn.scheduler.minimum-allocation-mb", "512") +
                              property("yarn.scheduler.increment-allocation-mb", "512") +
                              property("yarn.scheduler.maximum-allocation-mb", "2048"));
  struct Row {
    std::int64_t asked, given;
  };
  for (const auto& [asked, given] :
       {Row{1024, 1024}, Row{512, 512}, Row{0, 512}, Row{1, 512}, Row{513, 1024}, Row{600, 1024},
        Row{1024, 1024}, Row{1025, 1536}, Row{1536, 1536}, Row{1537, 2048}, Row{2047, 2048},
        Row{2048, 2048}}) {
    const auto size = made->container_size(ApplicationId(0u), {1000, asked});
    ASSERT_TRUE(size) << asked;
    EXPECT_EQ(*size, Resources(1000, given)) << asked;
  }
  const auto size = made->container_size(ApplicationId(0u), {1000, 2049});
  ASSERT_FALSE(size);
  EXPECT_EQ(size.error().message,
            "invalid resource request: memory-mb of 2049 MiB is greater than the maximum "
            "allocation of 2048 MiB");
}

// Proves: 1.sizes-by-default
TEST_P(TableOfTheAnalysis, GivesMultiplesOf1024ByDefaultUpToAnySize) {
  const auto made = scheduler("");
  EXPECT_EQ(*made->container_size(ApplicationId(0u), {1000, 1}), Resources(1000, 1024));
  EXPECT_EQ(*made->container_size(ApplicationId(0u), {1000, 1025}), Resources(1000, 2048));
  EXPECT_EQ(*made->container_size(ApplicationId(0u), {64'000, 1 << 20}),
            Resources(64'000, 1 << 20));
}

TEST_P(TableOfTheAnalysis, RefusesTooManyVcoresWhateverItsCalculator) {
  const auto made = scheduler(property("yarn.scheduler.maximum-allocation-vcores", "4"));
  EXPECT_TRUE(made->container_size(ApplicationId(0u), {4'000, 1024}));
  const auto size = made->container_size(ApplicationId(0u), {4'500, 1024});
  ASSERT_FALSE(size);
  EXPECT_THAT(size.error().message, HasSubstr("vcores of 4.500 is greater than"));
}

std::string name_of(const testing::TestParamInfo<Case>& each) {
  std::string name = std::string(each.param.scheduler) + "_" + each.param.semantics;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '-' || c == '.'; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Yarn, TableOfTheAnalysis,
                         testing::Values(Case{"fifo", ""}, Case{"capacity", "hadoop-2.0"},
                                         Case{"capacity", "hadoop-3"}, Case{"fair", "hadoop-2.0"},
                                         Case{"fair", "hadoop-3"}),
                         name_of);

// Proves: 5.1.increment
TEST(FairSizes, AreMultiplesOfTheIncrementInHadoop3AndOfTheMinimumBefore) {
  const auto size = [](const char* semantics, const char* step, Resources demand) {
    SchedulerParameters parameters = test::parameters_for("fair");
    parameters.settings = {{"semantics", semantics},
                           {"container_step", step},
                           {"minimum_allocation_mib", "512"},
                           {"increment_allocation_mib", "768"}};
    return *std::move(test::schedulers().make("fair", parameters))
                .value()
                ->container_size(ApplicationId(0u), demand);
  };
  EXPECT_EQ(size("hadoop-3", "semantics", {1000, 800}), Resources(1000, 1536));
  EXPECT_EQ(size("hadoop-3", "semantics", {1000, 100}), Resources(1000, 768));
  EXPECT_EQ(size("hadoop-2.0", "semantics", {1000, 800}), Resources(1000, 1024));
  EXPECT_EQ(size("hadoop-3", "minimum", {1000, 800}), Resources(1000, 1024));
  EXPECT_EQ(size("hadoop-2.0", "increment", {1000, 800}), Resources(1000, 1536));
  // The Fair Scheduler rounds all resources.
  EXPECT_EQ(size("hadoop-3", "semantics", {1'100, 768}), Resources(2'000, 768));
}

// Proves: 1.sizes-by-calculator
TEST(ContainerSizes, LeaveVcoresAloneWhereMemoryIsCounted) {
  const Resources minimum(1'000, 1'024);
  const ContainerSizes by_memory({memory, minimum, minimum, {}});
  EXPECT_EQ(*by_memory.size_for({100, 100}, nullptr), Resources(100, 1'024));
  const ContainerSizes by_all({dominant, minimum, minimum, {}});
  EXPECT_EQ(*by_all.size_for({100, 100}, nullptr), Resources(1'000, 1'024));
  Resources more(100, 100);
  more[2] = 3;
  Resources raised(1'000, 1'024);
  raised[2] = 3;
  EXPECT_EQ(*by_all.size_for(more, nullptr), raised) << "what has no step stays";
}

// Proves: 1.sizes-end-at-the-largest-node
TEST(ContainerSizes, EndAtTheLargestNodeThatWasSeen) {
  ContainerSizes sizes({memory, {1'000, 1'024}, {1'000, 1'024}, {}});
  ClusterModel cluster;
  for (const std::int64_t mib : {2'500, 1'500}) {
    Node node;
    node.id = NodeId(cluster.nodes.size());
    node.capacity = {4'000, mib};
    cluster.nodes.push_back(node);
    sizes.see(cluster, NodeAdded{node.id});
  }
  EXPECT_EQ(sizes.size_for({1'000, 2'000}, nullptr)->memory_mib(), 2'048);
  EXPECT_EQ(sizes.size_for({1'000, 2'100}, nullptr)->memory_mib(), 2'500);
  // What fits nowhere is not made smaller: the engine tells that it fits nowhere.
  EXPECT_EQ(sizes.size_for({1'000, 2'600}, nullptr)->memory_mib(), 2'600);
}

// Proves: 1.sizes-of-a-queue
TEST(ContainerSizes, EndAtTheQueuesMaximumTooAndAreRefusedAboveIt) {
  const ContainerSizes sizes({dominant, {1'000, 1'024}, {1'000, 1'024}, {8'000, 8'192}});
  const Resources most(2'000, 3'000);
  EXPECT_EQ(*sizes.size_for({1'500, 2'900}, &most), Resources(2'000, 3'000));
  const auto refused = sizes.size_for({1'000, 3'001}, &most);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("the queue's maximum allocation of 3000 MiB"));
}

}  // namespace
}  // namespace tracebed
