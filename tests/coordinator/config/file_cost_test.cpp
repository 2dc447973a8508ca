// What a submitted file of a scheduler costs: however a list, table or tree in it grows, to read
// and explain it costs in proportion, until it is refused by a bound that the message names.
#include <algorithm>
#include <ctime>
#include <fmt/format.h>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/config/xml_file.h"
#include "core/input_error.h"
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

std::string queues(int count, const std::function<std::string(const std::string&)>& more = {}) {
  std::string text = "<configuration>" + property("root.queues", list(count));
  for (int i = 0; i < count; ++i) {
    const std::string queue = fmt::format("root.q{}", i);
    text += property(queue + ".capacity", fmt::format("{:.7f}", 100.0 / count));
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

std::string with_root_queue(const std::string& more) {
  return "<configuration>" + property("root.queues", "a") + property("root.a.capacity", "100") +
         more + "</configuration>";
}

// A file that grows with `count`.
struct Growing {
  const char* name;
  const char* scheduler;
  std::string (*text)(int count);
};

const Growing growing[] = {
    {"Queues", "capacity", [](int count) { return queues(count); }},
    {"QueuesWithoutFigures", "capacity",
     [](int count) {
       return "<configuration>" + property("root.queues", list(count)) + "</configuration>";
     }},
    {"QueuesWithLimits", "capacity",
     [](int count) {
       return queues(count, [](const std::string& queue) {
         return property(queue + ".user-limit-factor", "2") +
                property(queue + ".maximum-applications", "7") +
                property(queue + ".user-settings.ann.weight", "0.5") +
                property(queue + ".accessible-node-labels.ssd.capacity", "0");
       });
     }},
    {"LevelsOfQueues", "capacity", chain},
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
     [](int count) {
       return "<configuration " + list(count, "a{}=\"1\"", " ") + "></configuration>";
     }},
    {"AllocationQueues", "fair",
     [](int count) {
       return "<allocations>" + list(count, "<queue name=\"q{}\"/>", "") + "</allocations>";
     }},
    {"AllocationQueuesBelowAnother", "fair",
     [](int count) {
       return "<allocations><queue name=\"a\">" +
              list(count, "<queue name=\"q{}\"><weight>2</weight></queue>", "") +
              "</queue></allocations>";
     }},
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

// The CPU time in which this process reads and explains the file, and what was said if it was
// refused.
struct Cost {
  double seconds = 0;
  std::string refusal;
};

Cost cost_of(const Growing& file, int count) {
  const std::string text = file.text(count);
  const auto now = [] {
    timespec time = {};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
  };
  const double begin = now();
  Cost cost;
  try {
    const XmlElement root = parse_xml(text, "submitted.xml");
    const SchedulerEntry* entry = test::schedulers().find(file.scheduler);
    EXPECT_NE(entry, nullptr);
    const ResourceDimensions dimensions;
    const auto explained = entry->explainer->explain(
        {.setting = "config", .root = root, .settings = {}, .dimensions = dimensions},
        {.capacity = Resources(4'000, 8'192), .count = 10});
    if (!explained) cost.refusal = explained.error().message;
  } catch (const InputError& error) {
    cost.refusal = error.what();
  }
  cost.seconds = now() - begin;
  return cost;
}

class FileCost : public testing::TestWithParam<Growing> {};
class FileCostGrowth : public testing::TestWithParam<Growing> {};

// Of CPU time, not of the wall's: a busy machine changes the ratio by tens of percent, a loop
// within a loop by eight times.
TEST_P(FileCostGrowth, IsInProportionToTheFile) {
  constexpr int few = 1'000;
  constexpr int times = 8;
  constexpr int attempts = 5;
  double least_of_few = 1e9;
  double least_of_many = 1e9;
  for (int i = 0; i < attempts; ++i) {
    least_of_few = std::min(least_of_few, cost_of(GetParam(), few).seconds);
    least_of_many = std::min(least_of_many, cost_of(GetParam(), few * times).seconds);
  }
  constexpr double slack = 3;
  const auto bytes = [](int count) { return static_cast<double>(GetParam().text(count).size()); };
  EXPECT_LT(least_of_many, least_of_few * bytes(few * times) / bytes(few) * slack)
      << least_of_few * 1e3 << " ms and " << least_of_many * 1e3 << " ms";
}

// One MiB of it, as much as a submission may hold, is accepted or refused by a bound.
TEST_P(FileCost, HasABoundWhateverIsSubmitted) {
  int count = 1;
  while (GetParam().text(2 * count).size() < (std::size_t{1} << 20)) count *= 2;
  const Cost cost = cost_of(GetParam(), count);
  if (cost.refusal.empty()) return;
  EXPECT_THAT(cost.refusal, testing::HasSubstr("submitted.xml"));
  EXPECT_THAT(cost.refusal, testing::HasSubstr("expected")) << count;
}

std::string name_of(const testing::TestParamInfo<Growing>& file) {
  return file.param.name;
}

INSTANTIATE_TEST_SUITE_P(Files, FileCost, testing::ValuesIn(growing), name_of);
INSTANTIATE_TEST_SUITE_P(Files, FileCostGrowth, testing::ValuesIn(growing), name_of);

}  // namespace
}  // namespace tracebed
