#include "schedulers/yarn/capacity/system_properties.h"

#include <algorithm>

#include "schedulers/parts/java_int.h"
#include "schedulers/yarn/capacity/capacity_prefix.h"
#include "schedulers/yarn/configuration/allocation_properties.h"
#include "schedulers/yarn/configuration/property_tables.h"

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

constexpr std::string_view policies_property = "yarn.resourcemanager.scheduler.monitor.policies";
constexpr std::string_view preemption_policy =
    "org.apache.hadoop.yarn.server.resourcemanager.monitor.capacity."
    "ProportionalCapacityPreemptionPolicy";
constexpr std::string_view deletion_policy =
    "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity."
    "AutoCreatedQueueDeletionPolicy";

constexpr std::string_view management_policy =
    "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity."
    "QueueManagementDynamicEditPolicy";

bool names_policy(const std::vector<std::string>& policies, std::string_view policy) {
  return std::find(policies.begin(), policies.end(), policy) != policies.end();
}

// Which policies look at the queues (SchedulingMonitorManager): preemption, if nothing is stated.
void read_monitor_policies(PropertyReader& reader, CapacityConfiguration& configuration) {
  const std::vector<std::string> policies = reader.list(policies_property);
  const Duration expiration = seconds(reader.integer(
      capacity_property("auto-queue-creation-v2.queue-expiration-time"), 300, 1, java_int_max));
  const bool is_on = configuration.preemption.is_enabled;
  if (is_on && names_policy(policies, deletion_policy)) {
    configuration.unused_queues_interval = expiration;
  }
  const Duration interval = milliseconds(
      reader.integer("yarn.resourcemanager.monitor.capacity.queue-management.monitoring-interval",
                     1'500, 1, java_int_max));
  if (is_on && names_policy(policies, management_policy)) {
    configuration.managed_queues_interval = interval;
  }
  configuration.preemption.is_enabled =
      is_on && (policies.empty() || names_policy(policies, preemption_policy));
}

}  // namespace

void review_monitor_policies(const HadoopProperties& properties, PropertyReview& review) {
  PropertyReader reader(properties);
  const std::vector<std::string> policies = reader.list(policies_property);
  const KnownProperty* known = known_property(known_capacity_properties(), policies_property);
  const std::string value = reader.text(policies_property, "");
  const std::string place = properties.place(policies_property);
  if (!is_neutral(*known, value)) {
    review.unobeyed.push_back(
        {std::string(policies_property), place, value, known, std::string(known->reason)});
  }
  if (!policies.empty() && !names_policy(policies, preemption_policy) &&
      reader.flag(preemption_switch, false)) {
    review.remarks.push_back(place +
                             ": does not name ProportionalCapacityPreemptionPolicy, so that "
                             "nothing is preempted");
  }
}

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
  read_monitor_policies(reader, c);
}

}  // namespace tracebed
