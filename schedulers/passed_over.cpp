#include "schedulers/passed_over.h"

#include "core/text.h"
#include "schedulers/hadoop1/capacity/slot_capacity_settings.h"
#include "schedulers/hadoop1/fair/slot_fair_settings.h"
#include "schedulers/hadoop1/slot_fifo.h"

namespace tracebed {
namespace {

std::string value_of(const SettingValues& settings, std::string_view name, const char* otherwise) {
  const auto found = settings.find(name);
  return found == settings.end() ? otherwise : found->second;
}

std::vector<std::string> in_pools_file(const XmlElement& root, const SettingValues& settings) {
  const bool is_old = value_of(settings, "generation", "1.x") == "0.20";
  const auto read = read_pool_allocations(
      root, is_old ? SlotFairGeneration::deficits : SlotFairGeneration::ratios);
  return read ? read->unread : std::vector<std::string>();
}

std::vector<std::string> in_queues_file(const XmlElement& root, const SettingValues& settings) {
  const std::string generation = value_of(settings, "generation", "1.x");
  const auto read =
      read_slot_queues(root, split_list(value_of(settings, "queue_names", "")),
                       generation == "0.20.0"   ? SlotCapacityGeneration::reclaims
                       : generation == "0.20.2" ? SlotCapacityGeneration::shares_memory
                                                : SlotCapacityGeneration::has_maxima);
  return read ? read->unread : std::vector<std::string>();
}

}  // namespace

bool is_slot_scheduler(std::string_view scheduler) {
  return scheduler == "slot_fifo" || scheduler == "slot_fair" || scheduler == "slot_capacity";
}

std::vector<std::string> passed_over_by_slots(std::string_view scheduler, std::string_view setting,
                                              const XmlElement& root,
                                              const SettingValues& settings) {
  if (setting == "mapred_site") {
    return unread_in_mapred_site(root, scheduler == "slot_fair"       ? slot_fair_properties()
                                       : scheduler == "slot_capacity" ? slot_capacity_properties()
                                                                      : slot_fifo_properties());
  }
  return scheduler == "slot_fair" ? in_pools_file(root, settings) : in_queues_file(root, settings);
}

}  // namespace tracebed
