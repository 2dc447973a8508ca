#include "coordinator/api/resource_manager/cluster_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/api/resource_manager/json_as_xml.h"
#include "coordinator/api/resource_manager/resource_json.h"

namespace tracebed {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

Resources amount(std::int64_t milli_vcores, std::int64_t memory_mib) {
  return {milli_vcores, memory_mib};
}

// A machine with two containers, one that is lost, one that is drained with a container left, and
// one that is drained and empty.
std::vector<NodeSnapshot> machines() {
  NodeSnapshot running{
      "n1", "/r1", {"ssd", "gpu"}, true, false, amount(4'000, 8'192), amount(1'500, 2'048), 2};
  NodeSnapshot lost{"n2", "/r1", {}, false, false, amount(4'000, 8'192), amount(4'000, 8'192), 0};
  NodeSnapshot draining = running;
  draining.name = "n3";
  draining.is_withheld = true;
  NodeSnapshot drained = lost;
  drained.name = "n4";
  drained.is_withheld = drained.is_present = true;
  return {running, lost, draining, drained};
}

ApplicationSnapshot running_application() {
  ApplicationSnapshot application;
  application.id = ApplicationId(4U);
  application.name = "word count";
  application.user = "ann";
  application.queue = "root.a";
  application.phase = ApplicationPhase::running;
  application.priority = 3;
  application.submitted = trace_time(10'000'000);
  application.first_allocated = trace_time(12'000'000);
  application.tasks = 8;
  application.tasks_succeeded = 2;
  application.has_managed_master = true;
  application.master_node = "n1";
  application.used = amount(2'500, 6'144);
  application.containers = 2;
  application.use.mib_seconds = 1'000.6;
  application.use.vcore_seconds = 7.2;
  application.use.preempted = amount(500, 512);
  application.use.tasks_preempted = 1;
  return application;
}

ApplicationSnapshot ended_application(JobOutcome outcome) {
  ApplicationSnapshot application = running_application();
  application.phase = ApplicationPhase::ended;
  application.outcome = outcome;
  application.finished = trace_time(15'250'000);
  application.used = {};
  application.containers = 0;
  return application;
}

RunSnapshot run() {
  RunSnapshot snapshot;
  snapshot.began_ms = 1'326'815'542'473;
  snapshot.scheduler.scheduler = "capacity";
  snapshot.scheduler.form = SchedulerInfoForm::capacity;
  snapshot.scheduler.at = trace_time(20'000'000);
  snapshot.scheduler.capacity = amount(4'000, 8'192);
  snapshot.scheduler.free = amount(1'500, 2'048);
  snapshot.scheduler.containers = 2;
  snapshot.nodes = machines();
  ApplicationSnapshot pending = running_application();
  pending.phase = ApplicationPhase::submitted;
  pending.first_allocated = never;
  pending.pending = amount(1'200, 3'072);
  pending.containers_pending = 3;
  pending.reserved = amount(1'000, 1'024);
  pending.containers_reserved = 1;
  snapshot.applications = {running_application(), pending, ended_application(JobOutcome::killed)};
  snapshot.counts = {9, 2, 3, 1, 1};
  return snapshot;
}

std::vector<std::string> missing(const nlohmann::ordered_json& object,
                                 const std::vector<std::string>& fields) {
  std::vector<std::string> result;
  for (const std::string& field : fields) {
    if (!object.contains(field)) result.push_back(field);
  }
  return result;
}

// The tables of Hadoop's page about this interface, against what is told; what is not is known.
TEST(ClusterJson, HasEveryFieldOfHadoopsDocumentButThoseThatATestbedHasNoValueFor) {
  const RunSnapshot snapshot = run();
  using ::testing::ElementsAre;
  using ::testing::IsEmpty;
  EXPECT_THAT(missing(cluster_info(snapshot),
                      {"id", "startedOn", "state", "haState", "resourceManagerVersion",
                       "resourceManagerBuildVersion", "resourceManagerVersionBuiltOn",
                       "hadoopVersion", "hadoopBuildVersion", "hadoopVersionBuiltOn"}),
              ElementsAre("resourceManagerVersionBuiltOn", "hadoopVersion", "hadoopBuildVersion",
                          "hadoopVersionBuiltOn"));
  EXPECT_THAT(missing(cluster_metrics(snapshot), {"appsSubmitted",
                                                  "appsCompleted",
                                                  "appsPending",
                                                  "appsRunning",
                                                  "appsFailed",
                                                  "appsKilled",
                                                  "reservedMB",
                                                  "availableMB",
                                                  "allocatedMB",
                                                  "totalMB",
                                                  "reservedVirtualCores",
                                                  "availableVirtualCores",
                                                  "allocatedVirtualCores",
                                                  "totalVirtualCores",
                                                  "containersAllocated",
                                                  "containersReserved",
                                                  "containersPending",
                                                  "totalNodes",
                                                  "activeNodes",
                                                  "lostNodes",
                                                  "unhealthyNodes",
                                                  "decommissionedNodes",
                                                  "rebootedNodes"}),
              IsEmpty());
  EXPECT_THAT(missing(app_info(snapshot, running_application()), {"id",
                                                                  "user",
                                                                  "name",
                                                                  "applicationType",
                                                                  "queue",
                                                                  "state",
                                                                  "finalStatus",
                                                                  "progress",
                                                                  "trackingUI",
                                                                  "trackingUrl",
                                                                  "diagnostics",
                                                                  "clusterId",
                                                                  "startedTime",
                                                                  "finishedTime",
                                                                  "elapsedTime",
                                                                  "amContainerLogs",
                                                                  "amHostHttpAddress",
                                                                  "allocatedMB",
                                                                  "allocatedVCores",
                                                                  "runningContainers",
                                                                  "memorySeconds",
                                                                  "vcoreSeconds",
                                                                  "unmanagedApplication",
                                                                  "applicationPriority",
                                                                  "appNodeLabelExpression",
                                                                  "amNodeLabelExpression"}),
              ElementsAre("trackingUrl", "amContainerLogs", "appNodeLabelExpression",
                          "amNodeLabelExpression"));
  EXPECT_THAT(missing(node_info(snapshot, snapshot.nodes.front()),
                      {"rack", "state", "id", "nodeHostName", "nodeHTTPAddress", "healthStatus",
                       "healthReport", "lastHealthUpdate", "usedMemoryMB", "availMemoryMB",
                       "usedVirtualCores", "availableVirtualCores", "numContainers"}),
              ElementsAre("nodeHTTPAddress"));
}

TEST(ClusterJson, CountsApplicationsAndNodesAsTheResourceManagerDoes) {
  const json metrics = cluster_metrics(run());
  EXPECT_EQ(metrics.at("appsSubmitted"), 9);
  EXPECT_EQ(metrics.at("appsCompleted"), 5) << "the master of a job that failed has finished";
  EXPECT_EQ(metrics.at("appsFailed"), 1) << "it was rejected";
  EXPECT_EQ(metrics.at("appsKilled"), 1);
  EXPECT_EQ(metrics.at("appsPending"), 1);
  EXPECT_EQ(metrics.at("appsRunning"), 1);
  EXPECT_EQ(metrics.at("totalNodes"), 4);
  EXPECT_EQ(metrics.at("activeNodes"), 1);
  EXPECT_EQ(metrics.at("lostNodes"), 1);
  EXPECT_EQ(metrics.at("decommissioningNodes"), 1);
  EXPECT_EQ(metrics.at("decommissionedNodes"), 1);
}

// Capacity counts what is reserved as used, Fair does not.
TEST(ClusterJson, AvailableAllocatedAndReservedAddUpToWhatThereIs) {
  RunSnapshot snapshot = run();
  json metrics = cluster_metrics(snapshot);
  EXPECT_EQ(metrics.at("allocatedMB"), 6'144);
  EXPECT_EQ(metrics.at("reservedMB"), 1'024);
  EXPECT_EQ(metrics.at("availableMB"), 1'024);
  EXPECT_EQ(metrics.at("totalMB"), 8'192);
  EXPECT_EQ(metrics.at("pendingMB"), 3'072);
  EXPECT_EQ(metrics.at("containersPending"), 3);
  snapshot.scheduler.form = SchedulerInfoForm::fair;
  metrics = cluster_metrics(snapshot);
  EXPECT_EQ(metrics.at("availableMB"), 2'048);
}

TEST(ClusterJson, VcoresAreWholeNumbersWhoseTakenAndFreePartsAddUp) {
  EXPECT_EQ(whole_vcores(amount(2'500, 0), Had::taken), 3);
  EXPECT_EQ(whole_vcores(amount(1'500, 0), Had::free), 1);
  EXPECT_EQ(whole_vcores(amount(2'000, 0), Had::taken), 2);
  EXPECT_EQ(whole_vcores(amount(-500, 0), Had::free), -1) << "more is given than there is";
  EXPECT_EQ(resource_info(amount(2'500, 64)).dump(),
            R"({"memory":64,"vCores":2,"exactVCores":2.5})");
  EXPECT_EQ(resource_info(amount(2'000, 64)).dump(), R"({"memory":64,"vCores":2})");
  const json metrics = cluster_metrics(run());
  EXPECT_EQ(metrics.at("allocatedVirtualCores"), 3);
  EXPECT_EQ(metrics.at("totalVirtualCores"), 4);
}

TEST(ClusterJson, AnApplicationThatRunsHasWhatItUses) {
  const json app = app_info(run(), running_application());
  EXPECT_EQ(app.at("id"), "application_1326815542473_0005");
  EXPECT_EQ(app.at("state"), "RUNNING");
  EXPECT_EQ(app.at("finalStatus"), "UNDEFINED");
  EXPECT_EQ(app.at("progress"), 25.0);
  EXPECT_EQ(app.at("applicationType"), "MAPREDUCE");
  EXPECT_EQ(app.at("trackingUI"), "ApplicationMaster");
  EXPECT_EQ(app.at("startedTime"), 1'326'815'552'473);
  EXPECT_EQ(app.at("launchTime"), 1'326'815'554'473);
  EXPECT_EQ(app.at("finishedTime"), 0);
  EXPECT_EQ(app.at("elapsedTime"), 10'000);
  EXPECT_EQ(app.at("amHostHttpAddress"), "n1:0");
  EXPECT_EQ(app.at("allocatedMB"), 6'144);
  EXPECT_EQ(app.at("allocatedVCores"), 3);
  EXPECT_EQ(app.at("runningContainers"), 2);
  EXPECT_EQ(app.at("memorySeconds"), 1'001);
  EXPECT_EQ(app.at("vcoreSeconds"), 7);
  EXPECT_EQ(app.at("clusterUsagePercentage"), 75.0);
  EXPECT_EQ(app.at("preemptedResourceMB"), 512);
  EXPECT_EQ(app.at("numNonAMContainerPreempted"), 1);
  EXPECT_EQ(app.at("unmanagedApplication"), false);
}

TEST(ClusterJson, AnApplicationThatHasEndedHasItsOutcomeAndNoUse) {
  struct Case {
    JobOutcome outcome;
    const char* state;
    const char* final_status;
  };
  for (const Case& test : {Case{JobOutcome::succeeded, "FINISHED", "SUCCEEDED"},
                           Case{JobOutcome::failed, "FINISHED", "FAILED"},
                           Case{JobOutcome::rejected, "FAILED", "FAILED"},
                           Case{JobOutcome::killed, "KILLED", "KILLED"}}) {
    const json app = app_info(run(), ended_application(test.outcome));
    EXPECT_EQ(app.at("state"), test.state);
    EXPECT_EQ(app.at("finalStatus"), test.final_status);
    EXPECT_EQ(app.at("progress"), 100.0);
    EXPECT_EQ(app.at("finishedTime"), 1'326'815'557'723);
    EXPECT_EQ(app.at("elapsedTime"), 5'250);
    EXPECT_EQ(app.at("trackingUI"), "History");
    EXPECT_EQ(app.at("allocatedMB"), -1);
    EXPECT_EQ(app.at("runningContainers"), -1);
  }
}

TEST(ClusterJson, ANodeHasItsStateAndWhatIsLeft) {
  const RunSnapshot snapshot = run();
  const json running = node_info(snapshot, snapshot.nodes[0]);
  EXPECT_EQ(running.at("id"), "n1:0");
  EXPECT_EQ(running.at("state"), "RUNNING");
  EXPECT_EQ(running.at("usedMemoryMB"), 6'144);
  EXPECT_EQ(running.at("availMemoryMB"), 2'048);
  EXPECT_EQ(running.at("usedVirtualCores"), 3);
  EXPECT_EQ(running.at("availableVirtualCores"), 1);
  EXPECT_EQ(running.at("nodeLabels"), json({"gpu", "ssd"}));
  const json lost = node_info(snapshot, snapshot.nodes[1]);
  EXPECT_EQ(lost.at("state"), "LOST");
  EXPECT_EQ(lost.at("availMemoryMB"), 0);
  EXPECT_FALSE(lost.contains("lastHealthUpdate"));
  EXPECT_EQ(node_state(snapshot.nodes[2]), "DECOMMISSIONING");
  EXPECT_EQ(node_state(snapshot.nodes[3]), "DECOMMISSIONED");
}

TEST(ClusterJson, XmlHasTheSameElementsAndTheTypeAsAnAttribute) {
  EXPECT_THAT(
      json_as_xml({{"apps", {{"app", {{{"id", "a<1>"}, {"progress", 100.0}}, {{"id", "b"}}}}}}}),
      HasSubstr("<apps><app><id>a&lt;1&gt;</id><progress>100.0</progress></app>"
                "<app><id>b</id></app></apps>"));
  EXPECT_THAT(json_as_xml({{"scheduler", {{"schedulerInfo", {{"type", "fifoScheduler"}}}}}}),
              HasSubstr("<schedulerInfo xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
                        "xsi:type=\"fifoScheduler\"/>"));
  EXPECT_THAT(json_as_xml({{"apps", nlohmann::ordered_json::object()}}), HasSubstr("<apps/>"));
}

TEST(ClusterJson, XmlLeavesOutWhatItHasNoNameForAndReplacesWhatItCannotHold) {
  const std::string xml =
      json_as_xml({{"a", {{"queuePage", {{"Queue State", "RUNNING"}}}, {"b", "x\x01\xff"}}}});
  EXPECT_THAT(xml, HasSubstr("<a><b>x?\xEF\xBF\xBD</b></a>"));
}

}  // namespace
}  // namespace tracebed
