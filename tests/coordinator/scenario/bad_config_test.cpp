// What is wrong with a scheduler's file that a scenario states, as a table of properties or as XML,
// is told with the line and the name of what is wrong, and with one place.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/scenario/load_scenario.h"
#include "coordinator/scenario/story.h"
#include "coordinator/scenario/story_fault.h"
#include "coordinator/scenario/story_text.h"
#include "support/schedulers.h"

namespace tracebed {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

struct BadConfig {
  std::string before;  // on lines 3 and following, of the table [scheduler]
  std::string bad;     // the line with the fault
  std::string fault;   // what the message is after "story.toml:LINE: ", or its beginning
};

struct BadConfigs {
  std::string scheduler;
  std::vector<BadConfig> table;
};

std::size_t places_in(const std::string& message) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = message.find("story.toml:", at)) != std::string::npos; ++at) {
    ++count;
  }
  return count;
}

class ConfigTables : public testing::TestWithParam<BadConfigs> {};

TEST_P(ConfigTables, AreRefusedAtTheLineOfWhatIsWrong) {
  for (const BadConfig& config : GetParam().table) {
    SCOPED_TRACE(config.bad);
    const std::string before =
        fmt::format("[scheduler]\nname = '{}'\n{}", GetParam().scheduler, config.before);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::string fault = story_fault(
        before + config.bad + "\n[[node]]\nvcores = 8\nmemory = '8 GiB'\nextra = { gpu = 2 }\n");
    EXPECT_THAT(fault, StartsWith(fmt::format("story.toml:{}: {}", line, config.fault)));
    EXPECT_EQ(places_in(fault), 1u) << fault;
    EXPECT_EQ(fault.find('\n'), std::string::npos) << fault;
  }
}

// Lines 3 to 6; the next line is of root.
constexpr const char* capacity_root =
    "[scheduler.config.yarn.scheduler.capacity.root]\nqueues = 'a,b'\na.capacity = 50\n"
    "b.capacity = 50\n";
constexpr const char* capacity_all =
    "[scheduler.config.yarn.scheduler.capacity]\nroot = { queues = 'a', a.capacity = 100 }\n";

std::string of_root(const std::string& rest) {
  return "yarn.scheduler.capacity.root." + rest;
}
std::string of_all(const std::string& rest) {
  return "yarn.scheduler.capacity." + rest;
}

INSTANTIATE_TEST_SUITE_P(
    Table, ConfigTables,
    testing::Values(
        BadConfigs{
            "capacity",
            {
                {capacity_root, "a.maximum-capacity = 'much'",
                 of_root("a.maximum-capacity: expected a percentage from 0 to 100")},
                {capacity_root, "a.maximum-capacity = 20",
                 of_root("a.maximum-capacity: expected a maximum of at least")},
                {capacity_root, "a.maximum-capacity = '[memory=1024,vcores=1,fpga=1]'",
                 of_root("a.maximum-capacity: expected amounts of vcores, memory, gpu; machines "
                         "have no resource fpga, got \"[memory=1024")},
                {capacity_root, "a.minimum-user-limit-percent = 'half'",
                 of_root("a.minimum-user-limit-percent: expected a ")},
                {capacity_root, "a.user-limit-factor = 'two'",
                 of_root("a.user-limit-factor: expected a number")},
                {capacity_root, "a.maximum-am-resource-percent = -1",
                 of_root("a.maximum-am-resource-percent: expected a number from 0 to 10000, got "
                         "\"-1\"")},
                {capacity_root, "a.maximum-applications = 'many'",
                 of_root("a.maximum-applications: expected a whole number")},
                {capacity_root, "a.state = 'PAUSED'", of_root("a.state: expected ")},
                {capacity_root, "a.ordering-policy = 'lifo'",
                 of_root("a.ordering-policy: expected fifo or fair, got \"lifo\"")},
                {capacity_root, "a.disable_preemption = 'perhaps'",
                 of_root("a.disable_preemption: expected true or false, got \"perhaps\"")},
                {capacity_root, "a.maximum-allocation-mb = 0.5",
                 of_root("a.maximum-allocation-mb: expected a whole number")},
                {capacity_root, "a.queues = 'x,x'", of_root("a.queues: expected ")},
                {capacity_root, "accessible-node-labels.x.capacity = 'much'",
                 of_root("accessible-node-labels.x.capacity: expected ")},
                {capacity_all, "resource-calculator = 'Abacus'",
                 of_all("resource-calculator: expected ")},
                {capacity_all, "node-locality-delay = 'long'",
                 of_all("node-locality-delay: expected a whole number")},
                {capacity_all, "queue-mappings = 'u:somebody'",
                 of_all("queue-mappings: expected ")},
            }},
        BadConfigs{
            "fair",
            {
                {"", "config.yarn.scheduler.fair.preemption = true",
                 "scheduler.config: expected a file's path, or its XML in '''…''': the files of "
                 "the scheduler fair begin with <allocations>"},
                {"", "yarn_site.yarn.scheduler.fair.preemption.cluster-utilization-threshold = 'x'",
                 "yarn.scheduler.fair.preemption.cluster-utilization-threshold: "},
                {"", "yarn_site.yarn.scheduler.fair.preemption = 'perhaps'",
                 "yarn.scheduler.fair.preemption: expected true or false, got \"perhaps\""},
                {"", "yarn_site.yarn.scheduler.fair.max.assign = 'x'",
                 "yarn.scheduler.fair.max.assign: "},
                {"", "yarn_site.yarn.scheduler.minimum-allocation-mb = 'x'",
                 "yarn.scheduler.minimum-allocation-mb: "},
                {"", "yarn_site.yarn.scheduler.fair.locality.threshold.node = 'x'",
                 "yarn.scheduler.fair.locality.threshold.node: "},
            }},
        BadConfigs{
            "slot_fair",
            {
                {"", "config.mapred.fairscheduler.preemption = true",
                 "scheduler.config: expected a file's path, or its XML in '''…''': the files of "
                 "the scheduler slot_fair begin with <allocations>"},
            }},
        BadConfigs{
            "slot_capacity",
            {
                {"", "config.mapred.capacity-scheduler.queue.default.capacity = 120",
                 "mapred.capacity-scheduler.queue.default.capacity: expected "},
                {"config.mapred.capacity-scheduler.queue.default.capacity = 100\n",
                 "config.mapred.capacity-scheduler.queue.default.maximum-capacity = 20",
                 "mapred.capacity-scheduler.queue.default.maximum-capacity: expected "},
                {"config.mapred.capacity-scheduler.queue.default.capacity = 100\n",
                 "config.mapred.capacity-scheduler.queue.default.supports-priority = 'perhaps'",
                 "mapred.capacity-scheduler.queue.default.supports-priority: expected "},
                {"config.mapred.capacity-scheduler.queue.default.capacity = 100\n",
                 "config.mapred.capacity-scheduler.queue.default.minimum-user-limit-percent = 'x'",
                 "mapred.capacity-scheduler.queue.default.minimum-user-limit-percent: expected "},
            }}),
    [](const auto& table) { return table.param.scheduler; });

TEST(ConfigTable, NamesItselfForAPropertyThatIsMissing) {
  const std::string fault = story_fault(
      "[scheduler]\nname = 'capacity'\nconfig.yarn.scheduler.capacity.root.queues = 'a,b'\n");
  EXPECT_THAT(fault, StartsWith("story.toml:3: "));
  EXPECT_EQ(fault.find("root.queues: yarn"), std::string::npos) << fault;
  EXPECT_EQ(places_in(fault), 1u) << fault;
}

TEST(ConfigTable, SaysWhichPropertiesAreIgnored) {
  const std::string text = std::string("[scheduler]\nname = 'capacity'\n") + capacity_root +
                           "a.maximum-capasity = 60\n[[node]]\nvcores = 8\nmemory = '8 GiB'\n"
                           "[[step]]\n[[step]]\nrefresh.config.yarn.scheduler.capacity.root.colour "
                           "= 'red'\n";
  const std::vector<PlayedStep> steps =
      play(parse_scenarios(test::schedulers(), text, "story.toml", ".").at(0), test::schedulers());
  EXPECT_THAT(
      steps.at(0).remarks,
      ElementsAre(StartsWith("story.toml:7: " + of_root("a.maximum-capasity: is unknown"))));
  EXPECT_THAT(steps.at(1).remarks, IsEmpty());
  EXPECT_THAT(steps.at(2).remarks, Contains(HasSubstr("story.toml:13: " + of_root("colour: is "))));
  EXPECT_THAT(to_text(steps.at(0), 0, false), HasSubstr("NOTE: story.toml:7: "));
}

TEST(ConfigTable, OfACaseIsRefusedAtTheLineOfTheCase) {
  const std::string text = std::string("[scheduler]\nname = 'capacity'\n") + capacity_root +
                           "[[node]]\nvcores = 8\nmemory = '8 GiB'\n[[case]]\nname = 'x'\n"
                           "scheduler.config.yarn.scheduler.capacity.root.a.capacity = 'half'\n";
  const std::string fault = story_fault(text);
  EXPECT_THAT(fault, StartsWith("story.toml:12: " + of_root("a.capacity: expected a percentage")));
  EXPECT_EQ(places_in(fault), 1u) << fault;
}

TEST(ConfigTable, OfARefreshIsRefusedAtTheLineOfTheStep) {
  const std::string text =
      std::string("[scheduler]\nname = 'capacity'\n") + capacity_root +
      "[[node]]\nvcores = 8\nmemory = '8 GiB'\n[[step]]\n"
      "refresh.config.yarn.scheduler.capacity.root.a.maximum-capacity = 'half'\n";
  const std::vector<PlayedStep> steps =
      play(parse_scenarios(test::schedulers(), text, "story.toml", ".").at(0), test::schedulers());
  const auto refused = steps.at(1).facts.at("refused").get<std::string>();
  EXPECT_THAT(refused, HasSubstr("story.toml:11: " + of_root("a.maximum-capacity: expected a ")));
  EXPECT_EQ(places_in(refused), 1u) << refused;
}

TEST(ConfigTable, MayHaveValuesOfSeveralLines) {
  const std::string text = std::string("[scheduler]\nname = 'capacity'\n") + capacity_root +
                           "acl_submit_applications = '''a\nb & <c>'''\n"
                           "b.maximum-capacity = 'much'\n";
  EXPECT_THAT(story_fault(text), StartsWith("story.toml:9: " + of_root("b.maximum-capacity: ")));
}

TEST(ConfigText, IsRefusedAtItsPlaceAndItsLine) {
  const auto fault = [](const std::string& scheduler, const std::string& xml) {
    return story_fault("[scheduler]\nname = '" + scheduler + "'\nconfig = '''" + xml + "'''\n");
  };
  for (const auto& [scheduler, xml, element] :
       {std::tuple("fair",
                   "<allocations>\n<queue name='a'>\n<weight>x</weight></queue></allocations>",
                   "<weight>"),
        std::tuple("slot_fair",
                   "<allocations>\n<pool name='a'>\n<minMaps>x</minMaps></pool></allocations>",
                   "<minMaps>"),
        std::tuple("capacity",
                   "<configuration><property><name>yarn.scheduler.capacity.root.queues</name>"
                   "<value>a</value></property>\n\n<property><name>yarn.scheduler.capacity.root.a."
                   "capacity</name><value>x</value></property></configuration>",
                   "yarn.scheduler.capacity.root.a.capacity")}) {
    const std::string message = fault(scheduler, xml);
    EXPECT_THAT(message, StartsWith(fmt::format("story.toml:3: scheduler.config:3: {}", element)));
    EXPECT_EQ(places_in(message), 1u) << message;
  }
}

}  // namespace
}  // namespace tracebed
