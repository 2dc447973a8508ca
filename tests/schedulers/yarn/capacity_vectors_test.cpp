// Capacities with a unit for each resource, on a given cluster, against figures worked by hand and
// those of Hadoop's TestMixedQueueResourceCalculation and TestUniformQueueResourceCalculation.
#include "schedulers/yarn/capacity/capacity_vectors.h"

#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedulers/explained_figures.h"
#include "schedulers/yarn/capacity/explain.h"
#include "schedulers/yarn/vector_lines.h"

namespace tracebed {
namespace {

using testing::IsEmpty;

constexpr const char* dominant_class_name =
    "org.apache.hadoop.yarn.util.resource.DominantResourceCalculator";

class CapacityVectors : public testing::Test {
 protected:
  void read(VectorLines lines) {
    lines.emplace_back("resource-calculator", dominant_class_name);
    auto loaded = read_vectors(lines, dimensions_);
    ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
    configuration_ = std::move(loaded->configuration);
  }
  QueueFigures of(const std::string& queue, const Resources& cluster,
                  const std::string& label = {}) const {
    const auto all = figures_in(configuration_, label, cluster);
    return all[static_cast<std::size_t>(configuration_.find(queue) - configuration_.queues.data())];
  }
  // "MEMORY VCORES", and what else there is.
  std::string guaranteed(const std::string& queue, const std::string& label = {}) const {
    return text_of(of(queue, cluster_, label).guaranteed);
  }
  std::string maximum(const std::string& queue) const {
    return text_of(of(queue, cluster_).maximum);
  }
  std::string warnings(const std::string& queue) const {
    return warnings_text(of(queue, cluster_).warnings, dimensions_);
  }
  std::string text_of(const Resources& amount) const {
    std::string text =
        std::to_string(amount.memory_mib()) + " " + std::to_string(amount.milli_vcores() / 1'000);
    for (std::size_t d = 2; d < dimensions_.size(); ++d) text += " " + std::to_string(amount[d]);
    return text;
  }

  ResourceDimensions dimensions_;
  CapacityConfiguration configuration_;
  Resources cluster_{16'000, 16'384};
};

// ---- Hadoop's own figures ----

// testComplexHierarchyWithoutRemainingResource, where a refresh has put a2 before a1: a half is
// rounded up for whoever comes first.
// Proves: 3.1.vectors, 3.1.vector-order, 3.1.vector-rounding
TEST_F(CapacityVectors, GiveAmountsThenPercentagesThenWeights) {
  read({{"root.queues", "a,b,c"},
        {"root.a.queues", "a2,a1"},
        {"root.a.a1.queues", "a11,a12"},
        {"root.b.queues", "b1"},
        {"root.a.capacity", "[memory=30%,vcores=6w]"},
        {"root.a.a1.capacity", "[memory=1w,vcores=4]"},
        {"root.a.a1.a11.capacity", "[memory=35%,vcores=25%]"},
        {"root.a.a1.a12.capacity", "[memory=65%,vcores=75%]"},
        {"root.a.a2.capacity", "[memory=3w,vcores=100%]"},
        {"root.b.capacity", "[memory=8095,vcores=30%]"},
        {"root.b.b1.capacity", "[memory=5w,vcores=3]"},
        {"root.c.capacity", "[memory=3w,vcores=4]"}});
  EXPECT_EQ(guaranteed("root.a"), "2486 9");
  EXPECT_EQ(guaranteed("root.a.a1"), "621 4");
  EXPECT_EQ(guaranteed("a11"), "217 1");
  EXPECT_EQ(guaranteed("a12"), "403 3");
  EXPECT_EQ(guaranteed("a2"), "1865 5");
  EXPECT_EQ(guaranteed("root.b"), "8095 3");
  EXPECT_EQ(guaranteed("b1"), "8095 3");
  EXPECT_EQ(guaranteed("c"), "5803 4");
  // By the dominant resource: 9 of 16 vcores, and 4 of these 9.
  EXPECT_EQ(of("root.a", cluster_).absolute_capacity, 9.0F / 16);
  EXPECT_EQ(of("root.a.a1", cluster_).capacity, 4.0F / 9);
  EXPECT_EQ(of("c", cluster_).absolute_capacity, 5'803.0F / 16'384);
}

// testComplexHierarchyWithWarnings
// Proves: 3.1.vector-warnings, 3.1.vector-downscaled, 3.1.vector-memory-first
TEST_F(CapacityVectors, WarnOfWhatTheClusterCannotGive) {
  read({{"root.queues", "a,b,c"},
        {"root.a.queues", "a1,a2"},
        {"root.a.a1.queues", "a11,a12"},
        {"root.b.queues", "b1"},
        {"root.a.capacity", "[memory=100%,vcores=6w]"},
        {"root.a.a1.capacity", "[memory=2048,vcores=4]"},
        {"root.a.a1.a11.capacity", "[memory=1w,vcores=4]"},
        {"root.a.a1.a12.capacity", "[memory=100%,vcores=100%]"},
        {"root.a.a2.capacity", "[memory=2048,vcores=100%]"},
        {"root.b.capacity", "[memory=8096,vcores=30%]"},
        {"root.b.b1.capacity", "[memory=10256,vcores=3]"},
        {"root.c.capacity", "[memory=3w,vcores=4]"}});
  EXPECT_EQ(guaranteed("root.a"), "8288 12");
  EXPECT_EQ(guaranteed("root.a.a1"), "2048 4");
  EXPECT_EQ(guaranteed("a2"), "2048 8");
  EXPECT_EQ(guaranteed("a11"), "0 0");
  EXPECT_EQ(guaranteed("a12"), "2048 4");
  EXPECT_EQ(guaranteed("root.b"), "8096 4");
  EXPECT_EQ(guaranteed("b1"), "8096 3");
  EXPECT_EQ(guaranteed("c"), "0 0");
  EXPECT_EQ(of("c", cluster_).absolute_capacity, 0);
  EXPECT_EQ(warnings("c"), "QUEUE_ZERO_RESOURCE: vcores, memory");
  EXPECT_EQ(warnings("a11"), "QUEUE_ZERO_RESOURCE: vcores, memory");
  EXPECT_EQ(warnings("root.a"), "BRANCH_UNDERUTILIZED: memory");
  EXPECT_EQ(warnings("root.b"), "BRANCH_UNDERUTILIZED: vcores; BRANCH_DOWNSCALED: memory");
  EXPECT_EQ(warnings("a12"), "");
}

// testZeroResourceIfNoMemory
TEST_F(CapacityVectors, GiveNothingToAQueueWithoutMemory) {
  read({{"root.queues", "a,b"},
        {"root.a.capacity", "[memory=100%,vcores=6w]"},
        {"root.b.capacity", "[memory=16384,vcores=8]"}});
  EXPECT_EQ(guaranteed("a"), "0 0");
  EXPECT_EQ(guaranteed("b"), "16384 8");
  EXPECT_EQ(warnings("a"), "QUEUE_ZERO_RESOURCE: vcores, memory");
  EXPECT_EQ(warnings("root"), "BRANCH_UNDERUTILIZED: vcores");
}

// testDifferentMinimumAndMaximumCapacityTypes
// Proves: 3.1.vector-maximum
TEST_F(CapacityVectors, HaveMaximaWithUnitsOfTheirOwn) {
  read({{"root.queues", "a,b"},
        {"root.a.capacity", "[memory=50%,vcores=8]"},
        {"root.a.maximum-capacity", "[memory=16384,vcores=80%]"},
        {"root.b.capacity", "[memory=6w,vcores=100%]"},
        {"root.b.maximum-capacity", "[memory=16384,vcores=8]"}});
  EXPECT_EQ(guaranteed("a"), "8192 8");
  EXPECT_EQ(maximum("a"), "16384 12");
  EXPECT_EQ(guaranteed("b"), "8192 8");
  EXPECT_EQ(maximum("b"), "16384 8");
  EXPECT_EQ(of("a", cluster_).maximum_capacity, 1);
  for (const char* queue : {"root", "a", "b"}) EXPECT_EQ(warnings(queue), "") << queue;
}

// testMaximumResourceWarnings
TEST_F(CapacityVectors, AreHeldToTheirMaximumAndThatToTheParents) {
  read({{"root.queues", "a,b"},
        {"root.a.capacity", "50"},
        {"root.b.capacity", "50"},
        {"root.a.queues", "a1"},
        {"root.a.a1.capacity", "100"},
        {"root.a.a1.maximum-capacity", "[memory=8192,vcores=100%]"},
        {"root.a.a1.queues", "a11,a12"},
        {"root.a.a1.a11.capacity", "[memory=50%,vcores=100%]"},
        {"root.a.a1.a11.maximum-capacity", "[memory=90%,vcores=10%]"},
        {"root.a.a1.a12.capacity", "[memory=50%,vcores=0%]"},
        {"root.a.a1.a12.maximum-capacity", "[memory=101%]"}});
  EXPECT_EQ(guaranteed("a11"), "4096 1");
  EXPECT_EQ(maximum("a11"), "7372 1");
  EXPECT_EQ(guaranteed("a12"), "4096 0");
  EXPECT_EQ(maximum("a12"), "8192 16") << "what is not named has no maximum of its own";
  EXPECT_EQ(warnings("a11"), "QUEUE_EXCEEDS_MAX_RESOURCE: vcores");
  EXPECT_EQ(warnings("a12"),
            "QUEUE_ZERO_RESOURCE: vcores; QUEUE_MAX_RESOURCE_EXCEEDS_PARENT: memory");
  EXPECT_EQ(warnings("root.a.a1"), "BRANCH_UNDERUTILIZED: vcores");
}

// testNodeLabels
// Proves: 3.1.vector-labels
TEST_F(CapacityVectors, OfLabelsDivideTheirPartitions) {
  VectorLines lines = {{"root.queues", "a,b"},
                       {"root.a.queues", "a1,a2"},
                       {"root.a.capacity", "[memory=2048,vcores=50%]"},
                       {"root.a.a1.capacity", "[memory=1024,vcores=70%]"},
                       {"root.a.a2.capacity", "[memory=1024,vcores=30%]"},
                       {"root.b.capacity", "[memory=3w,vcores=50%]"}};
  const auto label = [&](const char* path, const char* name, const char* capacity) {
    lines.emplace_back(
        std::string("root.") + path + ".accessible-node-labels." + name + ".capacity", capacity);
  };
  label("a", "x", "[memory=50%,vcores=3w]");
  label("a.a1", "x", "[memory=20480,vcores=10%]");
  label("a.a2", "x", "[memory=10240,vcores=30]");
  label("b", "x", "[memory=50%,vcores=50%]");
  label("a", "y", "[memory=8096,vcores=1w]");
  label("a.a1", "y", "[memory=6186,vcores=3w]");
  label("a.a2", "y", "[memory=3w,vcores=3w]");
  label("b", "y", "[memory=100%,vcores=30%]");
  label("a", "z", "[memory=70%,vcores=11]");
  label("a.a1", "z", "[memory=90%,vcores=40%]");
  label("a.a2", "z", "[memory=10%,vcores=4w]");
  label("b", "z", "[memory=30%,vcores=4]");
  read(lines);
  const auto check = [&](const char* name, const Resources& cluster,
                         const std::vector<std::string>& expected) {
    std::vector<std::string> found;
    for (const char* queue : {"root.a", "a1", "a2", "b"}) {
      found.push_back(text_of(of(queue, cluster, name).guaranteed));
    }
    EXPECT_EQ(found, expected) << name;
  };
  check("", {16'000, 5'120}, {"2048 8", "1024 5", "1024 2", "3072 8"});
  check("x", {60'000, 61'440}, {"30720 30", "20480 0", "10240 30", "30720 30"});
  check("y", {60'000, 20'480}, {"8096 42", "6186 21", "1910 21", "12384 18"});
  check("z", {15'000, 10'240}, {"7168 11", "6451 4", "716 7", "3072 4"});
}

// TestUniformQueueResourceCalculation.testWeightResourceCalculation, testPercentage…
TEST_F(CapacityVectors, OfOneFormAreTheSameForEveryResource) {
  const auto tree = [](std::array<const char*, 6> capacities) {
    return VectorLines{{"root.queues", "a,b"},
                       {"root.a.queues", "a1,a2"},
                       {"root.a.a1.queues", "a11,a12"},
                       {"root.a.capacity", capacities[0]},
                       {"root.b.capacity", capacities[1]},
                       {"root.a.a1.capacity", capacities[2]},
                       {"root.a.a1.a11.capacity", capacities[3]},
                       {"root.a.a1.a12.capacity", capacities[4]},
                       {"root.a.a2.capacity", capacities[5]}};
  };
  read(tree({"3w", "6w", "2w", "5w", "8w", "3w"}));
  cluster_ = {40'000, 256'000};
  EXPECT_EQ(guaranteed("root.a"), "85333 13");
  EXPECT_EQ(guaranteed("b"), "170667 27");
  EXPECT_EQ(guaranteed("root.a.a1"), "34133 5");
  EXPECT_EQ(guaranteed("a2"), "51200 8");
  EXPECT_EQ(guaranteed("a11"), "13128 2");
  EXPECT_EQ(guaranteed("a12"), "21005 3");
  read(tree({"30", "70", "17", "25", "75", "83"}));
  cluster_ = {20'000, 10'240};
  EXPECT_EQ(guaranteed("root.a"), "3072 6");
  EXPECT_EQ(guaranteed("b"), "7168 14");
  EXPECT_EQ(guaranteed("root.a.a1"), "522 1");
  EXPECT_EQ(guaranteed("a11"), "130 0");
  EXPECT_EQ(guaranteed("a12"), "391 0");
  EXPECT_EQ(guaranteed("a2"), "2549 4");
}

// testAbsoluteResourceCalculation: on half of the cluster everybody has half.
TEST_F(CapacityVectors, AmountsAreScaledDownWithTheCluster) {
  read({{"root.queues", "a,b"},
        {"root.a.queues", "a1,a2"},
        {"root.a.capacity", "[memory=80Gi,vcores=10]"},
        {"root.b.capacity", "[memory=170Gi,vcores=30]"},
        {"root.a.a1.capacity", "[memory=50Gi,vcores=4]"},
        {"root.a.a2.capacity", "[memory=30Gi,vcores=6]"}});
  cluster_ = {40'000, 256'000};
  EXPECT_EQ(guaranteed("a1"), "51200 4");
  EXPECT_EQ(warnings("root"), "");
  cluster_ = {20'000, 128'000};
  EXPECT_EQ(guaranteed("root.a"), "40960 5");
  EXPECT_EQ(guaranteed("b"), "87040 15");
  EXPECT_EQ(guaranteed("a1"), "25600 2");
  EXPECT_EQ(guaranteed("a2"), "15360 3");
  EXPECT_EQ(warnings("root"), "BRANCH_DOWNSCALED: vcores, memory");
}

// ---- worked by hand ----

// 100 memory: b has 40; of the 60 left a's half is 30, and c and d share the other 30 as 2 to 1.
// 30 vcores: of the 20 left a's half is 30 × (20 / 30 × 50 / 100), in 64 bits a bit below 10.
TEST_F(CapacityVectors, OfSiblingsMayHaveDifferentForms) {
  read({{"root.queues", "a,b,c,d"},
        {"root.a.capacity", "50"},
        {"root.b.capacity", "[memory=40,vcores=10]"},
        {"root.c.capacity", "2w"},
        {"root.d.capacity", "1w"}});
  cluster_ = {30'000, 100};
  EXPECT_EQ(guaranteed("a"), "30 9");
  EXPECT_EQ(guaranteed("b"), "40 10");
  EXPECT_EQ(guaranteed("c"), "20 7");
  EXPECT_EQ(guaranteed("d"), "10 4");
  EXPECT_EQ(warnings("root"), "");
}

// 5 vcores: 2.5 is rounded to 3, and the second has what is left.
TEST_F(CapacityVectors, WeightsAreRoundedAndTheLastHasWhatIsLeft) {
  read({{"root.queues", "a,b"}, {"root.a.capacity", "1w"}, {"root.b.capacity", "1w"}});
  cluster_ = {5'000, 10};
  EXPECT_EQ(guaranteed("a"), "5 3");
  EXPECT_EQ(guaranteed("b"), "5 2");
  EXPECT_EQ(warnings("b"), "QUEUE_OVERUTILIZED: vcores");
}

TEST_F(CapacityVectors, PercentagesMayAddUpToMoreOrLess) {
  read({{"root.queues", "a,b"}, {"root.a.capacity", "70"}, {"root.b.capacity", "60"}});
  cluster_ = {10'000, 100};
  EXPECT_EQ(guaranteed("a"), "70 7");
  EXPECT_EQ(guaranteed("b"), "30 3");
  EXPECT_EQ(warnings("b"), "QUEUE_OVERUTILIZED: vcores, memory");
  read({{"root.queues", "a,b"}, {"root.a.capacity", "30"}, {"root.b.capacity", "60"}});
  EXPECT_EQ(warnings("root"), "BRANCH_UNDERUTILIZED: vcores, memory");
}

TEST_F(CapacityVectors, CountFurtherResources) {
  dimensions_ = ResourceDimensions(std::vector<std::string>{"gpu"});
  read({{"root.queues", "a,b"},
        {"root.a.capacity", "[memory=50%,vcores=4w,gpu=2]"},
        {"root.a.maximum-capacity", "[memory=100%,gpu=50%]"},
        {"root.b.capacity", "[memory-mb=50%,vcores=4w,gpu=100%]"}});
  cluster_[2] = 8;
  EXPECT_EQ(guaranteed("a"), "8192 8 2");
  EXPECT_EQ(maximum("a"), "16384 16 4");
  EXPECT_EQ(guaranteed("b"), "8192 8 6");
  EXPECT_EQ(warnings("root"), "");
  // A partition without them: the amount cannot be given.
  cluster_[2] = 0;
  EXPECT_EQ(guaranteed("a"), "8192 8 0");
  EXPECT_EQ(warnings("root"), "BRANCH_DOWNSCALED: gpu");
  EXPECT_EQ(warnings("a"), "QUEUE_ZERO_RESOURCE: gpu");
  EXPECT_EQ(warnings("b"), "");
}

// Proves: 3.1.vector-nothing
TEST_F(CapacityVectors, AQueueThatStatesNothingHasNothing) {
  read({{"root.queues", "a,b"},
        {"root.a.capacity", "100"},
        {"root.a.accessible-node-labels.x.capacity", "100"},
        {"root.a.queues", "a1"},
        {"root.a.a1.capacity", "100"}});
  EXPECT_EQ(guaranteed("b"), "0 0");
  EXPECT_EQ(maximum("b"), "0 0");
  EXPECT_EQ(of("b", cluster_).absolute_maximum_capacity, 0);
  EXPECT_EQ(guaranteed("root.a", "x"), "16384 16");
  EXPECT_EQ(guaranteed("a1", "x"), "0 0") << "it states nothing for the label";
}

TEST_F(CapacityVectors, OfAnEmptyClusterAreZeroWithoutWarnings) {
  read({{"root.queues", "a,b"},
        {"root.a.capacity", "[memory=50%,vcores=4]"},
        {"root.b.capacity", "1w"}});
  for (const char* queue : {"root", "a", "b"}) {
    const QueueFigures figures = of(queue, Resources());
    EXPECT_TRUE(figures.guaranteed.is_zero() && figures.maximum.is_zero()) << queue;
    EXPECT_THAT(figures.warnings, IsEmpty()) << queue;
  }
  EXPECT_EQ(of("a", Resources()).absolute_capacity, 0);
}

// PriorityUtilizationQueueOrderingPolicy compares getConfiguredMinResource.
TEST_F(CapacityVectors, AreAConfiguredAmountWhereNothingIsAPercentage) {
  read({{"root.queues", "a,b,c"},
        {"root.a.capacity", "[memory=1024,vcores=4w]"},
        {"root.b.capacity", "[memory=1024,vcores=50%]"},
        {"root.c.capacity", "[memory=1w,vcores=4]"}});
  const auto amount = [&](const char* queue) {
    return text_of(configuration_.find(queue)->partitions.at("").capacity.amount);
  };
  EXPECT_EQ(amount("a"), "1024 0");
  EXPECT_EQ(amount("b"), "0 0");
  EXPECT_EQ(amount("c"), "0 0");
  EXPECT_FALSE(configuration_.find("a")->has_amounts());
}

TEST_F(CapacityVectors, AreExplainedWithTheirUnitsAndWarnings) {
  read({{"root.queues", "a,b"},
        {"root.a.capacity", "[memory=50%,vcores=4w]"},
        {"root.a.maximum-capacity", "80"},
        {"root.b.capacity", "[memory=4Gi,vcores=2]"}});
  const auto queues = explain(configuration_, {.resources = cluster_, .dimensions = dimensions_},
                              YarnGeneration::hadoop_3);
  EXPECT_EQ(test::value(queues[1], "Configured Capacity Vector"), "[memory=50%,vcores=4w]");
  EXPECT_EQ(test::value(queues[1], "Configured Max Capacity Vector"), "80%");
  EXPECT_EQ(test::value(queues[1], "Guaranteed Resources"), "memory: 6144, vCores: 12");
  EXPECT_EQ(test::formula(queues[1], "Guaranteed Resources"),
            "of [memory=50%,vcores=4w]; memory: of what amounts leave of the parent's; vcores: "
            "among weights, of what is left then");
  EXPECT_EQ(test::value(queues[1], "Capacity Warnings"), "QUEUE_EXCEEDS_MAX_RESOURCE: vcores");
  EXPECT_EQ(test::value(queues[2], "Configured Capacity Vector"), "[memory=4096,vcores=2]");
  EXPECT_EQ(test::formula(queues[2], "Guaranteed Resources"),
            "of [memory=4096,vcores=2]; vcores, memory: the amount, less where the parent has "
            "less");
  EXPECT_EQ(test::value(queues[0], "Capacity Warnings"), "BRANCH_UNDERUTILIZED: vcores, memory");
}

}  // namespace
}  // namespace tracebed
