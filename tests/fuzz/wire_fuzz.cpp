// Messages between coordinator and agents, from whoever reaches the socket.
#include <span>

#include "core/check.h"
#include "fuzz/fuzz_target.h"
#include "protocol/wire_codec.h"
#include "protocol/wire_datanode_samples.h"

namespace tracebed::fuzz {
namespace {

wire::Hello hello() {
  wire::Hello hello;
  hello.agent = "node1";
  hello.rack = "/rack0";
  hello.labels = {"ssd", "gpu"};
  hello.capacity = Resources(4000, 8192);
  hello.address = "127.0.1.1";
  hello.running = {ContainerId(1u), ContainerId(7u)};
  hello.exits.emplace_back();
  hello.exits.back().sequence = 4;
  hello.exits.back().container = ContainerId(3u);
  hello.exits.back().diagnostics = "out of memory at 64 MiB";
  return hello;
}

wire::Heartbeat heartbeat() {
  wire::Heartbeat heartbeat;
  heartbeat.used_milli_vcores = 1500;
  heartbeat.used_memory_mib = 700;
  heartbeat.started.push_back({ContainerId(9u), {}});
  heartbeat.progress.push_back({ContainerId(9u), 250'000});
  return heartbeat;
}

wire::LaunchBatch launches() {
  wire::Launch launch;
  launch.container = ContainerId(5u);
  launch.application = ApplicationId(2u);
  launch.limits = Resources(1000, 1024);
  launch.work = {Work{seconds(3), seconds(2), 500, 4, 5, 6}};
  launch.work.exhausts_heap = true;
  wire::Launch with_devices = launch;
  with_devices.devices = "gpu_milli:0 gpu_milli:3";
  return {{launch, with_devices}};
}

wire::MasterJob master_job() {
  wire::MasterJob message;
  Stage maps;
  maps.demand = Resources(1000, 1024);
  maps.runs = {{3, Work{.duration = seconds(9)}}, {1, Work{.duration = seconds(30)}}};
  maps.input_path = "/logs";
  message.job.id = JobId(4u);
  message.job.stages = {maps};
  message.nodes = {{"a", RackId(0u), {"ssd"}}, {"b", RackId(1u), {}}};
  message.job.kind = JobKind::dag;
  Stage later = maps;
  later.needs = {0};
  later.delay = seconds(4);
  later.node_labels = {"ssd"};
  later.places = {{"a", "b"}, {1, 1, 2, 3}, {0, 1, 0}};
  message.job.stages.push_back(later);
  message.settings = {{"slow_start", "0.5"}};
  message.heartbeat_interval = seconds(1);
  return message;
}

MasterCall master_call() {
  SetAsk ask;
  ask.demand = Resources(1000, 1024);
  ask.pending = 4;
  ask.nodes = {{NodeId(1u), 2}};
  ask.racks = {{RackId(0u), 2}};
  LaunchTask launch;
  launch.container = ContainerId(9u);
  launch.work.duration = seconds(3);
  MasterCall call;
  call.application = ApplicationId(2u);
  call.sequence = 3;
  call.actions = {ask,
                  AdjustPlaces{0, {NodeId(1u)}, {RackId(0u)}},
                  CloseAsk{1},
                  launch,
                  ContinueTask{ContainerId(8u)},
                  ReleaseContainer{ContainerId(7u)},
                  KillTask{ContainerId(6u)},
                  CheckpointTask{ContainerId(5u)},
                  FinishApplication{JobOutcome::failed, "a map failed"}};
  return call;
}

MasterAnswer master_answer() {
  MasterAnswer answer;
  answer.application = ApplicationId(2u);
  answer.sequence = 3;
  answer.headroom = Resources(3000, 4096);
  answer.preemption.strict.emplace().containers = {
      {ContainerId(3u), trace_time(9), true, NodeId(1u)}};
  NegotiableContract& negotiable = answer.preemption.negotiable.emplace();
  negotiable.requests = {{20, NodeId(1u), Resources(1000, 1024), 2, false}};
  negotiable.containers = {{ContainerId(5u), never, false, NodeId()}};
  answer.news = {Grant{ContainerId(9u), 0, NodeId(1u), RackId(0u), 2, Resources(1000, 64)},
                 AttemptEnd{ContainerId(7u), NodeId(1u), ContainerEnd::checkpointed, false, 1, 7},
                 AttemptEnd{ContainerId(8u), NodeId(1u), ContainerEnd::killed, false},
                 NodeGone{NodeId(1u)}, AttemptProgress{ContainerId(9u), 250'000}};
  return answer;
}

}  // namespace

std::vector<std::string> seeds() {
  std::vector<wire::Body> bodies = {
      hello(),
      wire::Welcome{.node = NodeId(1u), .heartbeat_period = std::chrono::seconds(1)},
      wire::Refuse{.reason = "an agent of this name is registered"},
      heartbeat(),
      wire::HeartbeatAck{.heartbeat = 3, .exits_up_to = 2},
      launches(),
      wire::KillBatch{{ContainerId(5u), ContainerId(6u)}},
      wire::CheckpointBatch{{ContainerId(5u), ContainerId(6u)}},
      wire::Goodbye{"asked to"},
      wire::Shutdown{"the run is over"},
      wire::LogLines{{{{}, wire::Severity::error, "no launcher"}}, 2},
      wire::LaunchMaster{
          ContainerId(5u), ApplicationId(2u), 1, Resources(1000, 1536), 77,
          wire::MasterKeys{std::string(40, 'p'), std::string(40, 's'), std::string(40, 'c')}},
      wire::MasterHello{ApplicationId(2u), 1},
      master_job(),
      master_call(),
      master_answer()};
  for (const wire::FromDatanode& part : wire::samples_from_datanodes()) bodies.emplace_back(part);
  for (const wire::ToDatanode& part : wire::samples_to_datanodes()) bodies.emplace_back(part);
  wire::Encoder encoder;
  std::vector<std::string> seeds;
  for (const wire::Body& body : bodies) {
    const wire::Message message{
        .envelope = {.run = "run-1", .epoch = 2, .session = 3, .sequence = 4}, .body = body};
    const std::span<const std::byte> bytes = encoder.encode(message);
    seeds.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  return seeds;
}

}  // namespace tracebed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace wire = tracebed::wire;
  const tracebed::Result<wire::Message> message =
      wire::decode(std::as_bytes(std::span(data, size)));
  if (!message) return 0;
  // A message of another protocol version decodes only so far that it can be refused.
  const auto* hello = std::get_if<wire::Hello>(&message->body);
  if (hello != nullptr && hello->protocol_version != wire::protocol_version) return 0;
  if (const auto* from = std::get_if<wire::FromDatanode>(&message->body)) {
    const auto* datanode = std::get_if<wire::DatanodeHello>(from);
    if (datanode != nullptr && datanode->protocol_version != wire::protocol_version) return 0;
  }
  wire::Encoder encoder;
  const tracebed::Result<wire::Message> again = wire::decode(encoder.encode(*message));
  TRACEBED_CHECK(again && *again == *message, "what a receiver accepts, a sender could have sent");
  return 0;
}
