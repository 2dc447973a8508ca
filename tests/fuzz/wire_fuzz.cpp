// Messages between coordinator and agents, from whoever reaches the socket.
#include <span>

#include "core/check.h"
#include "fuzz/fuzz_target.h"
#include "protocol/wire_codec.h"

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
  return heartbeat;
}

wire::LaunchBatch launches() {
  wire::Launch launch;
  launch.container = ContainerId(5u);
  launch.application = ApplicationId(2u);
  launch.limits = Resources(1000, 1024);
  launch.duration = std::chrono::seconds(3);
  launch.cpu_time = std::chrono::seconds(2);
  launch.memory_mib = 500;
  return {{launch, launch}};
}

}  // namespace

std::vector<std::string> seeds() {
  const std::vector<wire::Body> bodies = {
      hello(),
      wire::Welcome{.node = NodeId(1u), .heartbeat_period = std::chrono::seconds(1)},
      wire::Refuse{.reason = "an agent of this name is registered"},
      heartbeat(),
      wire::HeartbeatAck{.heartbeat = 3, .exits_up_to = 2},
      launches(),
      wire::KillBatch{{ContainerId(5u), ContainerId(6u)}},
      wire::Goodbye{"asked to"},
      wire::Shutdown{"the run is over"}};
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
  wire::Encoder encoder;
  const tracebed::Result<wire::Message> again = wire::decode(encoder.encode(*message));
  TRACEBED_CHECK(again && *again == *message, "what a receiver accepts, a sender could have sent");
  return 0;
}
