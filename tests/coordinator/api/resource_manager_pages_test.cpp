#include "coordinator/api/resource_manager_pages.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "coordinator/api/held_execution.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using nlohmann::json;

class ResourceManagerPages : public testing::Test {
 protected:
  HttpResponse scheduler() { return pages_.at("/ws/v1/cluster/scheduler")(); }
  void start() {
    queue_.submit({"mine", "", "mine"});
    execution_.wait_for_start(1);
  }

  TemporaryFolder folder_;
  HeldExecution execution_;
  RunQueue queue_{folder_.path(), HeldExecution::read(), execution_.execute()};
  HttpServer::Pages pages_ = resource_manager_pages(queue_);
};

TEST_F(ResourceManagerPages, TellWhichRunTheyAreOf) {
  start();
  const HttpResponse answer = scheduler();
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.type, "application/json;charset=utf-8");
  const json body = json::parse(answer.body);
  EXPECT_EQ(body.at("scheduler").at("schedulerInfo").at("type"), "capacityScheduler");
  EXPECT_EQ(body.at("tracebed").at("run"), 1);
  EXPECT_EQ(body.at("tracebed").at("scheduler"), "mine");
  EXPECT_GT(body.at("tracebed").at("traceSeconds"), 0);
}

TEST_F(ResourceManagerPages, AreRemoteExceptionsWhereNoRunGoesOn) {
  const HttpResponse answer = scheduler();
  EXPECT_EQ(answer.status, 404);
  EXPECT_EQ(answer.type, "application/json;charset=utf-8");
  EXPECT_EQ(json::parse(answer.body),
            json::parse(R"({"RemoteException": {"exception": "NotFoundException",
                "message": "no run is in progress",
                "javaClassName": "org.apache.hadoop.yarn.webapp.NotFoundException"}})"));
}

TEST_F(ResourceManagerPages, AreRemoteExceptionsWhereTheRunShowsNothingInTime) {
  execution_.is_mute = true;
  start();
  const HttpResponse answer = scheduler();
  EXPECT_EQ(answer.status, 503);
  EXPECT_EQ(json::parse(answer.body).at("RemoteException").at("exception"), "RetriableException");
}

}  // namespace
}  // namespace tracebed
