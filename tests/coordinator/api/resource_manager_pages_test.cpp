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
  HttpResponse scheduler() { return ask("/scheduler", {}); }
  // `page` is the route below the cluster's.
  HttpResponse ask(const std::string& page, const HttpRequest& request) {
    return pages_.at("/ws/v1/cluster" + page)(request);
  }
  // The names of the applications that are answered, in turn.
  std::string apps(const std::string& parameter, const std::string& value) {
    const HttpResponse answer = ask("/apps", {{}, {{parameter, value}}, {}});
    const json body = json::parse(answer.body);
    if (answer.status != 200) return body.at("RemoteException").at("message");
    std::string names;
    if (body.at("apps").empty()) return names;
    for (const json& app : body.at("apps").at("app")) names += app.at("name");
    return names;
  }
  void show_applications() {
    RunSnapshot& snapshot = execution_.shown_snapshot;
    snapshot.began_ms = 1'000'000;
    for (std::uint32_t i = 0; i < 4; ++i) {
      ApplicationSnapshot application;
      application.id = ApplicationId(i);
      application.name = std::string(1, static_cast<char>('a' + i));
      application.user = i < 2 ? "ann" : "bob";
      application.queue = i % 2 == 0 ? "root.x.y" : "root.z";
      application.kind = i == 3 ? JobKind::dag : JobKind::map_reduce;
      application.phase = i < 2 ? ApplicationPhase::running : ApplicationPhase::ended;
      application.outcome = i == 2 ? JobOutcome::succeeded : JobOutcome::killed;
      application.submitted = trace_time(i * 1'000'000);
      application.finished = trace_time(10'000'000 + i * 1'000'000);
      snapshot.applications.push_back(application);
    }
    snapshot.nodes.resize(2);
    snapshot.nodes[0].name = "n1";
    snapshot.nodes[0].is_present = true;
    snapshot.nodes[1].name = "n2";
    start();
  }
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

TEST_F(ResourceManagerPages, AnswerOfApplicationsWhatIsAskedFor) {
  show_applications();
  struct Case {
    const char* parameter;
    const char* value;
    const char* expected;
  };
  for (const Case& test : {
           Case{"user.name", "x", "abcd"},
           Case{"states", "running", "ab"},
           Case{"states", "FINISHED,KILLED", "cd"},
           Case{"state", "killed", "d"},
           Case{"finalStatus", "SUCCEEDED", "c"},
           Case{"user", "bob", "cd"},
           Case{"queue", "root.x.y", "ac"},
           Case{"queue", "y", "ac"},
           Case{"queue", "root.x", ""},
           Case{"limit", "3", "abc"},
           Case{"startedTimeBegin", "1001000", "bcd"},
           Case{"startedTimeEnd", "1001000", "ab"},
           Case{"finishedTimeBegin", "1013000", "d"},
           Case{"finishedTimeEnd", "1012000", "abc"},
           Case{"applicationTypes", "dag,spark", "d"},
           Case{"applicationTags", "x", ""},
           Case{"name", "b", "b"},
           Case{"limit", "0", "invalid limit '0', expected a whole number from 1 on"},
           Case{"limit", "many", "invalid limit 'many', expected a whole number from 1 on"},
           Case{"startedTimeBegin", "-1",
                "invalid startedTimeBegin '-1', expected a whole number from 0 on"},
           Case{"finalStatus", "DONE",
                "invalid finalStatus 'DONE', expected one of UNDEFINED, SUCCEEDED, FAILED, KILLED, "
                "ENDED"},
           Case{"users", "bob",
                "unknown parameter 'users', expected one of state, states, finalStatus, user, "
                "queue, limit, startedTimeBegin, startedTimeEnd, finishedTimeBegin, "
                "finishedTimeEnd, applicationTypes, applicationTags, name"},
       }) {
    EXPECT_EQ(apps(test.parameter, test.value), test.expected) << test.parameter;
  }
}

TEST_F(ResourceManagerPages, AnswerOfOneApplicationOrNodeByItsId) {
  show_applications();
  const HttpResponse app = ask("/apps/{appid}", {{"application_1000000_0003"}, {}, {}});
  EXPECT_EQ(json::parse(app.body).at("app").at("name"), "c");
  const HttpResponse none = ask("/apps/{appid}", {{"application_7_0003"}, {}, {}});
  EXPECT_EQ(none.status, 404);
  EXPECT_EQ(json::parse(none.body).at("RemoteException").at("message"),
            "app with id: application_7_0003 not found");
  for (const char* id : {"n1", "n1:0"}) {
    const HttpResponse node = ask("/nodes/{nodeid}", {{id}, {}, {}});
    EXPECT_EQ(json::parse(node.body).at("node").at("state"), "RUNNING");
  }
  EXPECT_EQ(ask("/nodes/{nodeid}", {{"n3"}, {}, {}}).status, 404);
  const HttpResponse lost = ask("/nodes", {{}, {{"states", "lost"}}, {}});
  EXPECT_EQ(json::parse(lost.body).at("nodes").at("node").at(0).at("nodeHostName"), "n2");
  EXPECT_EQ(ask("/nodes", {{}, {{"states", "away"}}, {}}).status, 400);
  EXPECT_EQ(ask("/nodes", {{}, {{"states", "rebooted"}}, {}}).body, R"({"nodes":{}})");
}

TEST_F(ResourceManagerPages, SayHowManyApplicationsDidNotFitIntoAnAnswer) {
  execution_.shown_snapshot.applications.resize(applications_in_answer_max + 7);
  start();
  const json body = json::parse(ask("/apps", {}).body);
  EXPECT_EQ(body.at("apps").at("app").size(), applications_in_answer_max);
  EXPECT_EQ(body.at("tracebed").at("applicationsLeftOut"), 7);
}

TEST_F(ResourceManagerPages, AreXmlForWhoAcceptsOnlyThat) {
  show_applications();
  const HttpResponse answer =
      ask("/apps/{appid}", {{"application_1000000_0001"}, {}, "application/xml"});
  EXPECT_EQ(answer.type, "application/xml;charset=utf-8");
  EXPECT_NE(answer.body.find("<app><id>application_1000000_0001</id><user>ann</user>"),
            std::string::npos)
      << answer.body;
  EXPECT_EQ(ask("/info", {{}, {}, "application/xml, application/json"}).type,
            "application/json;charset=utf-8");
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
