#include "schedulers/yarn/capacity/tuned_properties.h"

#include <algorithm>
#include <cmath>

#include "core/text.h"
#include "schedulers/yarn/capacity/capacity_configuration.h"
#include "schedulers/yarn/configuration/hadoop_properties.h"

namespace tracebed {
namespace {

constexpr std::string_view tuned_property = "maximum-am-resource-percent";

const CapacityQueue* only_leaf(const CapacityConfiguration& configuration) {
  const CapacityQueue* found = nullptr;
  for (const CapacityQueue& queue : configuration.queues) {
    if (!queue.is_leaf()) continue;
    if (found != nullptr) return nullptr;
    found = &queue;
  }
  return found;
}

std::string leaves_of(const CapacityConfiguration& configuration) {
  std::string text;
  for (const CapacityQueue& queue : configuration.queues) {
    if (queue.is_leaf()) text += (text.empty() ? "" : ", ") + queue.path;
  }
  return text;
}

Result<TunedQueue> find_property(const XmlElement& file, const ResourceDimensions& dimensions,
                                 std::string_view name) {
  HadoopProperties properties;
  if (const Status added = properties.add(file); !added) return added.error();
  // What Hadoop 2 passes over does not matter here; the file is the scheduler's, which took it.
  const auto loaded = read_capacity_configuration(properties, dimensions, YarnGeneration::hadoop_2);
  if (!loaded) return loaded.error();
  const CapacityConfiguration& configuration = loaded->configuration;
  const CapacityQueue* queue =
      name.empty() ? only_leaf(configuration) : configuration.find(std::string(name));
  if (queue == nullptr || !queue->is_leaf()) {
    return Error{file.where + ": expected " +
                 (name.empty() ? "a file with one leaf queue, or the name of one"
                               : "a leaf queue named \"" + std::string(name) + "\", and only one") +
                 "; the leaves are " + leaves_of(configuration)};
  }
  const auto partition = queue->partitions.find("");
  if (partition == queue->partitions.end()) {
    return Error{file.where + ": queue " + queue->path + " has no capacity outside of labels"};
  }
  return TunedQueue{
      queue->path,
      std::llround(static_cast<double>(partition->second.application_master_share) * 1'000'000)};
}

// A property's name is an element or, in Hadoop's short form, an attribute.
std::string_view name_of(const XmlElement& property) {
  if (const XmlElement* element = property.child("name")) return trimmed(element->text);
  if (const std::string* attribute = property.attribute("name")) return trimmed(*attribute);
  return {};
}

void set_value(XmlElement& property, const std::string& text) {
  const auto element = std::find_if(property.children.begin(), property.children.end(),
                                    [](const XmlElement& one) { return one.name == "value"; });
  if (element != property.children.end()) {
    element->text = text;
    element->children.clear();
    return;
  }
  const auto attribute = std::find_if(property.attributes.begin(), property.attributes.end(),
                                      [](const auto& one) { return one.first == "value"; });
  if (attribute != property.attributes.end()) {
    attribute->second = text;
  } else {
    property.children.push_back({"value", property.where, {}, text, {}});
  }
}

XmlElement write_property(XmlElement file, std::string_view path, std::int64_t share) {
  const std::string name =
      "yarn.scheduler.capacity." + std::string(path) + "." + std::string(tuned_property);
  const std::string text = share_text(share);
  // Of several, the last one is in force, or the first that is final: all get the value.
  bool is_written = false;
  for (XmlElement& property : file.children) {
    if (name_of(property) != name) continue;
    set_value(property, text);
    is_written = true;
  }
  if (!is_written) {
    XmlElement property{"property", file.where, {}, {}, {}};
    property.children.push_back({"name", file.where, {}, name, {}});
    property.children.push_back({"value", file.where, {}, text, {}});
    file.children.push_back(std::move(property));
  }
  return file;
}

}  // namespace

TunedParameter capacity_master_share() {
  return {tuned_property, "config", find_property, write_property};
}

}  // namespace tracebed
