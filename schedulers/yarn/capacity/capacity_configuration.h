// The contents of capacity-scheduler.xml, checked and with every default and inheritance filled in:
// the tree of queues with their figures as configured, before any cluster is known
// (scheduler.capacity.CapacitySchedulerConfiguration). Property names are those of the file without
// the prefix "yarn.scheduler.capacity.".
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/resources.h"
#include "core/result.h"
#include "schedulers/known_properties.h"
#include "schedulers/yarn/capacity/configured_capacity.h"
#include "schedulers/yarn/capacity/placement/mapping_rules.h"
#include "schedulers/yarn/capacity/preemption/preemption_settings.h"
#include "schedulers/yarn/configuration/hadoop_properties.h"
#include "schedulers/yarn/configuration/queue_acl.h"
#include "schedulers/yarn/resource_calculator.h"

namespace tracebed {

struct PartitionCapacity {
  ConfiguredCapacity capacity;
  ConfiguredCapacity maximum = ConfiguredCapacity::of_percent(100);  // never a weight
  float application_master_share = 0.1F;  // maximum-am-resource-percent; may be above 1
};

enum class CapacityQueueState : std::uint8_t { running, draining, stopped };

struct CapacityQueue {
  enum class ApplicationOrder : std::uint8_t { fifo, fair };
  enum class QueueOrder : std::uint8_t { utilization, priority_utilization };

  std::string path;                   // "root.a.b"
  std::size_t parent = 0;             // of the root, itself
  std::vector<std::size_t> children;  // in the order of `queues`; a leaf has none

  // By partition (node label); the default partition is "". The root has each partition whole.
  std::map<std::string, PartitionCapacity> partitions;
  // accessible-node-labels besides the default partition; "*" stands for all. Inherited.
  std::vector<std::string> accessible_labels;
  std::string default_label;  // of asks without a label

  CapacityQueueState state = CapacityQueueState::running;  // a stopped parent stops its children
  std::int32_t priority = 0;                         // among siblings; larger is more important
  QueueOrder queue_order = QueueOrder::utilization;  // of a parent's children; inherited
  bool allows_zero_capacity_sum = false;

  // Of leaves.
  ApplicationOrder application_order = ApplicationOrder::fifo;
  bool has_size_based_weight = false;         // with the fair order
  float user_limit_percent = 100;             // minimum-user-limit-percent
  float user_limit_factor = 1;                // -1: without limit
  std::map<std::string, float> user_weights;  // inherited, a child's own come on top
  std::optional<std::int64_t> maximum_applications;
  std::optional<std::int64_t> maximum_parallel_applications;
  std::int32_t default_application_priority = 0;
  std::int64_t maximum_application_lifetime_s = -1;  // -1: without limit. Inherited.
  std::int64_t default_application_lifetime_s = -1;  // likewise

  // Of one container: maximum-allocation, or maximum-allocation-mb and -vcores. Zero in a
  // dimension: the scheduler's own. Inherited, dimension by dimension.
  Resources maximum_allocation;

  bool is_preemption_disabled = false;              // inherited
  bool is_intra_queue_preemption_disabled = false;  // inherited
  QueueAcl submitters;      // acl_submit_applications: also who may at any ancestor
  QueueAcl administrators;  // acl_administer_queue: likewise

  bool is_leaf() const { return children.empty(); }
  // Its capacity is amounts, and neither percentages nor weights (CapacityConfigType).
  bool has_amounts() const {
    const auto own = partitions.find("");
    return own != partitions.end() &&
           own->second.capacity.form == ConfiguredCapacity::Form::absolute;
  }
};

struct CapacityConfiguration {
  std::vector<CapacityQueue> queues;  // parents before their children; the first is the root
  // Capacities below a queue have one form; otherwise any, and a unit for each resource
  // (legacy-queue-mode.enabled).
  CapacityForms forms = CapacityForms::legacy;
  ResourceCalculator calculator{ResourceCalculator::Kind::memory};
  // Of one container, where the file states it (ResourceUtils.fetchMaximumAllocationFromConfig);
  // zero in a dimension: it does not.
  Resources maximum_allocation;
  std::int64_t maximum_system_applications = 10'000;
  std::optional<std::int64_t> global_queue_maximum_applications;
  std::optional<std::int64_t> maximum_parallel_applications_of_user;  // default of users
  std::map<std::string, std::int64_t> maximum_parallel_applications_of_users;
  std::int64_t node_locality_delay = 40;  // missed opportunities; -1: never wait
  std::int64_t rack_locality_additional_delay = -1;
  bool has_rack_locality_full_reset = true;
  bool assigns_multiple = true;
  std::int64_t assignments_per_heartbeat = 100;  // -1: without limit
  std::int64_t offswitch_assignments_per_heartbeat = 1;
  bool reservations_look_at_all_nodes = true;
  PreemptionSettings preemption;
  MappingRules mapping_rules;  // of applications to queues

  // The queue with this path, or, as users may write, with this last part of it if only one leaf
  // has it.
  const CapacityQueue* find(const std::string& name) const;
};

// Which release a file is for. That of Hadoop 2.0, as the YARN analysis describes it, counts active
// applications instead of their masters' resources and does not limit a user's applications to the
// queue's; the releases before 2.9 pass over an `ordering-policy` of parents.
enum class YarnGeneration : std::uint8_t { hadoop_2, hadoop_3 };

struct LoadedCapacityConfiguration {
  CapacityConfiguration configuration;
  // What is not obeyed of the scheduler's properties, by their names.
  PropertyReview review;
};

// The error is a sentence that names file, line, property, what was expected and what was found.
// Deviations, each on purpose:
// - [capacity-maximum-above-all] A maximum-capacity above 100 counts as 100. For the original it is
//   that part of the parent's maximum, which the parent's own limit does not let be used.
Result<LoadedCapacityConfiguration> read_capacity_configuration(
    const HadoopProperties& properties, const ResourceDimensions& dimensions,
    YarnGeneration generation = YarnGeneration::hadoop_3);

}  // namespace tracebed
