#include "coordinator/api/scheduler_conf_pages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "coordinator/api/audit_log.h"
#include "coordinator/api/held_execution.h"
#include "support/files.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class SchedulerConfPages : public testing::Test {
 protected:
  HttpResponse put(bool has_tokens = true,
                   std::chrono::milliseconds timeout = std::chrono::minutes(1)) {
    HttpServer::Pages pages = scheduler_conf_pages(queue_, {has_tokens, &audit_, timeout});
    HttpRequest request;
    request.content_type = "Application/JSON";
    request.body = R"({"remove-queue": "root.a"})";
    request.peer = "127.0.0.1:1";
    request.token_name = "ann";
    return pages.at(HttpRoute("/ws/v1/cluster/scheduler-conf", HttpMethod::put))(request);
  }
  HttpResponse get() {
    return scheduler_conf_pages(queue_, {}).at("/ws/v1/cluster/scheduler-conf")({});
  }
  // When it is there.
  static HttpResponse late(const HttpResponse& response) {
    std::optional<HttpResponse> answer;
    EXPECT_TRUE(response.later != nullptr);
    EXPECT_TRUE(eventually([&] { return (answer = response.later()).has_value(); }));
    return answer.value_or(HttpResponse{});
  }
  static std::string message(const HttpResponse& response) {
    return json::parse(response.body).at("RemoteException").at("message");
  }
  void start() {
    queue_.submit({"mine", "", "mine"});
    execution_.wait_for_start(1);
  }

  TemporaryFolder folder_;
  HeldExecution execution_;
  RunQueue queue_{folder_.path(), HeldExecution::read(), execution_.execute()};
  AuditLog audit_{folder_.path()};
};

TEST_F(SchedulerConfPages, ChangeNothingWithoutATokenOrARun) {
  const HttpResponse without = put(false);
  EXPECT_EQ(without.status, 403);
  EXPECT_EQ(json::parse(without.body).at("RemoteException").at("exception"), "ForbiddenException");
  EXPECT_EQ(put().status, 404);
  EXPECT_EQ(get().status, 404);
  start();
  EXPECT_EQ(get().status, 503) << "the run has not told its configuration";
}

TEST_F(SchedulerConfPages, AnswerWhenTheRunHasReportedWhatCameOfTheRequest) {
  start();
  // Another request, whose outcome is not the answer's.
  queue_.change(1, AdministratorRequest{.node = "node1"});
  const HttpResponse response = put();
  ASSERT_TRUE(response.later != nullptr);
  EXPECT_FALSE(response.later().has_value());
  execution_.takes_changes = true;
  const HttpResponse answer = late(response);
  EXPECT_EQ(answer.status, 400);
  EXPECT_EQ(message(answer), "not taken");
  ASSERT_TRUE(eventually([&] { return queue_.find(1)->changes.size() == 2; }));
  EXPECT_EQ(queue_.find(1)->changes[0].request, 1);
  EXPECT_EQ(queue_.find(1)->changes[1].request, 2);
  EXPECT_THAT(contents(folder_.path() / "audit-refused.log"),
              testing::AllOf(HasSubstr("\"ann\""), HasSubstr("-root.a"), HasSubstr("not taken")));
}

TEST_F(SchedulerConfPages, AnswerThoughTheRunReportsNothingOrEnds) {
  start();
  const HttpResponse slow = late(put(true, std::chrono::milliseconds(0)));
  EXPECT_EQ(slow.status, 503);
  EXPECT_THAT(message(slow), HasSubstr("has not reported yet"));
  const HttpResponse pending = put();
  EXPECT_FALSE(pending.later().has_value());
  execution_.let_one_end();
  const HttpResponse ended = late(pending);
  EXPECT_EQ(ended.status, 404);
  EXPECT_THAT(message(ended), HasSubstr("run 1 ended before it reported"));
}

TEST_F(SchedulerConfPages, RefuseMoreThanTheRunTakes) {
  start();
  for (std::size_t i = 0; i < RunQueue::refreshes_max; ++i) EXPECT_TRUE(put().later != nullptr);
  const HttpResponse refused = put();
  EXPECT_EQ(refused.status, 503);
  EXPECT_THAT(message(refused), HasSubstr("changes are pending for run 1"));
}

}  // namespace
}  // namespace tracebed
