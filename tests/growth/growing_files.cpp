#include "growth/growing_files.h"

#include <fmt/format.h>
#include <functional>

#include "coordinator/config/xml_file.h"
#include "core/input_error.h"
#include "core/names.h"
#include "growth/repeated.h"
#include "schedulers/yarn/configuration/configuration_bounds.h"
#include "support/schedulers.h"

namespace tracebed::test {
namespace {

std::string property(const std::string& name, const std::string& value) {
  return fmt::format(
      "<property><name>yarn.scheduler.capacity.{}</name><value>{}</value></property>", name, value);
}

// Of one of so many siblings.
std::string capacity_of(int count) {
  return fmt::format("{:.10f}", 100.0 / count);
}

std::string queues_of(int count, const std::string& capacity,
                      const std::function<std::string(const std::string&)>& more = {}) {
  std::string text = "<configuration>" + property("root.queues", repeated(count, "q{i}", ","));
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

// Below the root, which is one of them.
constexpr std::size_t children_max = queues_max - 1;
// The root and its children, "*", the default partition and the children's labels.
constexpr std::size_t queues_with_a_label_max = 998;
static_assert((queues_with_a_label_max + 1) * (queues_with_a_label_max + 2) <=
              queues_by_labels_max);

const GrowingFile files[] = {
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
     queues_with_a_label_max, [](int count) { return static_cast<double>(count) * count; }},
    {"LevelsOfQueues", "capacity", chain, queue_levels_max},
    {"AccessLists", "capacity",
     [](int count) {
       return with_root_queue(
           property("root.a.acl_submit_applications", repeated(count, "q{i}", ",")));
     }},
    {"Labels", "capacity",
     [](int count) {
       return with_root_queue(
           property("root.accessible-node-labels", repeated(count, "q{i}", ",")) +
           property("root.a.accessible-node-labels", repeated(count, "q{i}", ",")));
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
     [](int count) {
       return with_root_queue(property("queue-mappings", repeated(count, "u:u{i}:a", ",")));
     }},
    {"MappingRules", "capacity",
     [](int count) {
       return with_root_queue(
           property("mapping-rule-format", "json") +
           property("mapping-rule-json",
                    R"({"rules":[)" +
                        repeated(count,
                                 R"({{"type":"user","matches":"u{i}","policy":"custom",)"
                                 R"("customPlacement":"root.a","fallbackResult":"reject"}})",
                                 ",") +
                        "]}"));
     }},
    {"UnknownProperties", "capacity",
     [](int count) {
       std::string text;
       for (int i = 0; i < count; ++i) text += property(fmt::format("root.a.unknown{}", i), "1");
       return with_root_queue(text);
     }},
    {"Attributes", "capacity",
     [](int count) { return with_root_queue("", repeated(count, " a{i}=\"1\"", "")); },
     xml_attributes_max},
    {"AllocationQueues", "fair",
     [](int count) {
       return "<allocations>" + repeated(count, "<queue name=\"q{i}\"/>", "") + "</allocations>";
     },
     children_max},
    {"AllocationQueuesBelowAnother", "fair",
     [](int count) {
       return "<allocations><queue name=\"a\">" +
              repeated(count, "<queue name=\"q{i}\"><weight>2</weight></queue>", "") +
              "</queue></allocations>";
     },
     children_max - 1},
    {"AllocationUsers", "fair",
     [](int count) {
       return "<allocations>" +
              repeated(count, "<user name=\"u{i}\"><maxRunningApps>3</maxRunningApps></user>", "") +
              "</allocations>";
     }},
    {"PlacementRules", "fair",
     [](int count) {
       return "<allocations><queuePlacementPolicy>" +
              repeated(count, "<rule name=\"specified\" create=\"false\"/>") +
              "<rule name=\"default\"/></queuePlacementPolicy></allocations>";
     }},
    {"Pools", "slot_fair",
     [](int count) {
       return "<allocations>" +
              repeated(count, "<pool name=\"q{i}\"><minMaps>1</minMaps></pool>", "") +
              "</allocations>";
     }},
};

std::string explained(const GrowingFile& file, const XmlElement& root) {
  const ExplainedMachines machines{.capacity = Resources(4'000, 8'192), .count = 10};
  const auto explained = schedulers()
                             .find(file.scheduler)
                             ->explainer->explain({.setting = "config",
                                                   .root = root,
                                                   .settings = {},
                                                   .dimensions = ResourceDimensions()},
                                                  std::span(&machines, 1));
  return explained ? "" : explained.error().message;
}

std::string created(const GrowingFile& file, const XmlElement& root) {
  const SchedulerEntry& entry = *schedulers().find(file.scheduler);
  const Names names;
  SchedulerParameters parameters;
  parameters.documents.emplace("config", root);
  parameters.names = &names;
  const auto scheduler = entry.make(entry, parameters);
  return scheduler ? "" : scheduler.error().message;
}

}  // namespace

std::span<const GrowingFile> growing_files() {
  return files;
}

std::string name_of(const std::tuple<GrowingFile, Use>& file_and_use) {
  const auto& [file, use] = file_and_use;
  return file.name + std::string(use == Use::explain ? "Explained" : "Created");
}

std::string refusal_of(const GrowingFile& file, const std::string& text, Use use) {
  try {
    const XmlElement root = parse_xml(text, "submitted.xml");
    return use == Use::explain ? explained(file, root) : created(file, root);
  } catch (const InputError& error) {
    return error.what();
  }
}

}  // namespace tracebed::test
