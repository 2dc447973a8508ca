// What tasks of a run ask about each other's outputs, over the namenode's own port.
#include "protocol/hdfs/task_umbilical.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/namenode_server/namenode_rpc_server.h"
#include "coordinator/namenode_server/rpc_caller.h"
#include "coordinator/namenode_server/run_thread.h"
#include "hdfs_client/rpc_channel.h"
#include "protocol/hdfs/delimited.h"
#include "task_umbilical.pb.h"

namespace tracebed {
namespace {

namespace pb = hdfs::pb;
using testing::HasSubstr;

class TaskUmbilicalTest : public testing::Test {
 protected:
  TaskUmbilicalTest() {
    run_.gate().map_outputs().set_server(NodeId(2u), {"127.0.1.3", 13'562, "/rack0"});
    run_.gate().map_outputs().add({JobId(5u), 1, 7, ContainerId(70u), NodeId(2u), 11});
  }
  // As a task at the address.
  hdfs::RpcChannel channel(const std::string& address) const {
    hdfs::RpcOptions options;
    options.user = "tracebed";
    options.connection.local_address = address;
    return {{"127.0.0.1", server_.port()}, std::string(hdfs::task_umbilical_protocol), options};
  }
  template <class Response>
  Response ask(std::string_view method, const google::protobuf::MessageLite& request,
               const std::string& address = "127.0.1.3") const {
    hdfs::RpcChannel caller = channel(address);
    const auto answer = caller.call(method, request);
    EXPECT_TRUE(answer) << answer.error().message;
    Response response;
    if (!answer) return response;
    EXPECT_TRUE(hdfs::parse_message(*answer, response));
    return response;
  }
  static pb::GetMapCompletionEventsRequest events_of(std::uint32_t job, std::uint32_t stage) {
    pb::GetMapCompletionEventsRequest request;
    request.set_job(job);
    request.set_stage(stage);
    request.set_from_event(0);
    request.set_events_max(100);
    return request;
  }

  test::RunThread run_{6};
  NamenodeRpcServer server_{run_.gate(), {}};
};

TEST_F(TaskUmbilicalTest, TellsATaskWhereTheOutputsAreThatItFetches) {
  const auto events = ask<pb::GetMapCompletionEventsResponse>(
      hdfs::get_map_completion_events_method, events_of(5, 1));
  EXPECT_EQ(events.next_event(), 1u);
  ASSERT_EQ(events.events_size(), 1);
  const pb::MapCompletionEvent& event = events.events(0);
  EXPECT_EQ(event.source(), 7u);
  EXPECT_EQ(event.container(), 70u);
  EXPECT_EQ(event.address(), "127.0.1.3");
  EXPECT_EQ(event.port(), 13'562u);
  EXPECT_EQ(event.offset(), 11u);
  EXPECT_EQ(event.rack(), "/rack0");
  EXPECT_EQ(ask<pb::GetMapCompletionEventsResponse>(hdfs::get_map_completion_events_method,
                                                    events_of(5, 2))
                .events_size(),
            0);
}

TEST_F(TaskUmbilicalTest, TellsATaskTheShuffleServerOfItsOwnMachine) {
  const pb::GetShuffleServerRequest request;
  using Response = pb::GetShuffleServerResponse;
  EXPECT_EQ(ask<Response>(hdfs::get_shuffle_server_method, request).port(), 13'562u);
  EXPECT_FALSE(ask<Response>(hdfs::get_shuffle_server_method, request, "127.0.1.4").has_port());
}

// Where an executor has in memory what the task reads.
TEST_F(TaskUmbilicalTest, TellsATaskTheShuffleServerOfAMachineByItsNumber) {
  using Response = pb::GetShuffleServerResponse;
  pb::GetShuffleServerRequest request;
  request.set_machine(3);
  const auto server = ask<Response>(hdfs::get_shuffle_server_method, request, "127.0.1.4");
  EXPECT_EQ(server.address(), "127.0.1.3");
  EXPECT_EQ(server.port(), 13'562u);
  for (const std::uint32_t unknown : {0u, 2u, UINT32_MAX}) {
    request.set_machine(unknown);
    EXPECT_FALSE(ask<Response>(hdfs::get_shuffle_server_method, request).has_port()) << unknown;
  }
}

TEST_F(TaskUmbilicalTest, RefusesWhatNoTaskAsks) {
  hdfs::RpcChannel caller = channel("127.0.1.3");
  const auto refusal = [&](std::string_view method, const google::protobuf::MessageLite& request) {
    const auto answer = caller.call(method, request);
    return answer ? std::string() : answer.error().message;
  };
  EXPECT_THAT(refusal(hdfs::get_map_completion_events_method, events_of(UINT32_MAX, 1)),
              HasSubstr("expected a job and one of its stages"));
  EXPECT_THAT(refusal(hdfs::get_map_completion_events_method, events_of(1, 65'536)),
              HasSubstr("expected a job and one of its stages"));
  EXPECT_THAT(refusal(hdfs::get_map_completion_events_method, pb::GetShuffleServerRequest()),
              HasSubstr("InvalidProtocolBufferException"));
  EXPECT_THAT(refusal("getTask", pb::GetShuffleServerRequest()),
              HasSubstr("RpcNoSuchMethodException"));
}

TEST_F(TaskUmbilicalTest, KnowsNothingOnceTheRunHasEnded) {
  run_.gate().map_outputs().clear();
  EXPECT_EQ(ask<pb::GetMapCompletionEventsResponse>(hdfs::get_map_completion_events_method,
                                                    events_of(5, 1))
                .events_size(),
            0);
}

}  // namespace
}  // namespace tracebed
