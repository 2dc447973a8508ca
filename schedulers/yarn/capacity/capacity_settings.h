// The Capacity scheduler's settings: its queues, from capacity-scheduler.xml, and what YARN keeps
// in yarn-site.xml.
// Deviations, each on purpose:
// - [capacity-lists-without-site] Access lists are enforced where no yarn-site.xml is named; YARN's
//   default is that they are not.
#pragma once

#include <set>
#include <span>
#include <string>

#include "core/names.h"
#include "core/resources.h"
#include "core/result.h"
#include "core/scheduler_parameters.h"
#include "schedulers/yarn/capacity/capacity_configuration.h"
#include "schedulers/yarn/capacity/queue_templates.h"
#include "schedulers/yarn/configuration/user_groups.h"
#include "schedulers/yarn/container_sizes.h"

namespace tracebed {

// How Hadoop 2.0, as the YARN analysis describes it, differs from Hadoop 3.
struct CapacitySemantics {
  // Limits the active applications by their number, not by the resources of their masters.
  bool counts_active_applications = false;
  // A user's limit is the larger of minimum-user-limit-percent and an equal part among the users,
  // of what the queue may use now.
  bool divides_limit_among_users = false;
  // A user's maximum of applications may be above the queue's.
  bool uncaps_applications_of_user = false;
  // Off-switch places are declined as often as the ask names hosts.
  bool delays_off_switch_by_hosts = false;
  bool keeps_queues_for_ever = false;  // none can be removed, not even stopped ones
};

struct CapacitySettings {
  CapacityConfiguration configuration;
  Resources minimum_allocation{1'000, 1'024};
  // Of one container; zero in a dimension: no limit but the nodes' size.
  Resources maximum_allocation;
  std::int32_t maximum_application_priority = 0;  // yarn.cluster.max-application-priority
  bool enforces_acls = true;                      // yarn.acl.enable
  UserGroups groups;
  std::set<std::string> shared_labels;  // those that are not exclusive
  // Of masters' containers (yarn.node-labels.am.default-node-label-expression); empty: their
  // queue's default label.
  std::string master_label;
  CapacitySemantics semantics;
  // Paths whose state in the file is STOPPED, including queues that it no longer lists.
  std::set<std::string> stopped_paths;
  ResourceDimensions dimensions;  // of the run, by their names
  const Names* names = nullptr;
  YarnGeneration generation = YarnGeneration::hadoop_3;
  QueueTemplates templates;  // of queues that are created
};

// The largest container of a queue: its own maximum, or the file's for all queues, or the
// scheduler's, of which the smallest counts (CapacityScheduler.getMaximumResourceCapability). Zero
// in a dimension: no limit but the nodes' size.
Resources maximum_allocation_of(const CapacitySettings& settings, const CapacityQueue& queue);

// That no queue's maximum allocation is above that of all queues: the file's, else the scheduler's.
Status check_maximum_allocation(const CapacitySettings& settings, const CapacityQueue& queue,
                                const HadoopProperties& properties);

// The label of asks that name none, of those for masters' containers (RMAppManager.
// validateAndCreateResourceRequest) and of all others.
const std::string& default_label_of(const CapacitySettings& settings, const CapacityQueue& queue,
                                    bool is_master);

// Of the containers that it allocates.
ContainerLimits container_limits(const CapacitySettings& settings);

// Which release the settings choose.
YarnGeneration generation_of(const SettingValues& settings);

// The settings, described for people.
std::span<const SettingDescription> capacity_setting_descriptions();

// The error is a sentence that names the setting, or file, line and property.
Result<CapacitySettings> read_capacity_settings(const SchedulerParameters& parameters);

}  // namespace tracebed
