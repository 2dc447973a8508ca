#include "schedulers/yarn/capacity/system_properties.h"

#include "schedulers/parts/java_int.h"
#include "schedulers/yarn/capacity/capacity_prefix.h"
#include "schedulers/yarn/configuration/allocation_properties.h"

namespace tracebed {
namespace {

constexpr std::string_view memory_class =
    "org.apache.hadoop.yarn.util.resource.DefaultResourceCalculator";
constexpr std::string_view dominant_class =
    "org.apache.hadoop.yarn.util.resource.DominantResourceCalculator";

// The smallest and the largest container. Hadoop 3 has them from the ResourceManager's
// configuration (AbstractYarnScheduler.getMinimumAllocation), and a queue the largest from this
// one, too (QueueAllocationSettings.setupMaximumAllocation). For Hadoop 2 these are settings.
void read_allocations(PropertyReader& reader, YarnGeneration generation,
                      CapacityConfiguration& configuration) {
  for (const AllocationProperty& property : allocation_properties) {
    if (generation == YarnGeneration::hadoop_3 && property.is_minimum) continue;
    const std::int64_t amount = reader.integer(property.name, 0, 0, java_int_max);
    if (generation == YarnGeneration::hadoop_2) continue;
    configuration.maximum_allocation[property.dimension] = amount * yarn_unit(property.dimension);
  }
}

// user.NAME.max-parallel-apps
void read_parallel_applications_of_users(PropertyReader& reader, const HadoopProperties& properties,
                                         CapacityConfiguration& configuration) {
  const std::string begin = capacity_property("user.");
  constexpr std::string_view end = ".max-parallel-apps";
  for (const auto& [name, property] : properties.beginning_with(begin)) {
    if (!name.ends_with(end)) continue;
    if (name.size() <= begin.size() + end.size()) continue;
    const std::string user = name.substr(begin.size(), name.size() - begin.size() - end.size());
    const std::optional<std::int64_t> maximum = count_property(reader, name);
    if (maximum) configuration.maximum_parallel_applications_of_users[user] = *maximum;
  }
}

}  // namespace

std::optional<std::int64_t> count_property(PropertyReader& reader, const std::string& name) {
  const std::int64_t value = reader.integer(name, -1, -1, java_int_max);
  return value < 0 ? std::nullopt : std::optional(value);
}

void read_system_properties(PropertyReader& reader, const HadoopProperties& properties,
                            YarnGeneration generation, CapacityConfiguration& configuration) {
  CapacityConfiguration& c = configuration;
  if (reader.choice(capacity_property("resource-calculator"), 0, {memory_class, dominant_class}) ==
      1) {
    c.calculator = ResourceCalculator(ResourceCalculator::Kind::dominant);
  }
  if (!reader.flag(capacity_property("legacy-queue-mode.enabled"), true)) {
    c.forms = CapacityForms::any;
  }
  read_allocations(reader, generation, c);
  c.maximum_system_applications =
      reader.integer(capacity_property("maximum-applications"), 10'000, 1, java_int_max);
  c.global_queue_maximum_applications =
      count_property(reader, capacity_property("global-queue-max-application"));
  c.maximum_parallel_applications_of_user =
      count_property(reader, capacity_property("user.max-parallel-apps"));
  read_parallel_applications_of_users(reader, properties, c);
  c.node_locality_delay =
      reader.integer(capacity_property("node-locality-delay"), 40, -1, java_int_max);
  c.rack_locality_additional_delay =
      reader.integer(capacity_property("rack-locality-additional-delay"), -1, -1, java_int_max);
  c.has_rack_locality_full_reset = reader.flag(capacity_property("rack-locality-full-reset"), true);
  c.assigns_multiple =
      reader.flag(capacity_property("per-node-heartbeat.multiple-assignments-enabled"), true);
  c.assignments_per_heartbeat = reader.integer(
      capacity_property("per-node-heartbeat.maximum-container-assignments"), 100, -1, java_int_max);
  c.offswitch_assignments_per_heartbeat = reader.integer(
      capacity_property("per-node-heartbeat.maximum-offswitch-assignments"), 1, 1, java_int_max);
  c.reservations_look_at_all_nodes =
      reader.flag(capacity_property("reservations-continue-look-all-nodes"), true);
  c.preemption = read_preemption_properties(reader);
}

}  // namespace tracebed
