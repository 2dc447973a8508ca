#include "schedulers/yarn/configuration/property_tables.h"

#include <array>

namespace tracebed {
namespace {

using Name = std::string_view;

constexpr KnownProperty obeyed(Name name, Name decides) {
  return {.name = name, .decides = decides};
}
constexpr KnownProperty refused(Name name, Name decides, Name neutral = {}, Name reason = {}) {
  return {name, KnownProperty::Treatment::refused, decides, neutral, reason};
}
constexpr KnownProperty without_effect(Name name, Name decides, Name reason) {
  return {name, KnownProperty::Treatment::without_effect, decides, {}, reason};
}

constexpr Name only_auto_created = "only auto-created queues follow it, which are refused";
constexpr Name only_reservable = "only queues with `reservable` follow it, which is refused";
constexpr Name no_reservations = "no job asks for a reservation";
constexpr Name only_multi_node = "only multi-node placement follows it, which is refused";
constexpr Name no_threads = "it concerns threads of the ResourceManager";
constexpr Name kept_elsewhere = "the experiment names the file";
constexpr Name no_application_names = "jobs of traces have identifiers, and no names";
constexpr Name of_resource_manager = "the ResourceManager reads it from yarn-site.xml alone";
constexpr Name of_hadoop_2 =
    "Hadoop 3 reads it from yarn-site.xml alone; with semantics = \"hadoop-2.0\" it is obeyed";

// By subject; of two rows that fit, the first counts.
constexpr std::array capacity_table{
    // ---- auto-created queues: before the properties of queues, which their templates have, too
    refused("yarn.scheduler.capacity.<queue>.auto-create-child-queue.enabled",
            "whether queues are created below this one as applications need them", "false"),
    without_effect("yarn.scheduler.capacity.<queue>.auto-create-child-queue.*",
                   "how many are created, and how their capacities change", only_auto_created),
    without_effect("yarn.scheduler.capacity.<queue>.leaf-queue-template.*",
                   "the properties of auto-created queues", only_auto_created),
    refused("yarn.scheduler.capacity.<queue>.auto-queue-creation-v2.enabled",
            "whether queues are created below this one as applications need them", "false"),
    without_effect("yarn.scheduler.capacity.<queue>.auto-queue-creation-v2.*",
                   "how many are created, their properties, and when they are removed",
                   only_auto_created),
    without_effect("yarn.scheduler.capacity.auto-queue-creation-v2.*",
                   "when auto-created queues are removed", only_auto_created),
    without_effect("yarn.resourcemanager.monitor.capacity.queue-management.*",
                   "how often capacities of auto-created queues are computed", only_auto_created),

    // ---- the tree
    obeyed("yarn.scheduler.capacity.<queue>.accessible-node-labels.<label>.capacity",
           "the guaranteed part of the label's nodes"),
    obeyed("yarn.scheduler.capacity.<queue>.accessible-node-labels.<label>.maximum-capacity",
           "the largest part of them"),
    obeyed("yarn.scheduler.capacity.<queue>.accessible-node-labels.<label>."
           "maximum-am-resource-percent",
           "the part of them for masters"),
    obeyed("yarn.scheduler.capacity.<queue>.queues", "the queues below this one"),
    obeyed("yarn.scheduler.capacity.<queue>.capacity", "the guaranteed part"),
    obeyed("yarn.scheduler.capacity.<queue>.maximum-capacity", "the largest part"),
    obeyed("yarn.scheduler.capacity.<queue>.state", "whether applications are accepted"),
    obeyed("yarn.scheduler.capacity.<queue>.allow-zero-capacity-sum",
           "whether the capacities below may add up to 0"),
    obeyed("yarn.scheduler.capacity.<queue>.accessible-node-labels", "the labels it may use"),
    obeyed("yarn.scheduler.capacity.<queue>.default-node-label-expression",
           "the label of asks without one"),
    obeyed("yarn.scheduler.capacity.legacy-queue-mode.enabled",
           "whether capacities of one parent have one form, or any, and a unit for each resource"),

    // ---- limits
    obeyed("yarn.scheduler.capacity.maximum-applications", "how many applications there may be"),
    obeyed("yarn.scheduler.capacity.<queue>.maximum-applications", "likewise in the queue"),
    obeyed("yarn.scheduler.capacity.global-queue-max-application",
           "likewise in each queue without its own"),
    obeyed("yarn.scheduler.capacity.max-parallel-apps", "how many run at once in each queue"),
    obeyed("yarn.scheduler.capacity.<queue>.max-parallel-apps", "likewise in the queue"),
    obeyed("yarn.scheduler.capacity.user.max-parallel-apps", "how many of a user run at once"),
    obeyed("yarn.scheduler.capacity.user.<user>.max-parallel-apps", "likewise of the user"),
    obeyed("yarn.scheduler.capacity.maximum-am-resource-percent", "the part for masters"),
    obeyed("yarn.scheduler.capacity.<queue>.maximum-am-resource-percent", "likewise of the queue"),
    obeyed("yarn.scheduler.capacity.minimum-user-limit-percent", "the least part of a user"),
    obeyed("yarn.scheduler.capacity.<queue>.minimum-user-limit-percent", "likewise in the queue"),
    obeyed("yarn.scheduler.capacity.user-limit-factor", "the largest part of a user"),
    obeyed("yarn.scheduler.capacity.<queue>.user-limit-factor", "likewise in the queue"),
    obeyed("yarn.scheduler.capacity.<queue>.user-settings.<user>.weight",
           "a user's weight in the user limit"),
    obeyed("yarn.scheduler.capacity.<queue>.maximum-allocation", "the largest container"),
    obeyed("yarn.scheduler.capacity.<queue>.maximum-allocation-mb", "likewise, its memory"),
    obeyed("yarn.scheduler.capacity.<queue>.maximum-allocation-vcores", "likewise, its vcores"),
    obeyed("yarn.scheduler.capacity.<queue>.maximum-application-lifetime",
           "after how long applications are ended"),
    obeyed("yarn.scheduler.capacity.<queue>.default-application-lifetime",
           "likewise of those that state nothing"),
    obeyed("yarn.scheduler.capacity.resource-calculator", "which resources are compared"),
    without_effect("yarn.scheduler.minimum-allocation-mb", "the least memory of a container",
                   of_hadoop_2),
    without_effect("yarn.scheduler.minimum-allocation-vcores", "the fewest vcores of a container",
                   of_hadoop_2),
    obeyed("yarn.scheduler.maximum-allocation-mb",
           "the most memory of a container, if yarn-site.xml does not state less"),
    obeyed("yarn.scheduler.maximum-allocation-vcores", "likewise its vcores"),
    without_effect("yarn.acl.enable", "whether the lists of who may submit are obeyed",
                   of_resource_manager),
    without_effect("yarn.cluster.max-application-priority", "the highest priority",
                   of_resource_manager),

    // ---- order
    obeyed("yarn.scheduler.capacity.<queue>.ordering-policy",
           "the order of a leaf's applications, or of the queues below a parent"),
    obeyed("yarn.scheduler.capacity.<queue>.ordering-policy.fair.enable-size-based-weight",
           "whether large applications have a larger share"),
    without_effect("yarn.scheduler.capacity.<queue>.ordering-policy.exclusive-enforced-partitions",
                   "the labels of fifo-with-partitions", "that policy is refused"),
    obeyed("yarn.scheduler.capacity.<queue>.priority", "a queue's priority among its siblings"),
    obeyed("yarn.scheduler.capacity.<queue>.default-application-priority",
           "the priority of applications without one"),
    refused("yarn.scheduler.capacity.<queue>.acl_application_max_priority",
            "the highest and the default priority of a user's applications", "*"),
    refused("yarn.scheduler.capacity.workflow-priority-mappings",
            "priorities of a workflow's applications"),
    without_effect("yarn.scheduler.capacity.workflow-priority-mappings-override.enable",
                   "whether they replace an application's own",
                   "only workflow-priority-mappings follow it, which are refused"),

    // ---- placement of applications
    obeyed("yarn.scheduler.capacity.queue-mappings", "to which queue applications go"),
    obeyed("yarn.scheduler.capacity.queue-mappings-override.enable",
           "whether mappings replace the queue that an application names"),
    refused("yarn.scheduler.queue-placement-rules", "by which rules applications go to queues",
            "user-group,app-name"),
    refused("yarn.scheduler.queue-placement-rules.app-name",
            "to which queue applications of a name go", {}, no_application_names),
    obeyed("yarn.scheduler.capacity.mapping-rule-format",
           "whether queue-mappings count, or rules in JSON"),
    obeyed("yarn.scheduler.capacity.mapping-rule-json", "to which queue applications go"),
    obeyed("yarn.scheduler.capacity.mapping-rule-json-file",
           "likewise, in a file whose path starts at this one"),
    obeyed("yarn.scheduler.capacity.mapping-rule-json-file.contents",
           "that file's contents, which a run adds to its copy"),
    obeyed("yarn.scheduler.capacity.<queue>.acl_submit_applications", "who may submit"),
    obeyed("yarn.scheduler.capacity.<queue>.acl_administer_queue",
           "who may administer it, and so submit"),

    // ---- placement of containers
    obeyed("yarn.scheduler.capacity.node-locality-delay", "how long asks wait for their nodes"),
    obeyed("yarn.scheduler.capacity.rack-locality-additional-delay", "likewise for their racks"),
    obeyed("yarn.scheduler.capacity.rack-locality-full-reset",
           "whether a container on the rack begins the wait anew"),
    obeyed("yarn.scheduler.capacity.per-node-heartbeat.multiple-assignments-enabled",
           "whether a heartbeat may allocate several containers"),
    obeyed("yarn.scheduler.capacity.per-node-heartbeat.maximum-container-assignments",
           "how many it may allocate"),
    obeyed("yarn.scheduler.capacity.per-node-heartbeat.maximum-offswitch-assignments",
           "how many of them may be off-switch"),
    obeyed("yarn.scheduler.capacity.reservations-continue-look-all-nodes",
           "whether an application with a reservation looks at other nodes"),
    refused("yarn.scheduler.capacity.skip-allocate-on-nodes-with-reserved-containers",
            "whether nodes with a reservation are passed over", "false"),
    refused("yarn.scheduler.capacity.multi-node-placement-enabled",
            "whether nodes are compared instead of taken as they beat", "false"),
    without_effect("yarn.scheduler.capacity.multi-node-sorting.*", "the order of nodes",
                   only_multi_node),
    without_effect("yarn.scheduler.capacity.<queue>.multi-node-sorting.policy",
                   "the order of nodes for a queue", only_multi_node),
    refused("yarn.scheduler.capacity.schedule-asynchronously.enable",
            "whether containers are allocated by threads of their own, and not as nodes beat",
            "false", "nodes are offered at their heartbeats, every `cluster.heartbeat`"),
    without_effect("yarn.scheduler.capacity.schedule-asynchronously.*",
                   "how many of these threads there are, and how often they look", no_threads),
    refused("yarn.scheduler.app-placement-allocator.class", "the order of an application's places",
            "org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement."
            "LocalityAppPlacementAllocator"),
    without_effect("yarn.node-labels.am.default-node-label-expression",
                   "the label of masters without one", of_resource_manager),

    // ---- preemption
    obeyed("yarn.resourcemanager.scheduler.monitor.enable", "whether containers are preempted"),
    refused("yarn.resourcemanager.scheduler.monitor.policies", "which policies look at the queues",
            "org.apache.hadoop.yarn.server.resourcemanager.monitor.capacity."
            "ProportionalCapacityPreemptionPolicy",
            "preemption is the only one"),
    obeyed("yarn.scheduler.capacity.<queue>.intra-queue-preemption.disable_preemption",
           "whether its applications are spared by each other"),
    obeyed("yarn.scheduler.capacity.<queue>.disable_preemption",
           "whether the queue is spared by others"),
    obeyed("yarn.scheduler.capacity.ordering-policy.priority-utilization."
           "underutilized-preemption.enabled",
           "whether queues of higher priority preempt for their reservations"),
    obeyed("yarn.scheduler.capacity.ordering-policy.priority-utilization."
           "underutilized-preemption.reserved-container-delay-ms",
           "after how long they do"),
    obeyed("yarn.scheduler.capacity.ordering-policy.priority-utilization."
           "underutilized-preemption.allow-move-reservation",
           "whether that moves reservations"),
    refused("yarn.scheduler.capacity.lazy-preemption-enabled",
            "whether containers are killed only once their room is given away", "false",
            "they are killed at the end of their wait"),
    obeyed("yarn.resourcemanager.monitor.capacity.preemption.observe_only",
           "whether preemption is computed and not done"),
    obeyed("yarn.resourcemanager.monitor.capacity.preemption.monitoring_interval",
           "the time between its rounds"),
    obeyed("yarn.resourcemanager.monitor.capacity.preemption.max_wait_before_kill",
           "the time until containers are killed"),
    obeyed("yarn.resourcemanager.monitor.capacity.preemption.total_preemption_per_round",
           "the most that is preempted in a round"),
    obeyed("yarn.resourcemanager.monitor.capacity.preemption.max_ignored_over_capacity",
           "by how much a queue may exceed its guarantee"),
    obeyed("yarn.resourcemanager.monitor.capacity.preemption.natural_termination_factor",
           "the part of the excess that is preempted in a round"),
    obeyed("yarn.resourcemanager.monitor.capacity.preemption.select_based_on_reserved_containers",
           "whether reserved nodes come first"),
    obeyed("yarn.resourcemanager.monitor.capacity.preemption."
           "additional_res_balance_based_on_reserved_containers",
           "whether reservations count as demand"),
    obeyed("yarn.resourcemanager.monitor.capacity.preemption.conservative-drf",
           "whether enough of one resource is enough"),
    obeyed("yarn.resourcemanager.monitor.capacity.preemption."
           "preemption-to-balance-queue-after-satisfied.enabled",
           "whether queues are balanced above their guarantees"),
    obeyed("yarn.resourcemanager.monitor.capacity.preemption."
           "preemption-to-balance-queue-after-satisfied.max-wait-before-kill",
           "the time until containers are killed for that"),
    obeyed("yarn.resourcemanager.monitor.capacity.preemption.intra-queue-preemption.enabled",
           "whether applications of a queue preempt each other"),
    obeyed(
        "yarn.resourcemanager.monitor.capacity.preemption.intra-queue-preemption.minimum-threshold",
        "which queues are exempt from that"),
    obeyed("yarn.resourcemanager.monitor.capacity.preemption.intra-queue-preemption."
           "max-allowable-limit",
           "the most that is preempted within a queue"),
    obeyed("yarn.resourcemanager.monitor.capacity.preemption.intra-queue-preemption."
           "preemption-order-policy",
           "whether users' limits come before priorities"),
    obeyed(
        "yarn.resourcemanager.monitor.capacity.preemption.intra-queue-preemption.conservative-drf",
        "whether enough of one resource is enough there"),

    // ---- reservations of the ReservationSystem
    refused("yarn.scheduler.capacity.<queue>.reservable",
            "whether the queue's capacity is planned by reservations", "false"),
    without_effect("yarn.scheduler.capacity.<queue>.reservation-*", "how reservations are planned",
                   only_reservable),
    without_effect("yarn.scheduler.capacity.<queue>.show-reservations-as-queues",
                   "whether reservations are shown as queues", only_reservable),
    without_effect("yarn.scheduler.capacity.<queue>.average-capacity",
                   "how much a user may reserve on average", only_reservable),
    without_effect("yarn.scheduler.capacity.<queue>.instantaneous-max-capacity",
                   "how much a user may reserve at once", only_reservable),
    without_effect("yarn.scheduler.capacity.<queue>.acl_administer_reservations",
                   "who may change reservations", no_reservations),
    without_effect("yarn.scheduler.capacity.<queue>.acl_list_reservations",
                   "who may list reservations", no_reservations),
    without_effect("yarn.scheduler.capacity.<queue>.acl_submit_reservations", "who may reserve",
                   no_reservations),

    // ---- of the ResourceManager's process
    without_effect("yarn.scheduler.capacity.application.fail-fast",
                   "whether a recovery stops at an application without its queue",
                   "a run does not recover applications"),
    without_effect("yarn.scheduler.capacity.user-metrics.enable", "whether users have metrics",
                   "the report has users' figures"),
    without_effect("yarn.scheduler.capacity.queue.auto.refresh.monitoring-interval",
                   "how often the file is read again", "[[refresh]] states when"),
};

constexpr std::array fair_table{
    obeyed("allocations/queue", "a queue"),
    obeyed("allocations/pool", "a queue, by its older name"),
    obeyed("allocations/user", "a user's limit"),
    obeyed("allocations/userMaxAppsDefault", "how many applications of a user run at once"),
    obeyed("allocations/queueMaxAppsDefault", "how many run at once in a queue"),
    obeyed("allocations/queueMaxResourcesDefault", "how much a queue may use"),
    obeyed("allocations/queueMaxAMShareDefault", "the part for masters"),
    obeyed("allocations/defaultMinSharePreemptionTimeout",
           "after how long below its minimum a queue preempts"),
    obeyed("allocations/defaultFairSharePreemptionTimeout",
           "after how long below its fair share a queue preempts"),
    obeyed("allocations/fairSharePreemptionTimeout", "likewise, by its older name"),
    obeyed("allocations/defaultFairSharePreemptionThreshold", "the part of the fair share"),
    obeyed("allocations/defaultQueueSchedulingPolicy", "the order within queues"),
    obeyed("allocations/defaultQueueSchedulingMode", "likewise, by its older name"),
    obeyed("allocations/queuePlacementPolicy", "to which queue applications go"),
    obeyed("user/maxRunningApps", "how many applications of the user run at once"),
    obeyed("queue/queue", "a queue below"),
    obeyed("queue/pool", "a queue below, by its older name"),
    obeyed("queue/weight", "the weight of its share"),
    obeyed("queue/minResources", "the minimum share"),
    obeyed("queue/maxResources", "how much it may use"),
    obeyed("queue/maxChildResources", "how much queues below that are created may use"),
    obeyed("queue/maxContainerAllocation", "the largest container"),
    obeyed("queue/maxRunningApps", "how many applications run at once"),
    obeyed("queue/maxAMShare", "the part for masters"),
    obeyed("queue/schedulingPolicy", "the order within the queue"),
    obeyed("queue/schedulingMode", "likewise, by its older name"),
    obeyed("queue/minSharePreemptionTimeout", "after how long below its minimum it preempts"),
    obeyed("queue/fairSharePreemptionTimeout", "after how long below its fair share it preempts"),
    obeyed("queue/fairSharePreemptionThreshold", "the part of the fair share"),
    obeyed("queue/allowPreemptionFrom", "whether it is preempted"),
    obeyed("queue/aclSubmitApps", "who may submit"),
    obeyed("queue/aclAdministerApps", "who may administer it, and so submit"),
    refused("queue/reservation", "that the queue's capacity is planned by reservations"),
    without_effect("queue/aclAdministerReservations", "who may change reservations",
                   no_reservations),
    without_effect("queue/aclListReservations", "who may list reservations", no_reservations),
    without_effect("queue/aclSubmitReservations", "who may reserve", no_reservations),
    without_effect("allocations/reservation-agent", "how reservations are planned",
                   no_reservations),
    without_effect("allocations/reservation-policy", "which are accepted", no_reservations),
    without_effect("allocations/reservation-planner", "which are given up", no_reservations),
    without_effect("yarn.scheduler.fair.allocation.file", "where the allocation file is",
                   "the allocation file is the one that the experiment's setting names"),
    without_effect("yarn.scheduler.fair.preemptionInterval", "how often Hadoop 2 preempted",
                   "Hadoop 3 preempts as soon as a starved application is found"),
};

constexpr std::array shared_site_table{
    without_effect("yarn.resourcemanager.scheduler.client.thread-count",
                   "how many threads answer masters", "job masters are answered by one thread"),
    without_effect("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms",
                   "how often nodes beat", "cluster.heartbeat sets the interval"),
    without_effect("yarn.nodemanager.resource.memory-mb", "a node's memory",
                   "[cluster] sets the machines' resources"),
    without_effect("yarn.nodemanager.resource.cpu-vcores", "a node's vcores",
                   "[cluster] sets the machines' resources"),
    without_effect("yarn.nodemanager.vmem-pmem-ratio", "a container's limit of virtual memory",
                   "[node_manager] sets the limit of virtual memory, and takes this file, too"),
    without_effect("yarn.scheduler.configuration.*", "where the configuration is kept",
                   kept_elsewhere),
    without_effect("yarn.scheduler.include-port-in-node-name", "whether hosts have several nodes",
                   "every node has a name of its own"),
    without_effect("yarn.scheduler.skip.node.multiplier",
                   "when threads pass over nodes that are silent", no_threads),
};

}  // namespace

std::span<const KnownProperty> known_capacity_properties() {
  return capacity_table;
}

std::span<const KnownProperty> known_fair_properties() {
  return fair_table;
}

std::span<const KnownProperty> known_site_properties() {
  return shared_site_table;
}

}  // namespace tracebed
