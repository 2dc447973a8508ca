#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>

#include "core/check.h"
#include "protocol/wire_codec.h"
#include "protocol/wire_datanodes_codec.h"
#include "protocol/wire_masters.h"
#include "protocol/wire_reader.h"
#include "wire_generated.h"

namespace tracebed::wire {

namespace {

std::vector<ContainerId> read_containers(Reader& reader,
                                         const flatbuffers::Vector<std::uint32_t>* vector,
                                         std::size_t size_max, std::string_view field) {
  std::vector<ContainerId> containers;
  if (!reader.list(vector, size_max, field)) return containers;
  containers.reserve(vector->size());
  for (const std::uint32_t value : *vector) containers.push_back(reader.container(value));
  return containers;
}

ContainerExit read_exit(Reader& reader, const fb::Exit& exit) {
  reader.require(exit.sequence() > 0, "exit.sequence");
  reader.require(exit.signal() >= 0 && exit.signal() <= 127, "exit.signal");
  reader.require(exit.ended_ns() >= exit.started_ns(), "exit.ended");
  ContainerExit result;
  result.sequence = exit.sequence();
  result.container = reader.container(exit.container());
  result.end = reader.container_end(exit.end(), "exit.end");
  result.started = reader.time(exit.started_ns(), "exit.started");
  result.ended = reader.time(exit.ended_ns(), "exit.ended");
  result.cpu_time = reader.duration(exit.cpu_time_ns(), "exit.cpu_time");
  result.memory_peak_bytes = reader.amount(exit.memory_peak_bytes(), "exit.memory_peak_bytes");
  result.bytes_read = reader.amount(exit.bytes_read(), "exit.bytes_read");
  result.bytes_written = reader.amount(exit.bytes_written(), "exit.bytes_written");
  result.account = reader.account(*exit.account(), "exit.account");
  result.exit_code = exit.exit_code();
  result.signal = exit.signal();
  result.progress = reader.progress(exit.progress(), result.end, "exit.progress");
  return result;
}

using DiagnosticsList = flatbuffers::Vector<flatbuffers::Offset<fb::Diagnostics>>;

// Diagnostics stand in the order of the exits that they belong to.
std::vector<ContainerExit> read_exits(Reader& reader,
                                      const flatbuffers::Vector<const fb::Exit*>* vector,
                                      const DiagnosticsList* words) {
  std::vector<ContainerExit> exits;
  if (!reader.list(vector, exits_max, "exits")) return exits;
  if (!reader.list(words, vector->size(), "diagnostics")) return exits;
  exits.reserve(vector->size());
  auto next_words = words->begin();
  for (const fb::Exit* exit : *vector) {
    exits.push_back(read_exit(reader, *exit));
    reader.require(exits.size() < 2 || exits[exits.size() - 2].sequence < exit->sequence(),
                   "exit.sequence");
    if (next_words == words->end() || next_words->container() != exit->container()) continue;
    exits.back().diagnostics = reader.text(next_words->text(), "diagnostics");
    ++next_words;
  }
  reader.require(next_words == words->end(), "diagnostics");
  return exits;
}

Body read(Reader& reader, const fb::Hello& hello) {
  Hello result;
  result.protocol_version = hello.protocol_version();
  result.agent = reader.name(hello.agent(), "agent");
  result.software = reader.name(hello.software(), "software");
  // Of another version, only what is needed to refuse it in words.
  if (result.protocol_version != protocol_version) return result;
  result.rack = reader.name(hello.rack(), "rack");
  if (reader.list(hello.labels(), labels_max, "labels")) {
    for (const flatbuffers::String* label : *hello.labels()) {
      result.labels.push_back(reader.name(label, "label"));
    }
  }
  result.capacity = reader.resources(*hello.capacity(), "capacity");
  reader.require(hello.isolation() <= static_cast<std::uint8_t>(Isolation::cgroup_v2), "isolation");
  result.isolation = reader.ok() ? static_cast<Isolation>(hello.isolation()) : Isolation::none;
  result.address = reader.name(hello.address(), "address");
  result.host = reader.name(hello.host(), "host");
  reader.require(hello.speed() > 0, "speed");
  result.speed = hello.speed();
  result.has_launcher = !hello.lacks_launcher();
  result.keeps_outputs = hello.keeps_outputs();
  result.wall_clock = reader.time(hello.wall_clock_ns(), "wall_clock");
  result.running = read_containers(reader, hello.running(), running_max, "running");
  result.exits = read_exits(reader, hello.exits(), hello.diagnostics());
  return result;
}

Body read(Reader& reader, const fb::Welcome& welcome) {
  Welcome result;
  result.protocol_version = welcome.protocol_version();
  result.node = NodeId(welcome.node());
  result.heartbeat_period = reader.duration(welcome.heartbeat_period_ns(), "heartbeat_period");
  reader.require(result.heartbeat_period > WallDuration::zero(), "heartbeat_period");
  result.out_of_band_heartbeat = welcome.out_of_band_heartbeat();
  result.time_scale = welcome.time_scale();
  reader.require(std::isfinite(result.time_scale) && result.time_scale > 0, "time_scale");
  result.silence_max = reader.duration(welcome.silence_max_ns(), "silence_max");
  reader.require(result.silence_max > WallDuration::zero(), "silence_max");
  result.orphan_grace = reader.duration(welcome.orphan_grace_ns(), "orphan_grace");
  result.sent = reader.time(welcome.sent_ns(), "sent");
  result.namenode = reader.name(welcome.namenode(), "namenode");
  result.shuffle_key = reader.shuffle_key(*welcome.shuffle_key());
  result.shuffle_rates = reader.rates(*welcome.shuffle_rates());
  result.shares_vcores = welcome.shares_vcores();
  reader.require(welcome.cpu_enforcement() < cpu_enforcement_names.size(), "cpu_enforcement");
  result.cpu_enforcement = static_cast<CpuEnforcement>(welcome.cpu_enforcement());
  reader.require(result.shares_vcores || result.cpu_enforcement == CpuEnforcement::quota,
                 "shares_vcores");
  return result;
}

Body read(Reader& reader, const fb::Refuse& refuse) {
  return Refuse{refuse.coordinator_version(), refuse.agent_version(),
                reader.text(refuse.reason(), "reason")};
}

Body read(Reader& reader, const fb::Heartbeat& heartbeat) {
  Heartbeat result;
  result.wall_clock = reader.time(heartbeat.wall_clock_ns(), "wall_clock");
  result.used_milli_vcores = reader.amount(heartbeat.used_milli_vcores(), "used_milli_vcores");
  result.used_memory_mib = reader.amount(heartbeat.used_memory_mib(), "used_memory_mib");
  if (reader.list(heartbeat.started(), starts_max, "started")) {
    for (const fb::Started* start : *heartbeat.started()) {
      result.started.push_back(
          {reader.container(start->container()), reader.time(start->at_ns(), "started.at")});
    }
  }
  result.exits = read_exits(reader, heartbeat.exits(), heartbeat.diagnostics());
  reader.require(heartbeat.io_pressure() >= -1 && heartbeat.io_pressure() <= 1'000, "io_pressure");
  result.io_pressure = heartbeat.io_pressure();
  if (heartbeat.echo_sent_ns() != 0 || heartbeat.echo_received_ns() != 0) {
    result.echo = {reader.time(heartbeat.echo_sent_ns(), "echo.sent"),
                   reader.time(heartbeat.echo_received_ns(), "echo.received")};
  }
  if (const fb::Processors* sums = heartbeat.processors()) {
    result.processors = {reader.amount(sums->busy_us(), "processors.busy"),
                         reader.amount(sums->stolen_us(), "processors.stolen"),
                         reader.amount(sums->idle_us(), "processors.idle"),
                         reader.amount(sums->own_us(), "processors.own")};
  }
  result.shuffle_port = heartbeat.shuffle_port();
  if (reader.list(heartbeat.progress(), starts_max, "progress")) {
    for (const fb::Progress* report : *heartbeat.progress()) {
      reader.require(report->millionths() <= whole_work, "progress");
      result.progress.push_back({reader.container(report->container()), report->millionths()});
    }
  }
  return result;
}

Body read(Reader& reader, const fb::HeartbeatAck& ack) {
  HeartbeatAck result{ack.heartbeat(), ack.exits_up_to(), reader.time(ack.sent_ns(), "sent"), {}};
  if (reader.list(ack.ended_jobs(), ended_jobs_max, "ended_jobs")) {
    for (const std::uint32_t job : *ack.ended_jobs()) {
      result.ended_jobs.push_back(reader.id<JobId>(job, "ended_jobs"));
    }
  }
  return result;
}

Launch read_launch(Reader& reader, const fb::Launch& launch) {
  Launch result;
  result.container = reader.container(launch.container());
  result.application = ApplicationId(launch.application());
  result.task = TaskRef{launch.task_stage(), launch.task_index()};
  result.attempt = reader.positive(launch.attempt(), "attempt");
  result.limits = reader.resources(*launch.limits(), "limits");
  result.work = reader.task_work(*launch.work());
  result.time_limit = reader.duration(launch.time_limit_ns(), "time_limit");
  result.is_held = launch.is_held();
  result.virtual_memory_limit_mib =
      reader.amount(launch.virtual_memory_limit_mib(), "virtual_memory_limit_mib");
  result.memory_look = reader.duration(launch.memory_look_ns(), "memory_look");
  reader.require(result.virtual_memory_limit_mib == 0 || result.memory_look.count() > 0,
                 "memory_look");
  result.devices = reader.devices(launch.devices());
  return result;
}

Body read(Reader& reader, const fb::LaunchBatch& batch) {
  LaunchBatch result;
  if (!reader.list(batch.launches(), launches_max, "launches")) return result;
  result.launches.reserve(batch.launches()->size());
  for (const fb::Launch* launch : *batch.launches()) {
    result.launches.push_back(read_launch(reader, *launch));
  }
  return result;
}

Body read(Reader& reader, const fb::ContinueBatch& batch) {
  return ContinueBatch{read_containers(reader, batch.containers(), batch_ids_max, "containers")};
}

Body read(Reader& reader, const fb::KillBatch& batch) {
  return KillBatch{read_containers(reader, batch.containers(), batch_ids_max, "containers")};
}

Body read(Reader& reader, const fb::CheckpointBatch& batch) {
  return CheckpointBatch{read_containers(reader, batch.containers(), batch_ids_max, "containers")};
}

Body read(Reader& reader, const fb::Goodbye& goodbye) {
  return Goodbye{reader.text(goodbye.reason(), "reason")};
}

Body read(Reader& reader, const fb::Shutdown& shutdown) {
  return Shutdown{reader.text(shutdown.reason(), "reason")};
}

Body read(Reader& reader, const fb::LogLines& log) {
  LogLines result;
  result.lost = log.lost();
  if (!reader.list(log.lines(), log_lines_max, "lines")) return result;
  for (const fb::LogLine* line : *log.lines()) {
    constexpr auto severity_max = static_cast<std::uint8_t>(Severity::error);
    reader.require(line->severity() <= severity_max, "severity");
    result.lines.push_back({reader.time(line->at_ns(), "at"),
                            static_cast<Severity>(std::min(line->severity(), severity_max)),
                            reader.text(line->text(), "text")});
  }
  return result;
}

Body read_body(Reader& reader, const fb::Message& message) {
  switch (message.body_type()) {
    case fb::Body::Hello:
      return read(reader, *message.body_as_Hello());
    case fb::Body::Welcome:
      return read(reader, *message.body_as_Welcome());
    case fb::Body::Refuse:
      return read(reader, *message.body_as_Refuse());
    case fb::Body::Heartbeat:
      return read(reader, *message.body_as_Heartbeat());
    case fb::Body::HeartbeatAck:
      return read(reader, *message.body_as_HeartbeatAck());
    case fb::Body::LaunchBatch:
      return read(reader, *message.body_as_LaunchBatch());
    case fb::Body::ContinueBatch:
      return read(reader, *message.body_as_ContinueBatch());
    case fb::Body::KillBatch:
      return read(reader, *message.body_as_KillBatch());
    case fb::Body::Goodbye:
      return read(reader, *message.body_as_Goodbye());
    case fb::Body::Shutdown:
      return read(reader, *message.body_as_Shutdown());
    case fb::Body::LaunchMaster:
      return read(reader, *message.body_as_LaunchMaster());
    case fb::Body::MasterHello:
      return read(reader, *message.body_as_MasterHello());
    case fb::Body::MasterJob:
      return read(reader, *message.body_as_MasterJob());
    case fb::Body::MasterCall:
      return read(reader, *message.body_as_MasterCall());
    case fb::Body::MasterAnswer:
      return read(reader, *message.body_as_MasterAnswer());
    case fb::Body::CheckpointBatch:
      return read(reader, *message.body_as_CheckpointBatch());
    case fb::Body::LogLines:
      return read(reader, *message.body_as_LogLines());
    case fb::Body::FromDatanode:
      return read(reader, *message.body_as_FromDatanode());
    case fb::Body::ToDatanode:
      return read(reader, *message.body_as_ToDatanode());
    case fb::Body::NONE:
      break;
  }
  reader.require(false, "the kind of message");
  return Goodbye{};
}

}  // namespace

// Of the largest message, an answer full of news.
constexpr flatbuffers::uoffset_t tables_max = answer_news_max + 16;
static_assert(tables_max >= std::max({exits_max, 2 * launches_max, 2 * call_actions_max,
                                      job_stages_max + job_nodes_max + settings_max, machines_max,
                                      2 * orders_max + addresses_max}) +
                                16);

Result<Message> decode(std::span<const std::byte> bytes) {
  if (bytes.size() > message_bytes_max) {
    return Error{"a message of " + std::to_string(bytes.size()) + " bytes came; the limit is " +
                 std::to_string(message_bytes_max)};
  }
  // ZeroMQ hands out messages at any address; FlatBuffers reads 8-byte fields in place.
  std::vector<std::uint64_t> aligned;
  const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  if (reinterpret_cast<std::uintptr_t>(data) % alignof(std::uint64_t) != 0) {
    aligned.resize(bytes.size() / sizeof(std::uint64_t) + 1);
    std::memcpy(aligned.data(), bytes.data(), bytes.size());
    data = reinterpret_cast<const std::uint8_t*>(aligned.data());
  }
  flatbuffers::Verifier verifier(data, bytes.size(), /*max_depth=*/8,
                                 /*max_tables=*/tables_max);
  if (!fb::VerifyMessageBuffer(verifier)) {
    return Error{"a message of " + std::to_string(bytes.size()) +
                 " bytes is not one of Tracebed's"};
  }
  const fb::Message& table = *fb::GetMessage(data);
  Reader reader;
  Message message;
  message.envelope =
      Envelope{reader.name(table.run(), "run"), table.epoch(), table.session(), table.sequence()};
  reader.require(message.envelope.session > 0, "session");
  reader.require(message.envelope.sequence > 0, "sequence");
  message.body = read_body(reader, table);
  if (!reader.ok()) return Error{"in a message, " + reader.problem()};
  return message;
}

}  // namespace tracebed::wire
