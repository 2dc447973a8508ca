// What a submitted file of a scheduler costs: however a list, table or tree in it grows, to explain
// it and to create its scheduler costs in proportion, until it is refused by a bound that the
// message names.
#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/config/xml_file.h"
#include "core/input_error.h"
#include "core/names.h"
#include "schedulers/yarn/configuration/configuration_bounds.h"
#include "support/cpu_time.h"
#include "support/schedulers.h"

namespace tracebed {
namespace {

std::string property(const std::string& name, const std::string& value) {
  return fmt::format(
      "<property><name>yarn.scheduler.capacity.{}</name><value>{}</value></property>", name, value);
}

// "q0,q1,…", or another text for each.
std::string list(int count, const char* form = "q{}", const char* separator = ",") {
  std::string text;
  for (int i = 0; i < count; ++i) {
    if (i > 0) text += separator;
    text += fmt::format(fmt::runtime(form), i);
  }
  return text;
}

// Of one of so many siblings.
std::string capacity_of(int count) {
  return fmt::format("{:.10f}", 100.0 / count);
}

std::string queues_of(int count, const std::string& capacity,
                      const std::function<std::string(const std::string&)>& more = {}) {
  std::string text = "<configuration>" + property("root.queues", list(count));
  for (int i = 0; i < count; ++i) {
    const std::string queue = fmt::format("root.q{}", i);
    text += property(queue + ".capacity", capacity);
    if (more) text += more(queue);
  }
  return text + "</configuration>";
}

// A chain of queues, each below the one before.
std::string chain(int count) {
  std::string text = "<configuration>";
  std::string path = "root";
  for (int i = 0; i < count; ++i) {
    text += property(path + ".queues", "q");
    path += ".q";
    text += property(path + ".capacity", "100");
  }
  return text + "</configuration>";
}

std::string with_root_queue(const std::string& more, const std::string& attributes = {}) {
  return "<configuration" + attributes + ">" + property("root.queues", "a") +
         property("root.a.capacity", "100") + more + "</configuration>";
}

// A file that grows with `count`.
struct Growing {
  const char* name;
  const char* scheduler;
  std::string (*text)(int count);
  // The largest `count` that is accepted; 0: whatever fits into a file.
  std::size_t count_max = 0;
};

// Below the root, which is one of them.
constexpr std::size_t children_max = queues_max - 1;
// The root and its children, "*", the default partition and the children's labels.
constexpr std::size_t queues_with_a_label_max = 998;
static_assert((queues_with_a_label_max + 1) * (queues_with_a_label_max + 2) <=
              queues_by_labels_max);

const Growing growing[] = {
    {"Queues", "capacity", [](int count) { return queues_of(count, capacity_of(count)); },
     children_max},
    {"QueuesWithWeights", "capacity", [](int count) { return queues_of(count, "1w"); },
     children_max},
    {"QueuesWithAmounts", "capacity", [](int count) { return queues_of(count, "[memory=1]"); },
     children_max},
    {"QueuesWithAUnitForEachResource", "capacity",
     [](int count) {
       std::string text = queues_of(count, "[memory=1w,vcores=50%]");
       return text.insert(text.find('>') + 1, property("legacy-queue-mode.enabled", "false"));
     },
     children_max},
    {"QueuesWithLimits", "capacity",
     [](int count) {
       return queues_of(count, capacity_of(count), [count](const std::string& queue) {
         return property(queue + ".user-limit-factor", "2") +
                property(queue + ".maximum-applications", "7") +
                property(queue + ".user-settings.ann.weight", "0.5") +
                property(queue + ".accessible-node-labels.ssd.capacity", capacity_of(count));
       });
     },
     children_max},
    {"QueuesWithALabelEach", "capacity",
     [](int count) {
       return queues_of(count, capacity_of(count), [](const std::string& queue) {
         const std::string label = "l" + queue.substr(queue.find('q'));
         return property(queue + ".accessible-node-labels", label) +
                property(queue + ".accessible-node-labels." + label + ".capacity", "100");
       });
     },
     queues_with_a_label_max},
    {"LevelsOfQueues", "capacity", chain, queue_levels_max},
    {"AccessLists", "capacity",
     [](int count) {
       return with_root_queue(property("root.a.acl_submit_applications", list(count)));
     }},
    {"Labels", "capacity",
     [](int count) {
       return with_root_queue(property("root.accessible-node-labels", list(count)) +
                              property("root.a.accessible-node-labels", list(count)));
     }},
    {"WeightsOfUsers", "capacity",
     [](int count) {
       std::string text;
       for (int i = 0; i < count; ++i) {
         text += property(fmt::format("root.user-settings.user{}.weight", i), "1");
       }
       return with_root_queue(text);
     }},
    {"LimitsOfUsers", "capacity",
     [](int count) {
       std::string text;
       for (int i = 0; i < count; ++i) {
         text += property(fmt::format("user.u{}.max-parallel-apps", i), "1");
       }
       return with_root_queue(text);
     }},
    {"QueueMappings", "capacity",
     [](int count) { return with_root_queue(property("queue-mappings", list(count, "u:u{}:a"))); }},
    {"UnknownProperties", "capacity",
     [](int count) {
       std::string text;
       for (int i = 0; i < count; ++i) text += property(fmt::format("root.a.unknown{}", i), "1");
       return with_root_queue(text);
     }},
    {"Attributes", "capacity",
     [](int count) { return with_root_queue("", list(count, " a{}=\"1\"", "")); },
     xml_attributes_max},
    {"AllocationQueues", "fair",
     [](int count) {
       return "<allocations>" + list(count, "<queue name=\"q{}\"/>", "") + "</allocations>";
     },
     children_max},
    {"AllocationQueuesBelowAnother", "fair",
     [](int count) {
       return "<allocations><queue name=\"a\">" +
              list(count, "<queue name=\"q{}\"><weight>2</weight></queue>", "") +
              "</queue></allocations>";
     },
     children_max - 1},
    {"AllocationUsers", "fair",
     [](int count) {
       return "<allocations>" +
              list(count, "<user name=\"u{}\"><maxRunningApps>3</maxRunningApps></user>", "") +
              "</allocations>";
     }},
    {"Pools", "slot_fair",
     [](int count) {
       return "<allocations>" + list(count, "<pool name=\"q{}\"><minMaps>1</minMaps></pool>", "") +
              "</allocations>";
     }},
};

enum class Use { explain, create };

// The sentence with which the scheduler refuses the file; empty: it does not.
std::string refusal_of(const Growing& file, const XmlElement& root, Use use) {
  const SchedulerEntry& entry = *test::schedulers().find(file.scheduler);
  if (use == Use::explain) {
    const ExplainedMachines machines{.capacity = Resources(4'000, 8'192), .count = 10};
    const auto explained = entry.explainer->explain(
        {.setting = "config", .root = root, .settings = {}, .dimensions = ResourceDimensions()},
        std::span(&machines, 1));
    return explained ? "" : explained.error().message;
  }
  const Names names;
  SchedulerParameters parameters;
  parameters.documents.emplace("config", root);
  parameters.names = &names;
  const auto scheduler = entry.make(entry, parameters);
  return scheduler ? "" : scheduler.error().message;
}

// The same of a text.
std::string refusal_of(const Growing& file, int count, Use use) {
  try {
    return refusal_of(file, parse_xml(file.text(count), "submitted.xml"), use);
  } catch (const InputError& error) {
    return error.what();
  }
}

class FileCost : public testing::TestWithParam<Growing> {};
class FileCostGrowth : public testing::TestWithParam<std::tuple<Growing, Use>> {};

// Of CPU time, not of the wall's: a busy machine changes the ratio by tens of percent, a loop
// within a loop by eight times.
TEST_P(FileCostGrowth, IsInProportionToTheFile) {
  const auto& [file, use] = GetParam();
  constexpr int few = 1'000;
  constexpr int times = 8;
  constexpr int attempts = 5;
  double least_of_few = 1e9;
  double least_of_many = 1e9;
  const auto cost = [&](int count) {
    const double begin = process_cpu_seconds();
    (void)refusal_of(file, count, use);
    return process_cpu_seconds() - begin;
  };
  for (int i = 0; i < attempts; ++i) {
    least_of_few = std::min(least_of_few, cost(few));
    least_of_many = std::min(least_of_many, cost(few * times));
  }
  constexpr double slack = 3;
  const auto bytes = [&](int count) { return static_cast<double>(file.text(count).size()); };
  EXPECT_LT(least_of_many, least_of_few * bytes(few * times) / bytes(few) * slack)
      << least_of_few * 1e3 << " ms and " << least_of_many * 1e3 << " ms";
}

// Of a file that only its size bounds, as much as a submission may hold.
constexpr std::size_t submission_bytes_max = std::size_t{1} << 20;

TEST_P(FileCost, HasABoundUpToWhichEverythingIsAccepted) {
  const Growing& file = GetParam();
  int count = static_cast<int>(file.count_max);
  if (count == 0) {
    count = 1;
    while (file.text(2 * count).size() < submission_bytes_max) count *= 2;
  }
  EXPECT_EQ(refusal_of(file, count, Use::explain), "");
  EXPECT_EQ(refusal_of(file, count, Use::create), "");
}

TEST_P(FileCost, RefusesOneMoreThanItsBoundByName) {
  const Growing& file = GetParam();
  if (file.count_max == 0) return;  // its size bounds it (xml_file_test)
  const int count = static_cast<int>(file.count_max) + 1;
  for (const Use use : {Use::explain, Use::create}) {
    const std::string refusal = refusal_of(file, count, use);
    EXPECT_THAT(refusal, testing::HasSubstr("submitted.xml"));
    EXPECT_THAT(refusal, testing::ContainsRegex("expected .*at most [0-9]+ "));
  }
}

std::string name_of(const testing::TestParamInfo<Growing>& file) {
  return file.param.name;
}
std::string name_of_use(const testing::TestParamInfo<std::tuple<Growing, Use>>& param) {
  const auto& [file, use] = param.param;
  return fmt::format("{}{}", file.name, use == Use::explain ? "Explained" : "Created");
}

INSTANTIATE_TEST_SUITE_P(Files, FileCost, testing::ValuesIn(growing), name_of);
INSTANTIATE_TEST_SUITE_P(Files, FileCostGrowth,
                         testing::Combine(testing::ValuesIn(growing),
                                          testing::Values(Use::explain, Use::create)),
                         name_of_use);

}  // namespace
}  // namespace tracebed
