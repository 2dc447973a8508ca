// Changes of a scheduler's configuration, as anybody with a token sends them over HTTP, and what
// they make of a file. The first byte of an input selects XML or JSON.
#include <string>

#include "coordinator/config/configuration_update_text.h"
#include "coordinator/config/xml_file.h"
#include "core/check.h"
#include "core/input_error.h"
#include "fuzz/fuzz_target.h"
#include "schedulers/entries/builtin_schedulers.h"

namespace tracebed::fuzz {
namespace {

constexpr const char* capacity_file =
    "<configuration>\n"
    "<property><name>yarn.scheduler.capacity.root.queues</name><value>a,b</value></property>\n"
    "<property><name>yarn.scheduler.capacity.root.a.capacity</name><value>40</value></property>\n"
    "<property><name>yarn.scheduler.capacity.root.b.capacity</name><value>60</value></property>\n"
    "</configuration>\n";

void check(const ConfigurationUpdate& update) {
  static const SchedulerRegistry schedulers = builtin_schedulers();
  static const XmlElement root = parse_xml(capacity_file, "fuzz");
  TRACEBED_CHECK(!update.is_empty(), "an update changes something");
  const ResourceDimensions dimensions;
  for (const SchedulerEntry& entry : schedulers) {
    if (!entry.mutable_file) continue;
    const SchedulerFile file{
        .setting = "config", .root = root, .settings = {}, .dimensions = dimensions};
    const Result<XmlElement> updated = entry.mutable_file->updated(file, update);
    if (!updated) {
      TRACEBED_CHECK(!updated.error().message.empty(), "a refusal has a reason");
      continue;
    }
    const std::string text = xml_text(*updated);
    TRACEBED_CHECK(xml_text(parse_xml(text, "fuzz")) == text, "what is written is read alike");
  }
}

}  // namespace

std::vector<std::string> seeds() {
  return {
      "0<sched-conf><update-queue><queue-name>root.a</queue-name><params><entry>"
      "<key>maximum-am-resource-percent</key><value>0.4</value></entry></params></update-queue>"
      "</sched-conf>",
      "0<sched-conf><add-queue><queue-name>root.c</queue-name><params><entry><key>capacity</key>"
      "<value>0</value></entry></params></add-queue><remove-queue>root.b</remove-queue>"
      "<update-queue><queue-name>root.a</queue-name><params><entry><key>capacity</key>"
      "<value>100</value></entry></params></update-queue><global-updates><entry>"
      "<key>yarn.scheduler.capacity.maximum-applications</key><value>7</value></entry>"
      "</global-updates></sched-conf>",
      "1{\"update-queue\": [{\"queue-name\": \"root.a\", \"params\": {\"entry\": [{\"key\": "
      "\"capacity\", \"value\": \"30\"}]}}, {\"queueName\": \"root.b\", \"params\": {\"entry\": "
      "{\"key\": \"capacity\", \"value\": 70}}}]}",
      "1{\"sched-conf\": {\"remove-queue\": [\"root.a\"], \"global-updates\": {\"entry\": "
      "{\"key\": \"yarn.scheduler.capacity.root.queues\", \"value\": \"a\\u0041\"}}}}",
  };
}

}  // namespace tracebed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tracebed;
  if (size == 0 || size > configuration_update_bytes_max) return 0;
  const std::string text(data + 1, data + size);
  try {
    fuzz::check(
        read_configuration_update(text, data[0] % 2 == 0 ? UpdateForm::xml : UpdateForm::json));
  } catch (const InputError&) {
    // The documented refusal.
  }
  return 0;
}
