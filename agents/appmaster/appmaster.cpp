#include "agents/appmaster/appmaster.h"

#include <algorithm>
#include <cerrno>
#include <spdlog/spdlog.h>
#include <utility>

#include "applications/hosting/calling_master.h"
#include "applications/masters.h"
#include "core/input_error.h"

namespace tracebed::appmaster {
namespace {

constexpr auto wait_max = std::chrono::milliseconds(1'000);

// What masters take for granted of a job's stages.
bool can_be_hosted(const Job& job) {
  const auto count_of = [&](StageKind kind) {
    return static_cast<std::size_t>(
        std::count_if(job.stages.begin(), job.stages.end(),
                      [&](const Stage& stage) { return stage.kind == kind; }));
  };
  switch (job.kind) {
    case JobKind::map_reduce:
      return count_of(StageKind::gang) == 0 && count_of(StageKind::map) <= 1 &&
             count_of(StageKind::reduce) <= 1;
    case JobKind::rigid:
      return job.stages.size() == 1 && count_of(StageKind::gang) == 1;
    case JobKind::dag:
      return count_of(StageKind::map) == job.stages.size();
    case JobKind::service:
      return count_of(StageKind::map) == job.stages.size() &&
             std::all_of(job.stages.begin(), job.stages.end(),
                         [](const Stage& stage) { return stage.needs.empty(); });
  }
  return false;
}

}  // namespace

Result<std::unique_ptr<HostedMaster>> host_job(const Identity& identity,
                                               wire::MasterJob&& description) {
  SettingValues values;
  for (auto& [name, value] : description.settings) values[name] = std::move(value);
  const Result<MasterFaults> faults = take_master_faults(values, description.seed);
  if (!faults) return faults.error();
  const Result<MasterOptions> options = read_master_options(values);
  if (!options) return options.error();
  if (!can_be_hosted(description.job)) {
    return Error{"the stages that came are not those of a job of its kind"};
  }
  std::vector<Node> nodes(description.nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    nodes[i].id = NodeId(i);
    nodes[i].rack = description.nodes[i].rack;
    nodes[i].name = std::move(description.nodes[i].name);
    nodes[i].labels = std::move(description.nodes[i].labels);
  }
  MasterBuilder builder(*options, description.seed);
  return std::unique_ptr<HostedMaster>(std::make_unique<CallingMaster>(
      builder.build(description.job, nodes), identity.application, identity.attempt,
      description.heartbeat_interval, faults->of(identity.application, identity.attempt)));
}

Appmaster::Appmaster(AppmasterOptions options)
    : coordinator_(options.coordinator, options.source_address, options.keys),
      session_(std::move(options.identity), host_job, std::chrono::steady_clock::now()) {}

ExitCode Appmaster::run() {
  for (;;) {
    session_.tick(std::chrono::steady_clock::now());
    send();
    if (const std::optional<End>& end = session_.end()) {
      const bool is_well = end->code == ExitCode::success;
      if (!is_well) spdlog::error("ends: {}", end->reason);
      coordinator_.close(agent::CoordinatorSocket::Unsent::dropped);
      return end->code;
    }
    wait();
    receive();
  }
}

void Appmaster::wait() {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(session_.next_tick() -
                                                                 std::chrono::steady_clock::now());
  std::vector<zmq::pollitem_t> items = {{coordinator_.socket().handle(), 0, ZMQ_POLLIN, 0}};
  try {
    zmq::poll(items,
              std::clamp<std::chrono::milliseconds>(left, std::chrono::milliseconds(0), wait_max));
  } catch (const zmq::error_t& error) {
    if (error.num() != EINTR) throw EnvironmentError(std::string("poll: ") + error.what());
  }
}

void Appmaster::receive() {
  using Received = agent::CoordinatorSocket::Received;
  zmq::message_t payload;
  for (Received received = coordinator_.receive(payload); received != Received::nothing;
       received = coordinator_.receive(payload)) {
    std::string problem = "a message of several parts";
    if (received == Received::message) {
      Result<wire::Message> message =
          wire::decode(std::span(static_cast<const std::byte*>(payload.data()), payload.size()));
      if (message) {
        session_.take(*std::move(message), std::chrono::steady_clock::now());
        continue;
      }
      problem = message.error().message;
    }
    if (garbage_++ == 0) spdlog::error("dropped a malformed message: {}", problem);
  }
}

void Appmaster::send() {
  const bool spoils = session_.spoils_messages();
  for (const wire::Message& message : session_.take_messages()) {
    const std::span<const std::byte> bytes = encoder_.encode(message);
    if (spoils) send(bytes.first(bytes.size() / 2));
    send(bytes);
  }
}

void Appmaster::send(std::span<const std::byte> bytes) {
  if (!coordinator_.send(bytes) && unsent_++ == 0) {
    spdlog::warn("dropped a message to the coordinator: its queue is full");
  }
}

}  // namespace tracebed::appmaster
