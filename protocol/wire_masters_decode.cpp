#include <algorithm>
#include <cmath>

#include "protocol/wire_masters.h"

namespace tracebed::wire {

namespace {

using Texts = flatbuffers::Vector<flatbuffers::Offset<flatbuffers::String>>;

std::vector<std::string> read_names(Reader& reader, const Texts& texts, std::size_t size_max,
                                    std::string_view field) {
  std::vector<std::string> names;
  if (!reader.list(&texts, size_max, field)) return names;
  names.reserve(texts.size());
  for (const flatbuffers::String* text : texts) names.push_back(reader.name(text, field));
  return names;
}

// Where the input of `tasks` tasks lies; empty, or something for each of them.
void read_places(Reader& reader, const fb::Stage& table, std::uint64_t tasks, InputPlaces& places) {
  places.hosts = read_names(reader, *table.hosts(), hosts_max, "stage.hosts");
  const bool can_read = reader.list(table.place_ends(), message_bytes_max, "stage.place_ends") &&
                        reader.list(table.places(), message_bytes_max, "stage.places");
  if (!can_read) return;
  places.ends.assign(table.place_ends()->begin(), table.place_ends()->end());
  places.entries.assign(table.places()->begin(), table.places()->end());
  reader.require(places.ends.empty()
                     ? places.entries.empty() && places.hosts.empty()
                     : places.ends.size() == tasks && places.ends.back() == places.entries.size(),
                 "stage.place_ends");
  reader.require(std::is_sorted(places.ends.begin(), places.ends.end()), "stage.place_ends");
  for (const std::uint32_t host : places.entries) {
    reader.require(host < places.hosts.size(), "stage.places");
  }
}

Stage read_stage(Reader& reader, const fb::Stage& table, std::size_t index,
                 std::size_t& runs_left) {
  Stage stage;
  reader.require(table.kind() <= static_cast<std::uint8_t>(StageKind::gang), "stage.kind");
  stage.kind = reader.ok() ? static_cast<StageKind>(table.kind()) : StageKind::map;
  stage.demand = reader.resources(*table.demand(), "stage.demand");
  stage.input_path = reader.path(table.input_path(), "stage.input_path");
  if (!reader.list(table.runs(), runs_left, "stage.runs")) return stage;
  runs_left -= table.runs()->size();
  stage.runs.reserve(table.runs()->size());
  std::uint64_t tasks = 0;
  for (const fb::TaskRun* run : *table.runs()) {
    Work work;
    work.duration = reader.trace_duration(run->duration(), "run.duration");
    work.cpu_time = reader.trace_duration(run->cpu_time(), "run.cpu_time");
    work.memory_mib = reader.amount(run->memory_mib(), "run.memory_mib");
    work.input_bytes = reader.amount(run->input_bytes(), "run.input_bytes");
    work.shuffle_bytes = reader.amount(run->shuffle_bytes(), "run.shuffle_bytes");
    work.output_bytes = reader.amount(run->output_bytes(), "run.output_bytes");
    stage.runs.push_back({reader.positive(run->count(), "run.count"), work});
    tasks += run->count();
  }
  constexpr std::uint64_t tasks_max = std::uint64_t{1} << 31;
  reader.require(tasks <= tasks_max, "run.count");
  read_places(reader, table, tasks, stage.places);
  if (reader.list(table.needs(), index, "stage.needs")) {
    stage.needs.assign(table.needs()->begin(), table.needs()->end());
    for (std::size_t i = 0; i < stage.needs.size(); ++i) {
      reader.require(stage.needs[i] < index && (i == 0 || stage.needs[i - 1] < stage.needs[i]),
                     "stage.needs");
    }
  }
  stage.delay = reader.trace_duration(table.delay(), "stage.delay");
  stage.node_labels = read_names(reader, *table.node_labels(), labels_max, "stage.node_labels");
  reader.require(table.input_id() <= std::uint64_t{task_amount_max}, "stage.input_id");
  stage.input = {table.input_id(), reader.amount(table.input_size(), "stage.input_size"),
                 reader.amount(table.input_block_size(), "stage.input_block_size")};
  return stage;
}

}  // namespace

Body read(Reader& reader, const fb::LaunchMaster& launch) {
  LaunchMaster result;
  result.container = reader.container(launch.container());
  result.application = reader.id<ApplicationId>(launch.application(), "application");
  result.attempt = reader.positive(launch.attempt(), "attempt");
  result.limits = reader.resources(*launch.limits(), "limits");
  result.session = launch.session();
  reader.require(result.session > 0, "session");
  if (const fb::MasterKeys* keys = launch.keys()) {
    const auto key = [&](const flatbuffers::String* text) {
      reader.require(text->size() == key_bytes, "keys");
      return reader.name(text, "keys");
    };
    result.keys = {key(keys->own_public()), key(keys->own_secret()), key(keys->coordinator())};
  }
  return result;
}

Body read(Reader& reader, const fb::MasterHello& hello) {
  return MasterHello{reader.id<ApplicationId>(hello.application(), "application"),
                     reader.positive(hello.attempt(), "attempt")};
}

Body read(Reader& reader, const fb::MasterJob& message) {
  MasterJob result;
  Job& job = result.job;
  job.id = reader.id<JobId>(message.id(), "id");
  reader.require(message.kind() <= static_cast<std::uint8_t>(JobKind::service), "kind");
  job.kind = reader.ok() ? static_cast<JobKind>(message.kind()) : JobKind::map_reduce;
  job.requested_time = reader.trace_duration(message.requested_time(), "requested_time");
  std::size_t runs_left = task_runs_max;
  if (reader.list(message.stages(), job_stages_max, "stages")) {
    for (const fb::Stage* stage : *message.stages()) {
      job.stages.push_back(read_stage(reader, *stage, job.stages.size(), runs_left));
    }
  }
  if (reader.list(message.nodes(), job_nodes_max, "nodes")) {
    for (const fb::MasterNode* node : *message.nodes()) {
      reader.require(node->rack() < job_nodes_max, "node.rack");
      result.nodes.push_back({reader.name(node->name(), "node.name"), RackId(node->rack()),
                              read_names(reader, *node->labels(), labels_max, "node.labels")});
    }
  }
  if (reader.list(message.settings(), settings_max, "settings")) {
    for (const fb::Setting* setting : *message.settings()) {
      result.settings.emplace_back(reader.name(setting->name(), "setting.name"),
                                   reader.text(setting->value(), "setting.value"));
    }
  }
  result.seed = message.seed();
  result.heartbeat_interval =
      reader.trace_duration(message.heartbeat_interval(), "heartbeat_interval");
  reader.require(result.heartbeat_interval > Duration::zero(), "heartbeat_interval");
  result.time_scale = message.time_scale();
  reader.require(std::isfinite(result.time_scale) && result.time_scale > 0, "time_scale");
  result.timeout = reader.duration(message.timeout_ns(), "timeout");
  return result;
}

}  // namespace tracebed::wire
