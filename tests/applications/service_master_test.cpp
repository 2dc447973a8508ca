#include "applications/service/service_master.h"

#include <gtest/gtest.h>

#include "applications/master_harness.h"

namespace tracebed {
namespace {

class Service : public ::testing::Test {
 protected:
  Service() {
    Job job;
    job.kind = JobKind::service;
    Work work;
    work.duration = seconds(100);
    work.cpu_time = seconds(50);
    work.memory_mib = 7;
    Stage stage;
    stage.demand = Resources(1'000, 512);
    stage.runs = {{2, work}};
    job.stages = {stage};
    master_.emplace(job, std::vector<StagePlaces>(1), 3);
    harness_.emplace(*master_);
    harness_->start();
  }

  std::optional<ServiceMaster> master_;
  std::optional<MasterHarness> harness_;
};

TEST_F(Service, EndsWhenAllInstancesHaveServedTheirLives) {
  ASSERT_EQ(harness_->pending(0), 2u);
  const ContainerId first = harness_->grant(0);
  const ContainerId second = harness_->grant(0);
  EXPECT_EQ(harness_->launched(first).work.duration, seconds(100));
  harness_->end(first);
  EXPECT_FALSE(harness_->finish());
  harness_->end(second);
  ASSERT_TRUE(harness_->finish());
  EXPECT_EQ(harness_->finish()->outcome, JobOutcome::succeeded);
}

TEST_F(Service, WhateverEndsAnInstanceAnotherServesWhatIsLeft) {
  harness_->at(seconds(10));
  ContainerId instance = harness_->grant(0);
  int left = 100;
  for (const ContainerEnd end :
       {ContainerEnd::failed, ContainerEnd::killed, ContainerEnd::node_lost}) {
    harness_->at(harness_->now().time_since_epoch() + seconds(20));
    harness_->end(instance, end);
    harness_->heartbeat(Resources());
    ASSERT_EQ(harness_->pending(0), 2u);
    harness_->at(harness_->now().time_since_epoch() + seconds(1'000));  // nobody serves meanwhile
    instance = harness_->grant(0);
    left -= 20;
    EXPECT_EQ(harness_->launched(instance).work.duration, seconds(left));
    EXPECT_EQ(harness_->launched(instance).work.cpu_time, seconds(left) / 2);
    EXPECT_EQ(harness_->launched(instance).work.memory_mib, 7);
  }
  EXPECT_EQ(harness_->launched(instance).attempt, 4u);
  EXPECT_FALSE(harness_->finish());
}

TEST_F(Service, FailsWhenItsInstancesFailedTooOften) {
  for (int failure = 1; failure <= 3; ++failure) {
    ASSERT_FALSE(harness_->finish());
    harness_->end(harness_->grant(0), ContainerEnd::out_of_memory);
    if (failure < 3) harness_->heartbeat(Resources());
  }
  ASSERT_TRUE(harness_->finish());
  EXPECT_EQ(harness_->finish()->outcome, JobOutcome::failed);
  EXPECT_EQ(harness_->finish()->diagnostics,
            "instances of stage 0 failed 3 times, at last as out_of_memory");
}

TEST_F(Service, AnInstanceThatIsLostAfterItsLifeServesOneMoreMoment) {
  const ContainerId instance = harness_->grant(0, NodeId(3u));
  harness_->at(seconds(500));
  harness_->lose(NodeId(3u));
  harness_->heartbeat(Resources());
  EXPECT_FALSE(harness_->is_running(instance));
  EXPECT_EQ(harness_->launched(harness_->grant(0)).work.duration, microseconds(1));
}

}  // namespace
}  // namespace tracebed
