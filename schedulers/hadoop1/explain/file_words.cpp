// Whose file it is, by its words.
#include <algorithm>
#include <array>
#include <span>

#include "core/text.h"
#include "schedulers/hadoop1/explain/explain_slots.h"

namespace tracebed {
namespace {

// How many of the names the elements below have, each counted once.
std::size_t names_in(const XmlElement& root, std::span<const std::string_view> names) {
  return static_cast<std::size_t>(
      std::count_if(names.begin(), names.end(), [&](std::string_view name) {
        const auto has_it = [&](const auto& self, const XmlElement& element) -> bool {
          return std::any_of(
              element.children.begin(), element.children.end(),
              [&](const XmlElement& child) { return child.name == name || self(self, child); });
        };
        return has_it(has_it, root);
      }));
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

// One word that was kept from the other release, or comes from a typing error, does not outweigh
// the rest of the file. Elements that both have (pool, user, weight, schedulingPolicy and
// schedulingMode, timeouts) say nothing.
bool is_pools_file(const XmlElement& root) {
  constexpr std::array<std::string_view, 8> of_pools{"minMaps",
                                                     "minReduces",
                                                     "maxMaps",
                                                     "maxReduces",
                                                     "maxRunningJobs",
                                                     "userMaxJobsDefault",
                                                     "poolMaxJobsDefault",
                                                     "defaultPoolSchedulingMode"};
  constexpr std::array<std::string_view, 17> of_queues{"queue",
                                                       "minResources",
                                                       "maxResources",
                                                       "maxChildResources",
                                                       "maxContainerAllocation",
                                                       "maxRunningApps",
                                                       "maxAMShare",
                                                       "aclSubmitApps",
                                                       "aclAdministerApps",
                                                       "allowPreemptionFrom",
                                                       "fairSharePreemptionThreshold",
                                                       "userMaxAppsDefault",
                                                       "queueMaxAppsDefault",
                                                       "queueMaxResourcesDefault",
                                                       "queueMaxAMShareDefault",
                                                       "defaultQueueSchedulingPolicy",
                                                       "queuePlacementPolicy"};
  return root.name == "allocations" && names_in(root, of_pools) > names_in(root, of_queues);
}

bool is_slot_queues_file(const XmlElement& root) {
  const auto is_ours = [](std::string_view name) {
    return name.starts_with("mapred.capacity-scheduler.");
  };
  // A mapred-queues.xml is of Hadoop 0.21's, which is refused with a word about it.
  return root.name == "queues" || has_property(root, is_ours);
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
