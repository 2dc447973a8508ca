// Files of schedulers from anywhere, as the control service takes them: each scheduler that reads
// files explains an XML file, and mapping rules are read as JSON.
#include <string>

#include "coordinator/config/xml_file.h"
#include "core/check.h"
#include "core/input_error.h"
#include "fuzz/fuzz_target.h"
#include "schedulers/entries/builtin_schedulers.h"
#include "schedulers/yarn/capacity/placement/mapping_rules_json.h"

namespace tracebed::fuzz {
namespace {

void explain_as_each(const XmlElement& root) {
  static const SchedulerRegistry schedulers = builtin_schedulers();
  const ResourceDimensions dimensions;
  const ExplainedMachines machines{.capacity = Resources(4'000, 8'192), .count = 10};
  for (const SchedulerEntry& entry : schedulers) {
    if (!entry.explainer) continue;
    const SchedulerFile file{
        .setting = "config", .root = root, .settings = {}, .dimensions = dimensions};
    const Result<ExplainedFile> explained = entry.explainer->explain(file, std::span(&machines, 1));
    TRACEBED_CHECK(explained || !explained.error().message.empty(), "a refusal has a reason");
    static_cast<void>(entry.explainer->is_own_file(root));
  }
}

std::string capacity_file(const std::string& more) {
  return "<configuration>\n"
         "<property><name>yarn.scheduler.capacity.root.queues</name><value>a,b</value></property>\n"
         "<property><name>yarn.scheduler.capacity.root.a.capacity</name><value>40</value>"
         "</property>\n"
         "<property><name>yarn.scheduler.capacity.root.b.capacity</name><value>60</value>"
         "</property>\n" +
         more + "</configuration>\n";
}

}  // namespace

std::vector<std::string> seeds() {
  return {
      capacity_file(""),
      capacity_file("<property><name>yarn.scheduler.capacity.legacy-queue-mode.enabled</name>"
                    "<value>false</value></property>\n"
                    "<property><name>yarn.scheduler.capacity.root.b.capacity</name>"
                    "<value>[memory=50%,vcores=4w]</value></property>"),
      capacity_file("<property><name>yarn.scheduler.capacity.root.a.maximum-capacity</name>"
                    "<value>[memory=50%,vcores=10]</value></property>\n"
                    "<property><name>yarn.scheduler.capacity.root.a.user-settings.ann.weight</name>"
                    "<value>1.5</value></property>\n"
                    "<property><name>yarn.scheduler.capacity.queue-mappings</name>"
                    "<value>u:ann:a,g:staff:b,u:%user:a</value></property>\n"),
      "<allocations><queue name=\"a\"><minResources>1024 mb, 1 vcores</minResources>"
      "<weight>2.0</weight><queue name=\"b\"/></queue><user name=\"ann\"><maxRunningApps>3"
      "</maxRunningApps></user><queuePlacementPolicy><rule name=\"specified\"/>"
      "<rule name=\"nestedUserQueue\"><rule name=\"primaryGroup\"/></rule>"
      "<rule name=\"default\" queue=\"a.b\"/></queuePlacementPolicy></allocations>",
      "<allocations><pool name=\"a\"><minMaps>1</minMaps><maxRunningJobs>2</maxRunningJobs></pool>"
      "</allocations>",
      R"({"rules": [{"type": "user", "matches": "*", "policy": "custom",
          "customPlacement": "root.%user", "create": true, "fallbackResult": "placeDefault"}]})",
  };
}

}  // namespace tracebed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  static_cast<void>(tracebed::parse_json_mapping_rules(text, "fuzz"));
  try {
    tracebed::fuzz::explain_as_each(tracebed::parse_xml(text, "fuzz"));
  } catch (const tracebed::InputError&) {
    // The documented refusal.
  }
  return 0;
}
