#include "coordinator/api/resource_manager/cluster_json.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "coordinator/api/resource_manager/resource_json.h"

namespace tracebed {
namespace {

using Json = nlohmann::ordered_json;

// ResourceUsageReport of an application that has ended (RMServerUtils'
// DUMMY_APPLICATION_RESOURCE_USAGE_REPORT).
constexpr int no_longer_known = -1;

constexpr double percent = 100;

std::int64_t rounded(double number) {
  return std::llround(number);
}

struct NodeCounts {
  std::size_t active = 0;
  std::size_t lost = 0;
  std::size_t decommissioning = 0;
  std::size_t decommissioned = 0;
};

NodeCounts count_nodes(const RunSnapshot& snapshot) {
  NodeCounts counts;
  for (const NodeSnapshot& node : snapshot.nodes) {
    const std::string state = node_state(node);
    counts.active += state == "RUNNING";
    counts.lost += state == "LOST";
    counts.decommissioning += state == "DECOMMISSIONING";
    counts.decommissioned += state == "DECOMMISSIONED";
  }
  return counts;
}

struct OpenApplications {
  // As QueueMetrics: an application is pending until it has had a container.
  std::uint64_t pending_applications = 0;
  std::uint64_t running_applications = 0;
  Resources pending;
  std::uint64_t containers_pending = 0;
  Resources reserved;
  std::uint64_t containers_reserved = 0;
};

OpenApplications add_up_open(const RunSnapshot& snapshot) {
  OpenApplications open;
  for (const ApplicationSnapshot& application : snapshot.applications) {
    if (application.phase == ApplicationPhase::ended) continue;
    const bool is_pending = application.first_allocated == never;
    ++(is_pending ? open.pending_applications : open.running_applications);
    open.pending += application.pending;
    open.containers_pending += application.containers_pending;
    open.reserved += application.reserved;
    open.containers_reserved += application.containers_reserved;
  }
  return open;
}

double share_of(const Resources& part, const Resources& whole) {
  if (whole.memory_mib() <= 0) return 0;
  return percent * static_cast<double>(part.memory_mib()) / static_cast<double>(whole.memory_mib());
}

// As its master reports it: the part of its tasks that have succeeded.
double progress_of(const ApplicationSnapshot& application) {
  if (application.phase == ApplicationPhase::ended) return percent;
  if (application.tasks == 0) return 0;
  return percent * application.tasks_succeeded / application.tasks;
}

void add_use(const RunSnapshot& snapshot, const ApplicationSnapshot& application, Json& info) {
  const bool has_ended = application.phase == ApplicationPhase::ended;
  if (has_ended) {
    for (const char* field :
         {"allocatedMB", "allocatedVCores", "reservedMB", "reservedVCores", "runningContainers"}) {
      info[field] = no_longer_known;
    }
  } else {
    info["allocatedMB"] = application.used.memory_mib();
    info["allocatedVCores"] = whole_vcores(application.used, Had::taken);
    info["reservedMB"] = application.reserved.memory_mib();
    info["reservedVCores"] = whole_vcores(application.reserved, Had::taken);
    info["runningContainers"] = application.containers;
  }
  info["memorySeconds"] = rounded(application.use.mib_seconds);
  info["vcoreSeconds"] = rounded(application.use.vcore_seconds);
  info["clusterUsagePercentage"] =
      has_ended ? Json(0.0) : float_info(share_of(application.used, snapshot.scheduler.capacity));
  info["preemptedResourceMB"] = application.use.preempted.memory_mib();
  info["preemptedResourceVCores"] = whole_vcores(application.use.preempted, Had::taken);
  info["numNonAMContainerPreempted"] = application.use.tasks_preempted;
  info["numAMContainerPreempted"] = application.use.masters_preempted;
}

}  // namespace

std::int64_t time_in_ms(const RunSnapshot& snapshot, TraceTime at) {
  return snapshot.began_ms + at.time_since_epoch() / milliseconds(1);
}

std::string application_name(const RunSnapshot& snapshot, ApplicationId id) {
  return fmt::format("application_{}_{:04}", snapshot.began_ms, id.index() + 1);
}

std::string node_name(const NodeSnapshot& node) {
  return node.name + ":0";
}

std::string node_state(const NodeSnapshot& node) {
  if (node.is_withheld) {
    return node.is_present && node.containers > 0 ? "DECOMMISSIONING" : "DECOMMISSIONED";
  }
  return node.is_present ? "RUNNING" : "LOST";
}

std::string application_state(const ApplicationSnapshot& application) {
  switch (application.phase) {
    case ApplicationPhase::submitted:
      return "SUBMITTED";
    case ApplicationPhase::accepted:
      return "ACCEPTED";
    case ApplicationPhase::running:
      return "RUNNING";
    case ApplicationPhase::ended:
      break;
  }
  switch (application.outcome) {
    // The master of a job that failed reports that and finishes.
    case JobOutcome::succeeded:
    case JobOutcome::failed:
      return "FINISHED";
    case JobOutcome::rejected:
      return "FAILED";
    case JobOutcome::killed:
      break;
  }
  return "KILLED";
}

std::string final_status(const ApplicationSnapshot& application) {
  if (application.phase != ApplicationPhase::ended) return "UNDEFINED";
  switch (application.outcome) {
    case JobOutcome::succeeded:
      return "SUCCEEDED";
    case JobOutcome::failed:
    case JobOutcome::rejected:
      return "FAILED";
    case JobOutcome::killed:
      break;
  }
  return "KILLED";
}

std::string application_type(const ApplicationSnapshot& application) {
  switch (application.kind) {
    case JobKind::map_reduce:
      return "MAPREDUCE";
    case JobKind::rigid:
      return "RIGID";
    case JobKind::dag:
      return "DAG";
    case JobKind::service:
      break;
  }
  return "SERVICE";
}

Json cluster_info(const RunSnapshot& snapshot) {
  const std::string version = "Tracebed " TRACEBED_VERSION;
  return {{"id", snapshot.began_ms},
          {"startedOn", snapshot.began_ms},
          {"state", "STARTED"},
          {"haState", "ACTIVE"},
          {"resourceManagerVersion", version},
          {"resourceManagerBuildVersion", version}};
}

Json cluster_metrics(const RunSnapshot& snapshot) {
  const Resources& capacity = snapshot.scheduler.capacity;
  const Resources allocated = capacity - snapshot.scheduler.free;
  const OpenApplications open = add_up_open(snapshot);
  // Capacity counts what is reserved as used.
  const bool takes_reserved = snapshot.scheduler.form == SchedulerInfoForm::capacity;
  const Resources available =
      takes_reserved ? snapshot.scheduler.free - open.reserved : snapshot.scheduler.free;
  const NodeCounts nodes = count_nodes(snapshot);
  return {{"appsSubmitted", snapshot.counts.submitted},
          {"appsCompleted", snapshot.counts.succeeded + snapshot.counts.failed},
          {"appsPending", open.pending_applications},
          {"appsRunning", open.running_applications},
          {"appsFailed", snapshot.counts.rejected},
          {"appsKilled", snapshot.counts.killed},
          {"reservedMB", open.reserved.memory_mib()},
          {"availableMB", available.memory_mib()},
          {"allocatedMB", allocated.memory_mib()},
          {"pendingMB", open.pending.memory_mib()},
          {"reservedVirtualCores", whole_vcores(open.reserved, Had::taken)},
          {"availableVirtualCores", whole_vcores(available, Had::free)},
          {"allocatedVirtualCores", whole_vcores(allocated, Had::taken)},
          {"pendingVirtualCores", whole_vcores(open.pending, Had::taken)},
          {"containersAllocated", snapshot.scheduler.containers},
          {"containersReserved", open.containers_reserved},
          {"containersPending", open.containers_pending},
          {"totalMB", capacity.memory_mib()},
          {"totalVirtualCores", whole_vcores(capacity, Had::free)},
          {"totalNodes", snapshot.nodes.size()},
          {"lostNodes", nodes.lost},
          {"unhealthyNodes", 0},
          {"decommissioningNodes", nodes.decommissioning},
          {"decommissionedNodes", nodes.decommissioned},
          {"rebootedNodes", 0},
          {"activeNodes", nodes.active},
          {"shutdownNodes", 0}};
}

Json node_info(const RunSnapshot& snapshot, const NodeSnapshot& node) {
  const bool is_present = node.is_present;
  const Resources used = is_present ? node.capacity - node.free : Resources();
  const Resources free = is_present ? node.free : Resources();
  Json info = {{"rack", node.rack},
               {"state", node_state(node)},
               {"id", node_name(node)},
               {"nodeHostName", node.name},
               {"healthStatus", is_present ? "Healthy" : "Unhealthy"},
               {"healthReport", ""},
               {"version", TRACEBED_VERSION},
               {"numContainers", node.containers},
               {"usedMemoryMB", used.memory_mib()},
               {"availMemoryMB", free.memory_mib()},
               {"usedVirtualCores", whole_vcores(used, Had::taken)},
               {"availableVirtualCores", whole_vcores(free, Had::free)},
               {"totalResource", resource_info(node.capacity)}};
  if (is_present) info["lastHealthUpdate"] = time_in_ms(snapshot, snapshot.scheduler.at);
  if (!node.labels.empty()) {
    std::vector<std::string> labels = node.labels;
    std::sort(labels.begin(), labels.end());
    info["nodeLabels"] = labels;
  }
  return info;
}

Json app_info(const RunSnapshot& snapshot, const ApplicationSnapshot& application) {
  const bool has_ended = application.phase == ApplicationPhase::ended;
  const TraceTime until = has_ended ? application.finished : snapshot.scheduler.at;
  const bool has_begun = has_ended || application.phase == ApplicationPhase::running;
  Json info = {{"id", application_name(snapshot, application.id)},
               {"user", application.user},
               {"name", application.name},
               {"queue", application.queue},
               {"state", application_state(application)},
               {"finalStatus", final_status(application)},
               {"progress", float_info(progress_of(application))},
               {"trackingUI", has_ended   ? "History"
                              : has_begun ? "ApplicationMaster"
                                          : "UNASSIGNED"},
               {"diagnostics", application.diagnostics},
               {"clusterId", snapshot.began_ms},
               {"applicationType", application_type(application)},
               {"applicationTags", ""},
               {"priority", application.priority},
               {"applicationPriority", application.priority},
               {"startedTime", time_in_ms(snapshot, application.submitted)},
               {"launchTime", application.first_allocated == never
                                  ? 0
                                  : time_in_ms(snapshot, application.first_allocated)},
               {"finishedTime", has_ended ? time_in_ms(snapshot, application.finished) : 0},
               {"elapsedTime", (until - application.submitted) / milliseconds(1)},
               {"unmanagedApplication", !application.has_managed_master}};
  if (!application.master_node.empty()) info["amHostHttpAddress"] = application.master_node + ":0";
  add_use(snapshot, application, info);
  return info;
}

}  // namespace tracebed
