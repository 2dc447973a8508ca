#include "schedulers/registry.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "core/exit_codes.h"
#include "support/scheduler_parameters.h"
#include "support/schedulers.h"

namespace tracebed {
namespace {

TEST(SchedulerRegistry, NamesAreSortedAndEverySchedulerCanBeMadeWithDefaults) {
  const SchedulerRegistry& entries = test::schedulers();
  ASSERT_GT(entries.size(), 0u);
  EXPECT_TRUE(std::is_sorted(
      entries.begin(), entries.end(),
      [](const SchedulerEntry& a, const SchedulerEntry& b) { return a.name < b.name; }));
  for (const SchedulerEntry& entry : entries) {
    EXPECT_TRUE(test::schedulers().make(entry.name, test::parameters_for(entry.name)).has_value())
        << entry.name;
    EXPECT_FALSE(entry.summary.empty());
    EXPECT_FALSE(entry.source.empty());
    for (const SettingDescription& setting : entry.settings) {
      SchedulerParameters parameters = test::parameters_for(entry.name);
      parameters.settings.emplace(setting.name, setting.default_value);
      EXPECT_TRUE(test::schedulers().make(entry.name, parameters).has_value()) << setting.name;
      EXPECT_FALSE(setting.meaning.empty());
    }
  }
}

SchedulerEntry entry_named(std::string_view name) {
  SchedulerEntry entry = *test::schedulers().find("fcfs");
  entry.name = name;
  return entry;
}

TEST(SchedulerRegistry, TakesOthersInTheirOrder) {
  SchedulerRegistry registry({entry_named("b"), entry_named("d")});
  for (const char* name : {"e", "a", "c"}) registry.add(entry_named(name));
  std::string names;
  for (const SchedulerEntry& entry : registry) names += entry.name;
  EXPECT_EQ(names, "abcde");
  EXPECT_EQ(registry.find("c")->name, "c");
  EXPECT_EQ(registry.find("f"), nullptr);
  EXPECT_TRUE(registry.make("a", {}).has_value());
  EXPECT_EQ(registry.make("f", {}).error().message,
            "there is no scheduler \"f\"; there are a, b, c, d, e");
}

TEST(SchedulerRegistry, HasEachNameOnce) {
  SchedulerRegistry registry({entry_named("a")});
  EXPECT_EXIT(registry.add(entry_named("a")),
              testing::ExitedWithCode(to_int(ExitCode::failed_invariant)), "its own name");
}

std::string all_names() {
  std::string names;
  for (const SchedulerEntry& entry : test::schedulers()) {
    names += (names.empty() ? "" : ", ") + std::string(entry.name);
  }
  return names;
}

struct Complaint {
  std::string scheduler;
  SettingValues settings;
  std::string expected;
};

TEST(SchedulerRegistry, SaysWhatIsWrong) {
  const std::vector<Complaint> complaints{
      {"absent", {}, "there is no scheduler \"absent\"; there are " + all_names()},
      {"capacity",
       {},
       "scheduler capacity, setting config: expected the path of a capacity-scheduler.xml, got "
       "none"},
      {"fair",
       {{"max_assign", "many"}},
       "scheduler fair, setting max_assign: expected a whole number from -1 to 1099511627776, got "
       "\"many\""},
      {"fcfs", {{"depth", "3"}}, "scheduler fcfs has no setting \"depth\"; it has none at all"},
      {"spread",
       {{"shares", "sum"}},
       "scheduler spread has no setting \"shares\"; it has share, locality"},
      {"spread",
       {{"share", "largest"}},
       "scheduler spread, setting share: expected one of sum, dominant, got \"largest\""},
      {"dot_product",
       {{"weights", "gpu=2"}},
       "scheduler dot_product, setting weights: expected resources of the run, vcores, memory, got "
       "\"gpu\""},
      {"l2_norm",
       {{"weights", "memory"}},
       "scheduler l2_norm, setting weights: expected names with weights from 0.001 to 1000, such "
       "as \"vcores=1,memory=0.5\", got \"memory\""},
      {"fifo",
       {{"minimum_allocation_mib", "1G"}},
       "scheduler fifo, setting minimum_allocation_mib: expected a whole number from 0 to "
       "1099511627776, got \"1G\""},
      {"fifo",
       {{"minimum_allocation_mib", "-1"}},
       "scheduler fifo, setting minimum_allocation_mib: expected a whole number from 0 to "
       "1099511627776, got \"-1\""},
  };
  for (const Complaint& complaint : complaints) {
    SchedulerParameters parameters;
    parameters.settings = complaint.settings;
    const auto made = test::schedulers().make(complaint.scheduler, parameters);
    ASSERT_FALSE(made.has_value()) << complaint.expected;
    EXPECT_EQ(made.error().message, complaint.expected);
  }
}

}  // namespace
}  // namespace tracebed
