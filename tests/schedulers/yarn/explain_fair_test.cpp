// `explain` of an allocation file, and the steady shares in it, against figures worked by hand.
#include "schedulers/yarn/fair/explain_fair.h"

#include <gtest/gtest.h>

#include "coordinator/config/xml_file.h"
#include "schedulers/explained_figures.h"
#include "schedulers/yarn/fair/steady_shares.h"

namespace tracebed {
namespace {

const Resources cluster(40'000, 40'960);

FairAllocations load(const std::string& text) {
  auto allocations = read_fair_allocations(
      parse_xml("<allocations>" + text + "</allocations>", "fair.xml"), ResourceDimensions());
  EXPECT_TRUE(allocations.has_value()) << (allocations ? "" : allocations.error().message);
  return allocations ? std::move(*allocations) : FairAllocations();
}

Resources share_of(const FairAllocations& allocations, const std::string& path) {
  const auto index = allocations.find(path) - allocations.queues.data();
  return steady_shares(allocations, cluster)[static_cast<std::size_t>(index)];
}

// Proves: 5.3.fair, 5.3.steady
TEST(SteadyShares, FairSharesMemoryDownTheTree) {
  const auto allocations = load(
      "<queue name='a'><weight>3</weight><queue name='x'/><queue name='y'/></queue>"
      "<queue name='b'/>");
  EXPECT_EQ(share_of(allocations, "root.a"), Resources(0, 30'720));
  EXPECT_EQ(share_of(allocations, "root.b"), Resources(0, 10'240));
  EXPECT_EQ(share_of(allocations, "root.a.x"), Resources(0, 15'360));
  EXPECT_EQ(share_of(allocations, "root"), cluster);
}

// Proves: 5.3.drf, 5.3.steady
TEST(SteadyShares, DrfSharesEveryDimensionInWholeVcores) {
  const auto allocations = load(
      "<defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy>"
      "<queue name='a'><maxResources>4096 mb, 5 vcores</maxResources></queue>"
      "<queue name='b'/><queue name='c'/>");
  EXPECT_EQ(share_of(allocations, "root.a"), Resources(5'000, 4'096));
  // 35 vcores between two: both get 18, as R is taken from above.
  EXPECT_EQ(share_of(allocations, "root.b"), Resources(18'000, 18'432));
  EXPECT_EQ(share_of(allocations, "root.c"), Resources(18'000, 18'432));
}

TEST(SteadyShares, AMinimumIsKept) {
  const auto allocations = load(
      "<queue name='a'><minResources>30720 mb, 1 vcores</minResources></queue>"
      "<queue name='b'/><queue name='c'/>");
  EXPECT_EQ(share_of(allocations, "root.a").memory_mib(), 30'720);
  EXPECT_EQ(share_of(allocations, "root.b").memory_mib(), 5'120);
}

TEST(ExplainFair, ShowsEachQueueWithTheFilesNames) {
  const auto queues = explain(
      load("<queue name='a'><weight>3</weight><maxRunningApps>7</maxRunningApps>"
           "<minSharePreemptionTimeout>2</minSharePreemptionTimeout></queue><queue name='b'/>"),
      cluster);
  ASSERT_EQ(queues.size(), 3u);
  std::string text;
  for (const Figure& figure : queues[1].figures) {
    text += std::string(figure.label) + ": " + test::text_of(figure) + "\n";
  }
  EXPECT_EQ(queues[1].path, "root.a");
  EXPECT_TRUE(queues[1].is_leaf);
  EXPECT_EQ(text,
            "schedulingPolicy: fair\n"
            "weight: 3.0\n"
            "minResources: memory: 0, vCores: 0\n"
            "maxResources: memory: unlimited, vCores: unlimited\n"
            "Steady Fair Share: memory: 30720\n"
            "maxRunningApps: 7\n"
            "maxAMShare: 50.0%\n"
            "minSharePreemptionTimeout: 2 s\n"
            "fairSharePreemptionTimeout: never\n"
            "fairSharePreemptionThreshold: 0.5\n"
            "allowPreemptionFrom: true\n");
  EXPECT_EQ(queues[1].figures[4].formula,
            "weight × R, from minResources to maxResources, so that all children of root take "
            "memory: 40960, vCores: 40");
  EXPECT_FALSE(queues[0].is_leaf);
}

// Proves: 5.2.inherited
TEST(ExplainFair, TellsWhereTheFiguresOfPreemptionAreFrom) {
  const auto queues =
      explain(load("<queue name='p'><fairSharePreemptionTimeout>5</fairSharePreemptionTimeout>"
                   "<allowPreemptionFrom>false</allowPreemptionFrom><queue name='a'>"
                   "<fairSharePreemptionThreshold>0.7</fairSharePreemptionThreshold>"
                   "<allowPreemptionFrom>true</allowPreemptionFrom></queue></queue>"),
              cluster);
  ASSERT_EQ(queues.size(), 3u);
  std::string text;
  for (std::size_t i = queues[2].figures.size() - 4; i < queues[2].figures.size(); ++i) {
    const Figure& figure = queues[2].figures[i];
    text +=
        std::string(figure.label) + ": " + test::text_of(figure) + " (" + figure.formula + ")\n";
  }
  EXPECT_EQ(queues[2].path, "root.p.a");
  EXPECT_EQ(text,
            "minSharePreemptionTimeout: never (defaultMinSharePreemptionTimeout)\n"
            "fairSharePreemptionTimeout: 5 s (inherited from root.p)\n"
            "fairSharePreemptionThreshold: 0.7 ()\n"
            "allowPreemptionFrom: false (not allowed by root.p)\n");
}

}  // namespace
}  // namespace tracebed
