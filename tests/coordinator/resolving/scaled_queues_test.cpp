// What is said of settings, masters' containers and queues whose amounts [scale] rounds.
#include "coordinator/resolving/scaled_queues.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/resolving/given_settings.h"
#include "coordinator/resolving/master_containers.h"
#include "support/hadoop_file.h"
#include "support/schedulers.h"
#include "support/temporary_folder.h"
#include "traces/scale_model.h"

namespace tracebed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr ScaleChoice by_cpu(double factor) {
  ScaleChoice scale;
  scale.cpu = factor;
  return scale;
}
constexpr ScaleChoice by_memory(double factor) {
  ScaleChoice scale;
  scale.memory = factor;
  return scale;
}

std::vector<Machine> machines_of(std::size_t count) {
  std::vector<Machine> machines;
  for (std::size_t i = 0; i < count; ++i) {
    machines.push_back({"m" + std::to_string(i), "/r", Resources(16'000, 65'536), {}});
  }
  return machines;
}

struct QueueCase {
  const char* name;
  const char* scheduler;
  std::string file;
  ScaleFactors factors;
  std::vector<std::string> said;  // how each sentence begins; none: nothing is said
};

std::vector<std::string> said_of(const QueueCase& one) {
  const TemporaryFolder folder;
  folder.write("queues.xml", one.file);
  SchedulerChoice choice{one.scheduler, one.scheduler, "mine.toml:3: scheduler", {}, {}};
  choice.files = {folder.path(), {}};
  choice.settings.push_back({"config", "queues.xml", "mine.toml:4: config"});
  const ResourceDimensions dimensions;
  const ResolvedScheduler scheduler = resolve_scheduler(test::schedulers(), choice, dimensions);
  const std::vector<Machine> recorded = machines_of(10);
  return rounding_of_queues(scheduler, dimensions, recorded, scale_machines(recorded, one.factors));
}

// 160 vcores and 640 GiB. By cpu ÷ 16 that is 10 vcores, of which 5 % are none.
TEST(ScaledQueues, AreNamedWhereTheirAmountsAreRounded) {
  const std::string prefix = "yarn.scheduler.capacity.";
  const auto capacity = [&](const char* small, const char* large, const char* small_maximum) {
    return test::hadoop_file({{prefix + "root.queues", "small,large"},
                              {prefix + "resource-calculator",
                               "org.apache.hadoop.yarn.util.resource.DominantResourceCalculator"},
                              {prefix + "root.small.capacity", small},
                              {prefix + "root.small.maximum-capacity", small_maximum},
                              {prefix + "root.large.capacity", large}});
  };
  const std::string pools =
      "<allocations><queue name=\"small\"><minResources>5% cpu, 5% memory</minResources>"
      "<maxResources>50% cpu, 50% memory</maxResources>"
      "</queue></allocations>";
  const std::string pools_with_maxima =
      "<allocations><queue name=\"small\"><maxResources>5% cpu, 50% memory</maxResources>"
      "</queue></allocations>";
  const std::string slots =
      test::hadoop_file({{"mapred.capacity-scheduler.queue.default.capacity", "100"},
                         {"mapred.capacity-scheduler.queue.default.maximum-capacity", "100"}});
  const QueueCase cases[] = {
      {"amounts that divide evenly", "capacity", capacity("50", "50", "100"), {.cpu = 16}, {}},
      {"a guarantee",
       "capacity",
       capacity("5", "95", "100"),
       {.cpu = 16},
       {"[scale] rounds Guaranteed Resources of queues, in thousandths of a vcore by more than 5 "
        "%, "
        "1 of 3: root.small has 0 where the factors alone give 500"}},
      {"a maximum",
       "capacity",
       capacity("0", "100", "5"),
       {.cpu = 16},
       {"[scale] rounds Maximum Resources of queues, in thousandths of a vcore by more than 5 %, 1 "
        "of 3: root.small has 0 where the factors alone give 500"}},
      {"a minimum share",
       "fair",
       pools,
       {.cpu = 16},
       {"[scale] rounds minResources of queues, in thousandths of a vcore by more than 5 %, 1 of "
        "2: root.small has 0 where the factors alone give 500"}},
      {"a maximum share",
       "fair",
       pools_with_maxima,
       {.cpu = 16},
       {"[scale] rounds maxResources of queues, in thousandths of a vcore by more than 5 %, 1 of "
        "1: root.small has 0 where the factors alone give 500"}},
      // Sixteen slots of a node become two.
      {"slots",
       "slot_capacity",
       slots,
       {.cpu = 16},
       {"[scale] rounds Capacity (map) of queues, in slots by more than 5 %"}},
  };
  for (const QueueCase& one : cases) {
    SCOPED_TRACE(one.name);
    const std::vector<std::string> said = said_of(one);
    if (one.said.empty()) {
      EXPECT_THAT(said, IsEmpty());
      continue;
    }
    ASSERT_FALSE(said.empty());
    EXPECT_THAT(said[0], testing::StartsWith(one.said[0]));
  }
}

// 160 vcores and 640 GiB, of which a has 600.
TEST(WarningsOfQueues, NameThoseThatTheMachinesDoNotSuit) {
  const std::string prefix = "yarn.scheduler.capacity.";
  const auto warnings = [&](const char* a, const char* b) {
    const TemporaryFolder folder;
    folder.write("queues.xml", test::hadoop_file({{prefix + "legacy-queue-mode.enabled", "false"},
                                                  {prefix + "root.queues", "a,b"},
                                                  {prefix + "root.a.capacity", a},
                                                  {prefix + "root.b.capacity", b}}));
    SchedulerChoice choice{"capacity", "capacity", "mine.toml:3: scheduler", {}, {}};
    choice.files = {folder.path(), {}};
    choice.settings.push_back({"config", "queues.xml", "mine.toml:4: config"});
    const ResourceDimensions dimensions;
    return warnings_of_queues(resolve_scheduler(test::schedulers(), choice, dimensions), dimensions,
                              machines_of(10));
  };
  EXPECT_THAT(warnings("[memory=600Gi,vcores=50%]", "1w"), IsEmpty());
  // What is scaled down is cut to whole MiB, which leaves one.
  EXPECT_THAT(warnings("[memory=600Gi,vcores=50%]", "[memory=80Gi,vcores=50%]"),
              ElementsAre(testing::AllOf(
                  HasSubstr("queues.xml:"),
                  HasSubstr("root (BRANCH_UNDERUTILIZED: memory; BRANCH_DOWNSCALED: memory)"))));
}

// An explainer may need more than the divided cluster has.
TEST(ScaledQueues, ThatOneClusterAloneExplainsAreSaidToBeUnknown) {
  const TemporaryFolder folder;
  folder.write("queues.xml", "<allocations></allocations>");
  SchedulerChoice choice{"fair", "fair", "mine.toml:3: scheduler", {}, {}};
  choice.files = {folder.path(), {}};
  choice.settings.push_back({"config", "queues.xml", "mine.toml:4: config"});
  const ResourceDimensions dimensions;
  ResolvedScheduler scheduler = resolve_scheduler(test::schedulers(), choice, dimensions);
  SchedulerEntry entry = *scheduler.entry;
  scheduler.entry = &entry;
  std::int64_t needed = 0;
  entry.explainer->explain =
      [&](const SchedulerFile& file,
          std::span<const ExplainedMachines> machines) -> Result<ExplainedFile> {
    if (total_of(machines).memory_mib() < needed) return Error{file.root.where + ": too small"};
    return ExplainedFile{};
  };
  const std::vector<Machine> recorded = machines_of(10);
  const std::vector<Machine> scaled = machines_of(1);
  const auto said = [&](std::int64_t memory_mib) {
    needed = memory_mib;
    return rounding_of_queues(scheduler, dimensions, recorded, scaled);
  };
  EXPECT_THAT(said(0), IsEmpty());
  EXPECT_THAT(said(100'000), ElementsAre(testing::AllOf(
                                 HasSubstr("what [scale] rounds of the queues of "),
                                 HasSubstr("queues.xml:1 is not known, since on the divided "
                                           "cluster they have no amounts: "),
                                 HasSubstr("queues.xml:1: too small"))));
  EXPECT_THAT(said(1'000'000), IsEmpty()) << "the file is refused when the scheduler is made";
}

TEST(ScaledSettings, AreNamedWhereTheyAreRounded) {
  std::vector<Setting> settings{
      {"minimum_allocation_mib", "1024", "mine.toml:5: minimum_allocation_mib"},
      {"increment_allocation_milli_vcores", "1000", "mine.toml:3: scheduler"},
      {"max_assign", "7", "mine.toml:6: max_assign"}};
  EXPECT_THAT(scale_amounts(settings, by_memory(600)),
              ElementsAre("[scale] rounds amounts of settings by more than 5 %, 1 of 1: "
                          "mine.toml:5: minimum_allocation_mib has 2 where the factors alone give "
                          "1.70667"));
  EXPECT_THAT(scale_amounts(settings, by_cpu(2'500)),
              ElementsAre("[scale] rounds amounts of settings by more than 5 %, 1 of 1: "
                          "mine.toml:3: scheduler: increment_allocation_milli_vcores has 1 where "
                          "the factors alone give 0.4"));
  EXPECT_THAT(scale_amounts(settings, by_cpu(1)), IsEmpty());
}

// Slots of Hadoop 1's Capacity scheduler have none of any memory by default.
TEST(ScaledSettings, ThatAreNoAmountStaySo) {
  std::vector<Setting> settings{{"map_slot_mib", "-1", "mine.toml:5: map_slot_mib"}};
  EXPECT_THAT(scale_amounts(settings, by_memory(64)), IsEmpty());
  EXPECT_EQ(settings[0].value, "-1");
}

// Whatever a default stands for: an amount, none, or what is taken from elsewhere.
TEST(ScaledSettings, MayBeTheDefaultsOfEveryScheduler) {
  for (const SchedulerEntry& entry : test::schedulers()) {
    SCOPED_TRACE(entry.name);
    std::vector<Setting> settings = with_defaults(entry.settings, {}, "mine.toml:3");
    ScaleChoice scale = by_memory(64);
    scale.cpu = scale.data = 48;
    EXPECT_NO_THROW((void)scale_amounts(settings, scale));
    for (std::size_t i = 0; i < settings.size(); ++i) {
      if (entry.settings[i].default_value != "-1") continue;
      EXPECT_EQ(settings[i].value, "-1") << settings[i].key;
    }
  }
}

TEST(ScaledMasters, AreNamedWhereTheirContainersAreRounded) {
  MasterChoice choice;
  choice.in_containers = true;
  choice.container.demand = Resources(1'000, 1'536);
  const auto said = [&](const ScaleChoice& scale) {
    return rounding_of_masters(choice, *container_masters(choice, scale), scale);
  };
  EXPECT_THAT(said(by_cpu(10)), IsEmpty());
  EXPECT_THAT(said(by_cpu(400)),
              ElementsAre(HasSubstr("[masters] has 3 where the factors alone give 2.5")));
  EXPECT_THAT(said(by_memory(1'000)),
              ElementsAre(HasSubstr("[masters] has 2 where the factors alone give 1.536")));
}

}  // namespace
}  // namespace tracebed
