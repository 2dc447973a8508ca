#include "schedulers/yarn/capacity/tuned_properties.h"

#include <cmath>

#include "schedulers/yarn/capacity/capacity_configuration.h"
#include "schedulers/yarn/capacity/capacity_prefix.h"
#include "schedulers/yarn/configuration/hadoop_properties.h"
#include "schedulers/yarn/configuration/property_elements.h"

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

XmlElement write_property(XmlElement file, std::string_view path, std::int64_t share) {
  set_property(file, capacity_property(std::string(path), tuned_property), share_text(share));
  return file;
}

}  // namespace

TunedParameter capacity_master_share() {
  return {tuned_property, "config", find_property, write_property};
}

}  // namespace tracebed
