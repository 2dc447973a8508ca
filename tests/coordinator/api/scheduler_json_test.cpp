// What YARN's objects are made of. That schedulers' figures are found under their names is tested
// with the schedulers themselves, in tests/coordinator/cli/rest_test.cpp.
#include "coordinator/api/resource_manager/scheduler_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

#include "support/schedulers.h"

namespace tracebed {
namespace {

using Json = nlohmann::ordered_json;

QueueView queue(const std::string& path, bool is_leaf, std::vector<Figure> figures) {
  QueueView view;
  view.queue = {path, is_leaf, std::move(figures)};
  view.used = Resources(1'500, 2'048);
  if (is_leaf) {
    view.active = {ApplicationId(1u), ApplicationId(2u)};
    view.waiting = {ApplicationId(3u)};
  }
  return view;
}

RunSnapshot snapshot(const std::string& scheduler, std::vector<QueueView> queues) {
  RunSnapshot run;
  SchedulerSnapshot& made = run.scheduler;
  made.scheduler = scheduler;
  made.form = test::schedulers().find(scheduler)->info_form;
  made.nodes = 3;
  made.capacity = Resources(8'000, 8'192);
  made.free = Resources(2'000, 2'048);
  made.containers = 5;
  made.queues = std::move(queues);
  return run;
}

// With one of ann's that is active in root.b.x, one that waits there and asks for more, and one
// that has ended.
RunSnapshot with_applications(RunSnapshot run) {
  ApplicationSnapshot active;
  active.id = ApplicationId(1U);
  active.user = "ann";
  active.queue = "root.b.x";
  active.phase = ApplicationPhase::running;
  active.used = Resources(1'500, 2'048);
  active.containers_reserved = 1;
  ApplicationSnapshot waiting = active;
  waiting.id = ApplicationId(3U);
  waiting.used = {};
  waiting.containers_reserved = 0;
  waiting.pending = Resources(2'000, 512);
  waiting.containers_pending = 2;
  ApplicationSnapshot ended = active;
  ended.id = ApplicationId(4U);
  ended.phase = ApplicationPhase::ended;
  run.applications = {active, waiting, ended};
  return run;
}

TEST(SchedulerJson, OfCapacityIsThatOfYarnWithTheFiguresOfThePage) {
  const Json info = scheduler_info(
      snapshot("capacity",
               {queue("root", false,
                      {{"queue_state", "Queue State", "RUNNING"},
                       {"used_capacity", "Used Capacity", Ratio{0.75F}}}),
                queue("root.b", false, {}),
                queue("root.b.x", true,
                      {{"queue_state", "Queue State", "STOPPED"},
                       {"absolute_maximum_capacity", "Absolute Max Capacity", Ratio{0.333333343F}},
                       {"used_resources", "Used Resources", Resources(1'500, 2'048)},
                       {"maximum_applications", "Max Applications", std::int64_t{5'000}},
                       {"user_limit_factor", "Configured User Limit Factor",
                        std::numeric_limits<double>::infinity()},
                       {"masters", "Used Application Master Resources", Resources(1'000, 512)}}),
                queue("root.a", true, {})}));
  EXPECT_EQ(info.dump(), Json::parse(R"({
    "type": "capacityScheduler",
    "usedCapacity": 75.0,
    "queueName": "root",
    "queues": {"queue": [
      {"type": "capacitySchedulerLeafQueueInfo",
       "queuePath": "root.a",
       "reservedContainers": 0,
       "pendingContainers": 0,
       "numApplications": 3,
       "queueName": "a",
       "usedResources": "<memory:2048, vCores:2>",
       "resourcesUsed": {"memory": 2048, "vCores": 2, "exactVCores": 1.5},
       "capacities": {"queueCapacitiesByPartition": [{"partitionName": ""}]},
       "resources": {"resourceUsagesByPartition": [
         {"partitionName": "",
          "used": {"memory": 2048, "vCores": 2, "exactVCores": 1.5},
          "pending": {"memory": 0, "vCores": 0}}]},
       "preemptionDisabled": true,
       "intraQueuePreemptionDisabled": true,
       "users": {"user": []},
       "queuePage": {}},
      {"queuePath": "root.b",
       "reservedContainers": 0,
       "pendingContainers": 0,
       "numApplications": 3,
       "queueName": "b",
       "usedResources": "<memory:2048, vCores:2>",
       "resourcesUsed": {"memory": 2048, "vCores": 2, "exactVCores": 1.5},
       "capacities": {"queueCapacitiesByPartition": [{"partitionName": ""}]},
       "resources": {"resourceUsagesByPartition": [
         {"partitionName": "",
          "used": {"memory": 2048, "vCores": 2, "exactVCores": 1.5},
          "pending": {"memory": 0, "vCores": 0}}]},
       "preemptionDisabled": true,
       "intraQueuePreemptionDisabled": true,
       "queues": {"queue": [
         {"type": "capacitySchedulerLeafQueueInfo",
          "queuePath": "root.b.x",
          "absoluteMaxCapacity": 33.33333,
          "reservedContainers": 0,
          "pendingContainers": 0,
          "numApplications": 3,
          "queueName": "x",
          "state": "STOPPED",
          "usedResources": "<memory:2048, vCores:2>",
          "resourcesUsed": {"memory": 2048, "vCores": 2, "exactVCores": 1.5},
          "capacities": {"queueCapacitiesByPartition": [
            {"partitionName": "", "absoluteMaxCapacity": 33.33333}]},
          "resources": {"resourceUsagesByPartition": [
            {"partitionName": "",
             "used": {"memory": 2048, "vCores": 2, "exactVCores": 1.5},
             "pending": {"memory": 0, "vCores": 0},
             "amUsed": {"memory": 512, "vCores": 1}}]},
          "preemptionDisabled": true,
          "intraQueuePreemptionDisabled": true,
          "maxApplications": 5000,
          "usedAMResource": {"memory": 512, "vCores": 1},
          "users": {"user": []},
          "queuePage": {
            "Queue State": "STOPPED",
            "Absolute Max Capacity": "33.3333%",
            "Used Resources": "memory: 2048, vCores: 1.5",
            "Max Applications": "5000",
            "Configured User Limit Factor": "inf.0"}}]},
       "queuePage": {}}]},
    "queuePage": {"Queue State": "RUNNING", "Used Capacity": "75.0%"}
  })")
                             .dump());
}

TEST(SchedulerJson, OfCapacityCountsWhatApplicationsWantByQueueAndUser) {
  const Json info = scheduler_info(with_applications(
      snapshot("capacity", {queue("root", false, {}), queue("root.b", false, {}),
                            queue("root.b.x", true, {{"preemption", "", "enabled"}})})));
  const Json& parent = info.at("queues").at("queue").at(0);
  const Json& leaf = parent.at("queues").at("queue").at(0);
  for (const Json& queue : {parent, leaf}) {
    EXPECT_EQ(queue.at("pendingContainers"), 2);
    EXPECT_EQ(queue.at("reservedContainers"), 1);
    EXPECT_EQ(queue.at("resources").at("resourceUsagesByPartition").at(0).at("pending").dump(),
              R"({"memory":512,"vCores":2})");
  }
  EXPECT_EQ(leaf.at("users").dump(), Json::parse(R"({"user": [
      {"username": "ann", "resourcesUsed": {"memory": 2048, "vCores": 2, "exactVCores": 1.5},
       "numPendingApplications": 1, "numActiveApplications": 1}]})")
                                         .dump());
  EXPECT_EQ(leaf.at("preemptionDisabled"), false);
  EXPECT_EQ(leaf.at("intraQueuePreemptionDisabled"), true) << "nothing within queues is enabled";
  EXPECT_EQ(parent.at("preemptionDisabled"), true);
}

TEST(SchedulerJson, OfFairIsThatOfYarnWithAllThatTheSchedulerTells) {
  ResourceLimit maximum{.most = Resources(0, 4'096)};
  maximum.is_limited[Resources::memory_dimension] = true;
  const Json info = scheduler_info(snapshot(
      "fair", {queue("root", false, {{"weight", "weight", 1.0}}),
               queue("root.a", true,
                     {{"scheduling_policy", "schedulingPolicy", "drf"},
                      {"maximum", "Max Resources", maximum},
                      {"demand", "Demand Resources", Resources(2'000, 2'048)},
                      {"maximum_running_applications", "Max Running Applications", Unlimited()},
                      {"master_limit", "AM Max Resources", Unlimited()},
                      {"dominant_share", "", Ratio{0.5}}})}));
  EXPECT_EQ(info.dump(), Json::parse(R"({
    "type": "fairScheduler",
    "rootQueue": {
      "usedResources": {"memory": 2048, "vCores": 2, "exactVCores": 1.5},
      "reservedContainers": 0,
      "clusterResources": {"memory": 8192, "vCores": 8},
      "queueName": "root",
      "childQueues": {"queue": [
        {"type": "fairSchedulerLeafQueueInfo",
         "demandResources": {"memory": 2048, "vCores": 2},
         "maxApps": 2147483647,
         "maxResources": {"memory": 4096, "vCores": 8},
         "usedResources": {"memory": 2048, "vCores": 2, "exactVCores": 1.5},
         "reservedContainers": 0,
         "clusterResources": {"memory": 8192, "vCores": 8},
         "queueName": "root.a",
         "schedulingPolicy": "drf",
         "numActiveApps": 2,
         "numPendingApps": 1,
         "queuePage": {
           "schedulingPolicy": "drf",
           "Max Resources": "memory: 4096, vCores: unlimited",
           "Demand Resources": "memory: 2048, vCores: 2",
           "Max Running Applications": "unlimited",
           "AM Max Resources": "unlimited"}}]},
      "queuePage": {"weight": "1.0"}}
  })")
                             .dump());
}

TEST(SchedulerJson, OfFifoIsThatOfYarn) {
  EXPECT_EQ(scheduler_info(snapshot("fifo", {})).dump(), Json::parse(R"({
    "type": "fifoScheduler",
    "capacity": 1.0,
    "usedCapacity": 0.75,
    "qstate": "RUNNING",
    "numNodes": 3,
    "usedNodeCapacity": 6144,
    "availNodeCapacity": 2048,
    "totalNodeCapacity": 8192,
    "numContainers": 5
  })")
                                                             .dump());
  EXPECT_EQ(scheduler_info({.scheduler = {.scheduler = "fifo", .form = SchedulerInfoForm::fifo}})
                .at("usedCapacity"),
            0.0);
}

TEST(SchedulerJson, OfASchedulerThatYarnDoesNotHaveIsAListOfItsQueues) {
  const Json info = scheduler_info(snapshot(
      "slot_fair",
      {queue("pool", true, {{"weight", "Weight", 2.5}, {"pending_map", "", std::int64_t{7}}})}));
  EXPECT_EQ(info.dump(), Json::parse(R"({
    "type": "slot_fair",
    "queues": {"queue": [
      {"queueName": "pool",
       "resourcesUsed": {"memory": 2048, "vCores": 2, "exactVCores": 1.5},
       "figures": {"weight": 2.5, "pending_map": 7},
       "queuePage": {"Weight": "2.5"}}]}
  })")
                             .dump());
  EXPECT_EQ(scheduler_info(snapshot("spread", {})).dump(),
            R"({"type":"spread","queues":{"queue":[]}})");
}

TEST(SchedulerJson, BearsQueuesWithoutParentsAndWithStrangeNames) {
  for (const char* scheduler : {"capacity", "fair", "slot_fair"}) {
    const Json info = scheduler_info(
        snapshot(scheduler, {queue("root.lost.child", true, {}), queue("", true, {}),
                             queue("\"\xff\".", true, {}), queue("root", false, {})}));
    EXPECT_FALSE(info.dump(-1, ' ', false, Json::error_handler_t::replace).empty());
  }
}

}  // namespace
}  // namespace tracebed
