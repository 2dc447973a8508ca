#include <algorithm>
#include <array>
#include <string_view>

#include "core/check.h"
#include "protocol/wire_codec.h"
#include "protocol/wire_datanodes_codec.h"
#include "protocol/wire_masters.h"
#include "protocol/wire_parts.h"
#include "wire_generated.h"

namespace tracebed::wire {

namespace {

std::int64_t nanoseconds_of(WallTime time) {
  return time.time_since_epoch().count();
}

// A copy of the text, cut at text_bytes_max; a reason is worth having without its tail.
flatbuffers::Offset<flatbuffers::String> text(Builder& builder, std::string_view words) {
  const std::string_view cut = words.substr(0, text_bytes_max);
  return builder.CreateString(cut.data(), cut.size());
}

auto container_ids(Builder& builder, const std::vector<ContainerId>& containers) {
  std::uint32_t* values = nullptr;
  const auto vector = builder.CreateUninitializedVector(containers.size(), &values);
  std::transform(containers.begin(), containers.end(), values,
                 [](ContainerId container) { return container.value(); });
  return vector;
}

auto exits(Builder& builder, const std::vector<ContainerExit>& list) {
  TRACEBED_CHECK(list.size() <= exits_max, "a message carries at most exits_max exits");
  std::vector<fb::Exit> structs;
  structs.reserve(list.size());
  for (const ContainerExit& exit : list) {
    const TaskAccountNumbers account = to_numbers(exit.account);
    structs.emplace_back(exit.sequence, nanoseconds_of(exit.started), nanoseconds_of(exit.ended),
                         exit.cpu_time.count(), exit.memory_peak_bytes, exit.bytes_read,
                         exit.bytes_written, flatbuffers::make_span(account),
                         exit.container.value(), exit.exit_code, exit.signal, exit.progress,
                         static_cast<std::uint8_t>(exit.end));
  }
  return builder.CreateVectorOfStructs(structs);
}

auto diagnostics(Builder& builder, const std::vector<ContainerExit>& list) {
  std::vector<flatbuffers::Offset<fb::Diagnostics>> tables;
  for (const ContainerExit& exit : list) {
    if (exit.diagnostics.empty()) continue;
    tables.push_back(
        fb::CreateDiagnostics(builder, exit.container.value(), text(builder, exit.diagnostics)));
  }
  return builder.CreateVector(tables);
}

BodyOffset body(Builder& builder, const Hello& hello) {
  TRACEBED_CHECK(hello.running.size() <= running_max, "an agent runs at most running_max");
  const auto agent = builder.CreateString(hello.agent);
  const auto rack = builder.CreateString(hello.rack);
  const auto labels = builder.CreateVectorOfStrings(hello.labels);
  const auto address = builder.CreateString(hello.address);
  const auto running = container_ids(builder, hello.running);
  const auto exit_list = exits(builder, hello.exits);
  const auto words = diagnostics(builder, hello.exits);
  const auto software = builder.CreateString(hello.software);
  const auto host = builder.CreateString(hello.host);
  const fb::Amounts capacity = amounts(hello.capacity);
  return fb::CreateHello(builder, hello.protocol_version, agent, rack, labels, &capacity,
                         static_cast<std::uint8_t>(hello.isolation), address,
                         nanoseconds_of(hello.wall_clock), running, exit_list, words, software,
                         host, hello.speed, !hello.has_launcher, hello.keeps_outputs)
      .Union();
}

BodyOffset body(Builder& builder, const Welcome& welcome) {
  const auto namenode = builder.CreateString(welcome.namenode);
  const auto shuffle_key = shuffle_key_column(builder, welcome.shuffle_key);
  const auto shuffle_rates = rates_table(builder, welcome.shuffle_rates);
  return fb::CreateWelcome(builder, welcome.protocol_version, welcome.node.value(),
                           welcome.heartbeat_period.count(), welcome.out_of_band_heartbeat,
                           welcome.time_scale, welcome.silence_max.count(),
                           welcome.orphan_grace.count(), nanoseconds_of(welcome.sent), namenode,
                           shuffle_key, shuffle_rates, welcome.shares_vcores,
                           static_cast<std::uint8_t>(welcome.cpu_enforcement))
      .Union();
}

BodyOffset body(Builder& builder, const Refuse& refuse) {
  const auto reason = text(builder, refuse.reason);
  return fb::CreateRefuse(builder, refuse.coordinator_version, refuse.agent_version, reason)
      .Union();
}

BodyOffset body(Builder& builder, const Heartbeat& heartbeat) {
  TRACEBED_CHECK(heartbeat.started.size() <= starts_max, "a heartbeat has at most starts_max");
  std::vector<fb::Started> structs;
  structs.reserve(heartbeat.started.size());
  for (const ContainerStart& start : heartbeat.started) {
    structs.emplace_back(nanoseconds_of(start.at), start.container.value());
  }
  const auto started = builder.CreateVectorOfStructs(structs);
  const auto exit_list = exits(builder, heartbeat.exits);
  const auto words = diagnostics(builder, heartbeat.exits);
  TRACEBED_CHECK(heartbeat.progress.size() <= starts_max, "and as many reports of progress");
  std::vector<fb::Progress> reports;
  for (const AttemptProgress& report : heartbeat.progress) {
    reports.emplace_back(report.container.value(), report.progress);
  }
  const auto progress = builder.CreateVectorOfStructs(reports);
  const ClockEcho echo = heartbeat.echo.value_or(ClockEcho{});
  const ProcessorSums sums = heartbeat.processors.value_or(ProcessorSums{});
  const fb::Processors processors(sums.busy_us, sums.stolen_us, sums.idle_us, sums.own_us);
  return fb::CreateHeartbeat(
             builder, nanoseconds_of(heartbeat.wall_clock), heartbeat.used_milli_vcores,
             heartbeat.used_memory_mib, started, exit_list, words, heartbeat.io_pressure,
             nanoseconds_of(echo.sent), nanoseconds_of(echo.received),
             heartbeat.processors ? &processors : nullptr, heartbeat.shuffle_port, progress)
      .Union();
}

BodyOffset body(Builder& builder, const HeartbeatAck& ack) {
  TRACEBED_CHECK(ack.ended_jobs.size() <= ended_jobs_max, "an answer names at most ended_jobs_max");
  std::vector<std::uint32_t> jobs;
  for (const JobId job : ack.ended_jobs) jobs.push_back(job.value());
  return fb::CreateHeartbeatAck(builder, ack.heartbeat, ack.exits_up_to, nanoseconds_of(ack.sent),
                                builder.CreateVector(jobs))
      .Union();
}

BodyOffset body(Builder& builder, const LaunchBatch& batch) {
  TRACEBED_CHECK(batch.launches.size() <= launches_max, "a batch has at most launches_max");
  std::vector<flatbuffers::Offset<fb::Launch>> launches;
  launches.reserve(batch.launches.size());
  for (const Launch& launch : batch.launches) {
    const fb::Amounts limits = amounts(launch.limits);
    const auto work = task_work(builder, launch.work);
    flatbuffers::Offset<flatbuffers::String> devices;
    if (!launch.devices.empty()) devices = builder.CreateString(launch.devices);
    launches.push_back(fb::CreateLaunch(
        builder, launch.container.value(), launch.application.value(), launch.task.stage,
        launch.task.index, launch.attempt, &limits, work, launch.is_held, launch.time_limit.count(),
        launch.virtual_memory_limit_mib, launch.memory_look.count(), devices));
  }
  return fb::CreateLaunchBatch(builder, builder.CreateVector(launches)).Union();
}

BodyOffset body(Builder& builder, const ContinueBatch& batch) {
  TRACEBED_CHECK(batch.containers.size() <= batch_ids_max, "a batch has at most batch_ids_max");
  return fb::CreateContinueBatch(builder, container_ids(builder, batch.containers)).Union();
}

BodyOffset body(Builder& builder, const KillBatch& batch) {
  TRACEBED_CHECK(batch.containers.size() <= batch_ids_max, "a batch has at most batch_ids_max");
  return fb::CreateKillBatch(builder, container_ids(builder, batch.containers)).Union();
}

BodyOffset body(Builder& builder, const CheckpointBatch& batch) {
  TRACEBED_CHECK(batch.containers.size() <= batch_ids_max, "a batch has at most batch_ids_max");
  return fb::CreateCheckpointBatch(builder, container_ids(builder, batch.containers)).Union();
}

BodyOffset body(Builder& builder, const Goodbye& goodbye) {
  return fb::CreateGoodbye(builder, text(builder, goodbye.reason)).Union();
}

BodyOffset body(Builder& builder, const Shutdown& shutdown) {
  return fb::CreateShutdown(builder, text(builder, shutdown.reason)).Union();
}

BodyOffset body(Builder& builder, const LogLines& log) {
  TRACEBED_CHECK(log.lines.size() <= log_lines_max, "a message has at most log_lines_max lines");
  std::vector<flatbuffers::Offset<fb::LogLine>> lines;
  for (const LogLine& line : log.lines) {
    const auto words = text(builder, line.text);
    lines.push_back(fb::CreateLogLine(builder, nanoseconds_of(line.at),
                                      static_cast<std::uint8_t>(line.severity), words));
  }
  return fb::CreateLogLines(builder, builder.CreateVector(lines), log.lost).Union();
}

// The union's tags stand in the order of the variant's alternatives, after NONE.
static_assert(static_cast<std::size_t>(fb::Body::Hello) == 1 &&
              static_cast<std::size_t>(fb::Body::ToDatanode) == std::variant_size_v<Body>);

}  // namespace

struct Encoder::State {
  Builder builder{1024};
};

Encoder::Encoder() : state_(std::make_unique<State>()) {}
Encoder::~Encoder() = default;
Encoder::Encoder(Encoder&&) noexcept = default;
Encoder& Encoder::operator=(Encoder&&) noexcept = default;

std::span<const std::byte> Encoder::encode(const Message& message) {
  Builder& builder = state_->builder;
  builder.Clear();
  const Envelope& envelope = message.envelope;
  const auto run = builder.CreateString(envelope.run);
  const BodyOffset content =
      std::visit([&](const auto& b) { return body(builder, b); }, message.body);
  const auto tag = static_cast<fb::Body>(message.body.index() + 1);
  fb::FinishMessageBuffer(builder, fb::CreateMessage(builder, run, envelope.epoch, envelope.session,
                                                     envelope.sequence, tag, content));
  TRACEBED_CHECK(builder.GetSize() <= message_bytes_max, "a message keeps to message_bytes_max");
  return std::as_bytes(std::span(builder.GetBufferPointer(), builder.GetSize()));
}

}  // namespace tracebed::wire
