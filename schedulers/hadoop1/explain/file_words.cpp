// Whose file it is, by its words.
#include <algorithm>
#include <array>

#include "core/text.h"
#include "schedulers/hadoop1/explain/explain_slots.h"

namespace tracebed {
namespace {

bool has_element(const XmlElement& root, std::span<const std::string_view> names) {
  return std::any_of(root.children.begin(), root.children.end(), [&](const XmlElement& child) {
    return std::find(names.begin(), names.end(), child.name) != names.end() ||
           has_element(child, names);
  });
}

bool has_property(const XmlElement& root, const auto& is_it) {
  return std::any_of(root.children.begin(), root.children.end(), [&](const XmlElement& property) {
    const XmlElement* name = property.child("name");
    const std::string* attribute = property.attribute("name");
    if (name != nullptr) return is_it(trimmed(name->text));
    return attribute != nullptr && is_it(trimmed(*attribute));
  });
}

}  // namespace

bool is_pools_file(const XmlElement& root) {
  // YARN's file has none of these, but may call its queues pools.
  constexpr std::array<std::string_view, 8> words{"minMaps",
                                                  "minReduces",
                                                  "maxMaps",
                                                  "maxReduces",
                                                  "maxRunningJobs",
                                                  "userMaxJobsDefault",
                                                  "poolMaxJobsDefault",
                                                  "defaultPoolSchedulingMode"};
  return root.name == "allocations" && has_element(root, words);
}

bool is_slot_queues_file(const XmlElement& root) {
  return has_property(
      root, [](std::string_view name) { return name.starts_with("mapred.capacity-scheduler."); });
}

std::optional<SlotCapacityGeneration> generation_of_queues(const XmlElement& root) {
  const auto has = [&](std::initializer_list<std::string_view> ends) {
    return has_property(root, [&](std::string_view name) {
      return name.starts_with("mapred.capacity-scheduler.") &&
             std::any_of(ends.begin(), ends.end(),
                         [&](std::string_view end) { return name.ends_with(end); });
    });
  };
  const bool is_first =
      has({".guaranteed-capacity", "reclaim-time-limit", "reclaimCapacity.interval"});
  const bool is_late = has({".maximum-capacity", "user-limit-factor", "init-accept-jobs-factor",
                            "maximum-system-jobs", "maximum-tasks-per-heartbeat"});
  if (is_first == is_late) return std::nullopt;
  return is_first ? SlotCapacityGeneration::reclaims : SlotCapacityGeneration::has_maxima;
}

}  // namespace tracebed
