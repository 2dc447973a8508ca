// Messages of masters with something in every field, and a way through the codec.
#pragma once

#include <utility>

#include "protocol/random_rounds.h"
#include "protocol/wire_codec.h"

namespace tracebed::wire {

using namespace std::chrono_literals;

inline MasterJob sample_master_job() {
  MasterJob message;
  Stage maps;
  maps.demand = Resources(1'000, 1'024);
  maps.runs = {{3, Work{seconds(9), seconds(8), 7, 6, 5, 4}}, {1, Work{.duration = seconds(30)}}};
  maps.input_path = "/logs";
  maps.input = {.id = 16'390, .size = 1'000, .block_size = 256};
  Stage reduces;
  reduces.kind = StageKind::reduce;
  reduces.demand = Resources(2'000, 512);
  reduces.demand[3] = 1;
  reduces.runs = {{2, Work{.duration = seconds(5)}}};
  message.job.id = JobId(4u);
  message.job.requested_time = seconds(100);
  message.job.stages = {maps, reduces};
  message.nodes = {{"a", RackId(0u), {"ssd"}}, {"b", RackId(1u), {}}};
  message.job.stages[1].needs = {0};
  message.job.stages[1].delay = seconds(4);
  message.job.stages[1].node_labels = {"ssd"};
  message.job.stages[1].places = {{"a", "b"}, {1, 3}, {0, 1, 0}};
  message.settings = {{"slow_start", "0.5"}, {"replication", "2"}};
  message.seed = 99;
  message.heartbeat_interval = seconds(5);
  message.time_scale = 100;
  message.timeout = 12s;
  return message;
}

inline MasterCall sample_call() {
  Names names;
  test::RandomRounds rounds(5, names);
  MasterCall call;
  while (call.actions.size() < 60) rounds.fill_call(call);
  call.sequence = 7;
  call.kind = MasterCallKind::unregistration;
  return call;
}

inline PreemptionMessage sample_preemption() {
  PreemptionMessage message;
  message.strict.emplace().containers = {{ContainerId(3u), trace_time(500), true, NodeId(4u)},
                                         {ContainerId(9u), never, true, NodeId()}};
  NegotiableContract& negotiable = message.negotiable.emplace();
  negotiable.requests = {{-5, NodeId(), Resources(1'000, 2'048), 3, true},
                         {20, NodeId(2u), Resources(500, 64), 1, false}};
  negotiable.requests[1].capability[6] = 4;
  negotiable.containers = {{ContainerId(4u), trace_time(600), false, NodeId()}};
  return message;
}

inline MasterAnswer sample_answer() {
  MasterAnswer answer;
  answer.application = ApplicationId(2u);
  answer.attempt = 2;
  answer.sequence = 3;
  answer.now = trace_time(1'234'567);
  answer.is_dismissal = true;
  answer.has_more = true;
  answer.headroom = Resources(3'000, 4'096);
  answer.preemption = sample_preemption();
  answer.news = {Grant{ContainerId(9u), 4, NodeId(1u), RackId(5u), 2, Resources(3'000, 640)},
                 NodeGone{NodeId(1u)},
                 AttemptProgress{ContainerId(9u), 250'000},
                 AttemptEnd{ContainerId(8u), NodeId(1u), ContainerEnd::node_lost, true},
                 AttemptEnd{ContainerId(7u), NodeId(1u), ContainerEnd::checkpointed, false, 1, 5},
                 Grant{ContainerId(10u), 0, NodeId(2u), RackId(6u), 1, {}}};
  return answer;
}

inline Message message(Body body) {
  return Message{{"run-1", 3, 1'700'000'000'000'000'001u, 42}, std::move(body)};
}

// Encodes without the receiver's checks, decodes with them.
inline Result<Message> pass(const Body& body) {
  Encoder encoder;
  return decode(encoder.encode(message(body)));
}

}  // namespace tracebed::wire
