#include "core/check.h"
#include "protocol/wire_codec.h"
#include "protocol/wire_masters.h"
#include "protocol/wire_parts.h"

namespace tracebed::wire {

namespace {

auto stage_table(Builder& builder, const Stage& stage) {
  std::vector<fb::TaskRun> runs;
  runs.reserve(stage.runs.size());
  for (const TaskRun& run : stage.runs) {
    const Work& work = run.work;
    runs.emplace_back(work.duration.count(), work.cpu_time.count(), work.memory_mib,
                      work.input_bytes, work.shuffle_bytes, work.output_bytes, run.count);
  }
  const auto run_column = builder.CreateVectorOfStructs(runs);
  const auto path = builder.CreateString(stage.input_path);
  const auto hosts = builder.CreateVectorOfStrings(stage.places.hosts);
  const auto place_ends = builder.CreateVector(stage.places.ends);
  const auto places = builder.CreateVector(stage.places.entries);
  const auto needs = builder.CreateVector(stage.needs);
  const auto labels = builder.CreateVectorOfStrings(stage.node_labels);
  const fb::Amounts demand = amounts(stage.demand);
  return fb::CreateStage(builder, static_cast<std::uint8_t>(stage.kind), &demand, run_column, path,
                         hosts, place_ends, places, needs, stage.delay.count(), labels,
                         stage.input.id, stage.input.size, stage.input.block_size);
}

}  // namespace

bool can_encode(const MasterJob& job) {
  // About what the tables take; the rest of the message is small.
  constexpr std::size_t table_bytes = 128;
  constexpr std::size_t text_bytes = 16;
  constexpr std::size_t bytes_max = message_bytes_max - (std::size_t{256} << 10);
  std::size_t bytes = 0;
  const auto add_texts = [&](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) bytes += text.size() + text_bytes;
  };
  std::size_t runs = 0;
  for (const Stage& stage : job.job.stages) {
    runs += stage.runs.size();
    bytes += table_bytes + stage.input_path.size() + stage.runs.size() * sizeof(fb::TaskRun) +
             (stage.places.ends.size() + stage.places.entries.size()) * sizeof(std::uint32_t) +
             stage.needs.size() * sizeof(std::uint16_t);
    add_texts(stage.places.hosts);
    add_texts(stage.node_labels);
    if (stage.input_path.size() > path_bytes_max || stage.node_labels.size() > labels_max ||
        stage.places.hosts.size() > hosts_max) {
      return false;
    }
  }
  for (const MasterNode& node : job.nodes) {
    bytes += table_bytes + node.name.size();
    add_texts(node.labels);
  }
  return job.job.stages.size() <= job_stages_max && runs <= task_runs_max &&
         job.nodes.size() <= job_nodes_max && bytes <= bytes_max;
}

BodyOffset body(Builder& builder, const LaunchMaster& launch) {
  const fb::Amounts limits = amounts(launch.limits);
  flatbuffers::Offset<fb::MasterKeys> keys;
  if (launch.keys) {
    keys = fb::CreateMasterKeys(builder, builder.CreateString(launch.keys->own_public),
                                builder.CreateString(launch.keys->own_secret),
                                builder.CreateString(launch.keys->coordinator));
  }
  return fb::CreateLaunchMaster(builder, launch.container.value(), launch.application.value(),
                                launch.attempt, &limits, launch.session, keys)
      .Union();
}

BodyOffset body(Builder& builder, const MasterHello& hello) {
  return fb::CreateMasterHello(builder, hello.application.value(), hello.attempt).Union();
}

BodyOffset body(Builder& builder, const MasterJob& message) {
  TRACEBED_CHECK(can_encode(message), "a master's job keeps to the bounds of one message");
  const Job& job = message.job;
  std::vector<flatbuffers::Offset<fb::Stage>> stages;
  for (const Stage& stage : job.stages) stages.push_back(stage_table(builder, stage));
  std::vector<flatbuffers::Offset<fb::Setting>> settings;
  for (const auto& [name, value] : message.settings) {
    const auto name_text = builder.CreateString(name);
    const auto value_text = builder.CreateString(value);
    settings.push_back(fb::CreateSetting(builder, name_text, value_text));
  }
  std::vector<flatbuffers::Offset<fb::MasterNode>> nodes;
  for (const MasterNode& node : message.nodes) {
    const auto name = builder.CreateString(node.name);
    const auto labels = builder.CreateVectorOfStrings(node.labels);
    nodes.push_back(fb::CreateMasterNode(builder, name, node.rack.value(), labels));
  }
  const auto stage_column = builder.CreateVector(stages);
  const auto node_column = builder.CreateVector(nodes);
  const auto setting_column = builder.CreateVector(settings);
  return fb::CreateMasterJob(builder, job.id.value(), static_cast<std::uint8_t>(job.kind),
                             job.requested_time.count(), stage_column, node_column, setting_column,
                             message.seed, message.heartbeat_interval.count(), message.time_scale,
                             message.timeout.count())
      .Union();
}

}  // namespace tracebed::wire
