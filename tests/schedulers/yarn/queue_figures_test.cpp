// Queues on a given cluster, against figures worked by hand.
#include "schedulers/yarn/capacity/queue_figures.h"

#include <gtest/gtest.h>

namespace tracebed {
namespace {

using Lines = std::vector<std::pair<std::string, std::string>>;

class QueueFiguresTest : public testing::Test {
 protected:
  void read(const Lines& lines) {
    HadoopProperties properties;
    for (const auto& [name, value] : lines) {
      properties.set("yarn.scheduler.capacity." + name, value, "test");
    }
    auto loaded = read_capacity_configuration(properties, ResourceDimensions());
    ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
    configuration_ = std::move(loaded->configuration);
  }
  QueueFigures figures(const std::string& queue, const Resources& cluster,
                       const std::string& partition = "") const {
    const auto all = figures_in(configuration_, partition, cluster);
    return all[static_cast<std::size_t>(configuration_.find(queue) - configuration_.queues.data())];
  }

  CapacityConfiguration configuration_;
  const Resources cluster_{100'000, 102'400};
};

// Proves: 3.1.absolute-capacity, 3.1.absolute-maximum
TEST_F(QueueFiguresTest, PercentagesMultiplyDownTheTree) {
  read({{"root.queues", "a,b"},
        {"root.a.capacity", "40"},
        {"root.b.capacity", "60"},
        {"root.a.maximum-capacity", "50"},
        {"root.a.queues", "x,y"},
        {"root.a.x.capacity", "25"},
        {"root.a.y.capacity", "75"},
        {"root.a.x.maximum-capacity", "50"}});
  const QueueFigures x = figures("root.a.x", cluster_);
  EXPECT_EQ(x.capacity, 0.25F);
  EXPECT_EQ(x.absolute_capacity, 0.4F * 0.25F);
  EXPECT_EQ(x.maximum_capacity, 0.5F);
  EXPECT_EQ(x.absolute_maximum_capacity, 0.25F);
  EXPECT_EQ(x.guaranteed, Resources(10'000, 10'240));
  EXPECT_EQ(x.maximum, Resources(25'000, 25'600));
  const QueueFigures root = figures("root", cluster_);
  EXPECT_EQ(root.guaranteed, cluster_);
  EXPECT_EQ(root.absolute_maximum_capacity, 1);
}

TEST_F(QueueFiguresTest, AmountsAreCutToWholeUnits) {
  read({{"root.queues", "a,b"}, {"root.a.capacity", "33"}, {"root.b.capacity", "67"}});
  EXPECT_EQ(figures("a", {10'000, 1'000}).guaranteed, Resources(3'000, 330));
}

// Proves: 3.1.weights
TEST_F(QueueFiguresTest, WeightsDivideAmongSiblings) {
  read({{"root.queues", "a,b,c"},
        {"root.a.capacity", "1w"},
        {"root.b.capacity", "3w"},
        {"root.c.capacity", "0w"},
        {"root.b.queues", "x,y"},
        {"root.b.x.capacity", "20"},
        {"root.b.y.capacity", "80"}});
  EXPECT_EQ(figures("a", cluster_).guaranteed, Resources(25'000, 25'600));
  EXPECT_EQ(figures("x", cluster_).absolute_capacity, 0.75F * 0.2F);
  EXPECT_EQ(figures("c", cluster_).guaranteed, Resources());
}

// Proves: 3.1.amounts
TEST_F(QueueFiguresTest, AmountsAreGivenAsTheyAreWhileTheyFit) {
  read({{"root.queues", "a,b"},
        {"root.a.capacity", "[memory=25600,vcores=10]"},
        {"root.a.maximum-capacity", "[memory=51200,vcores=200]"},
        {"root.b.capacity", "[memory=51200,vcores=50]"}});
  const QueueFigures a = figures("a", cluster_);
  EXPECT_EQ(a.guaranteed, Resources(10'000, 25'600));
  EXPECT_EQ(a.absolute_capacity, 0.25F);
  EXPECT_EQ(a.maximum, Resources(100'000, 51'200)) << "no more than there is";
  EXPECT_EQ(a.absolute_maximum_capacity, 0.5F);
}

// The calculator sees that memory is short, so every dimension is scaled, vcores upwards.
// Proves: 3.1.amounts-are-scaled, 16.vcores-scaled-up
TEST_F(QueueFiguresTest, AmountsThatDoNotFitAreScaledByDimension) {
  read({{"root.queues", "a,b"},
        {"root.a.capacity", "[memory=102400,vcores=20]"},
        {"root.b.capacity", "[memory=102400,vcores=30]"}});
  EXPECT_EQ(figures("a", cluster_).guaranteed, Resources(40'000, 51'200));
  EXPECT_EQ(figures("b", cluster_).guaranteed, Resources(60'000, 51'200));
}

// Proves: 3.1.scaling-by-calculator
TEST_F(QueueFiguresTest, WithTheMemoryCalculatorTooManyVcoresAreNotSeen) {
  read({{"root.queues", "a,b"},
        {"root.a.capacity", "[memory=51200,vcores=200]"},
        {"root.b.capacity", "[memory=51200,vcores=30]"}});
  EXPECT_EQ(figures("a", cluster_).guaranteed, Resources(200'000, 51'200));
}

TEST_F(QueueFiguresTest, OfALabelAreTheQueuesForIt) {
  read({{"root.queues", "a,b"},
        {"root.a.capacity", "40"},
        {"root.b.capacity", "60"},
        {"root.a.accessible-node-labels.gpu.capacity", "100"},
        {"root.a.accessible-node-labels.gpu.maximum-capacity", "100"}});
  EXPECT_EQ(figures("a", {8'000, 8'192}, "gpu").guaranteed, Resources(8'000, 8'192));
  EXPECT_EQ(figures("b", {8'000, 8'192}, "gpu").guaranteed, Resources());
  EXPECT_EQ(figures("b", {8'000, 8'192}, "gpu").maximum, Resources());
  EXPECT_EQ(figures("b", {8'000, 8'192}, "gpu").absolute_maximum_capacity, 0);
}

TEST_F(QueueFiguresTest, OfAnEmptyClusterAreZero) {
  read({{"root.queues", "a"}, {"root.a.capacity", "[memory=1024,vcores=1]"}});
  EXPECT_EQ(figures("a", Resources()).guaranteed, Resources());
  EXPECT_EQ(figures("a", Resources()).absolute_capacity, 0);
}

}  // namespace
}  // namespace tracebed
