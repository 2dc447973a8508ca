#include <array>

#include "core/check.h"
#include "core/visit.h"
#include "protocol/action_columns.h"
#include "protocol/wire_codec.h"
#include "protocol/wire_masters.h"

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
                         hosts, place_ends, places, needs, stage.delay.count(), labels);
}

auto owed_column(Builder& builder, const std::vector<PreemptionContainer>& containers) {
  std::vector<fb::PreemptionContainer> rows;
  rows.reserve(containers.size());
  for (const PreemptionContainer& contract : containers) {
    rows.emplace_back(to_microseconds(contract.deadline), contract.container.value(),
                      contract.destination.value(), contract.leaves_node);
  }
  return builder.CreateVectorOfStructs(rows);
}

// An offset of 0 is a part that is absent.
flatbuffers::Offset<fb::StrictContract> strict_table(Builder& builder,
                                                     const PreemptionMessage& message) {
  if (!message.strict) return 0;
  return fb::CreateStrictContract(builder, owed_column(builder, message.strict->containers));
}

flatbuffers::Offset<fb::NegotiableContract> negotiable_table(Builder& builder,
                                                             const PreemptionMessage& message) {
  if (!message.negotiable) return 0;
  const NegotiableContract& contract = *message.negotiable;
  TRACEBED_CHECK(contract.requests.size() <= preemption_containers_max,
                 "a contract has at most preemption_containers_max requests");
  std::vector<fb::OwedAmount> rows;
  rows.reserve(contract.requests.size());
  for (const PreemptionResourceRequest& request : contract.requests) {
    rows.emplace_back(amounts(request.capability), request.node.value(), request.count,
                      request.priority, request.relax_locality);
  }
  const auto requests = builder.CreateVectorOfStructs(rows);
  return fb::CreateNegotiableContract(builder, requests, owed_column(builder, contract.containers));
}

std::size_t containers_of(const PreemptionMessage& message) {
  return (message.strict ? message.strict->containers.size() : 0) +
         (message.negotiable ? message.negotiable->containers.size() : 0);
}

}  // namespace

fb::Amounts amounts(const Resources& resources) {
  std::array<std::int64_t, Resources::dimensions_max> values;
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = resources[i];
  return fb::Amounts(flatbuffers::span<const std::int64_t, values.size()>(values));
}

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

BodyOffset body(Builder& builder, const MasterCall& call) {
  TRACEBED_CHECK(call.actions.size() <= call_actions_max, "a call has at most call_actions_max");
  calls::ActionWriter writer;
  for (const MasterAction& action : call.actions) writer.add(action);
  const auto actions = writer.finish(builder);
  return fb::CreateMasterCall(builder, call.application.value(), call.attempt, call.sequence,
                              static_cast<std::uint8_t>(call.kind), actions)
      .Union();
}

BodyOffset body(Builder& builder, const MasterAnswer& answer) {
  TRACEBED_CHECK(answer.news.size() <= answer_news_max, "an answer has at most answer_news_max");
  TRACEBED_CHECK(containers_of(answer.preemption) <= preemption_containers_max,
                 "an answer wants back at most preemption_containers_max");
  std::vector<std::uint8_t> kinds;
  std::vector<fb::Granted> granted;
  std::vector<fb::Ended> ended;
  std::vector<std::uint32_t> nodes_gone;
  for (const MasterNews& news : answer.news) {
    kinds.push_back(static_cast<std::uint8_t>(news.index()));
    visit_all(
        news,
        [&](const Grant& grant) {
          granted.emplace_back(amounts(grant.resources), grant.container.value(), grant.slot,
                               grant.node.value(), grant.rack.value(), grant.units);
        },
        [&](const AttemptEnd& end) {
          ended.emplace_back(end.container.value(), end.node.value(),
                             static_cast<std::uint8_t>(end.end), end.node_left, end.units,
                             end.progress);
        },
        [&](const NodeGone& gone) { nodes_gone.push_back(gone.node.value()); });
  }
  const fb::Amounts headroom = amounts(answer.headroom);
  const auto kind_column = builder.CreateVector(kinds);
  const auto granted_column = builder.CreateVectorOfStructs(granted);
  const auto ended_column = builder.CreateVectorOfStructs(ended);
  const auto gone_column = builder.CreateVector(nodes_gone);
  const auto strict = strict_table(builder, answer.preemption);
  const auto negotiable = negotiable_table(builder, answer.preemption);
  return fb::CreateMasterAnswer(builder, answer.application.value(), answer.attempt,
                                answer.sequence, to_microseconds(answer.now), answer.is_dismissal,
                                answer.has_more, &headroom, kind_column, granted_column,
                                ended_column, gone_column, strict, negotiable)
      .Union();
}

}  // namespace tracebed::wire
