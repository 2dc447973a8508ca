#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>
#include <variant>

#include "protocol/action_columns.h"
#include "protocol/wire_masters.h"

namespace tracebed::wire {

namespace {

// Kinds of news are sent as positions in the variant.
static_assert(std::is_same_v<MasterNews, std::variant<Grant, AttemptEnd, NodeGone>>);
constexpr std::size_t news_kinds = std::variant_size_v<MasterNews>;

std::uint32_t positive(Reader& reader, std::uint32_t value, std::string_view field) {
  reader.require(value > 0, field);
  return value;
}

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
    stage.runs.push_back({positive(reader, run->count(), "run.count"), work});
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
  return stage;
}

Grant read_grant(Reader& reader, const fb::Granted& row) {
  // Those of a gang name no rack.
  const bool has_rack = row.rack() != RackId().value();
  return Grant{reader.container(row.container()),
               row.slot(),
               reader.id<NodeId>(row.node(), "node"),
               has_rack ? reader.id<RackId>(row.rack(), "rack") : RackId(),
               positive(reader, row.units(), "units"),
               reader.resources(row.resources(), "resources")};
}

AttemptEnd read_end(Reader& reader, const fb::Ended& row) {
  AttemptEnd end;
  end.container = reader.container(row.container());
  end.node = reader.id<NodeId>(row.node(), "node");
  end.end = reader.container_end(row.end(), "end");
  end.node_left = row.node_left();
  end.units = positive(reader, row.units(), "units");
  end.progress = reader.progress(row.progress(), end.end, "progress");
  return end;
}

using PreemptionContainerVector = flatbuffers::Vector<const fb::PreemptionContainer*>;

// By id, each once; at most `left`, which they count down.
std::vector<PreemptionContainer> read_owed(Reader& reader, const PreemptionContainerVector& rows,
                                           std::size_t& left, std::string_view field) {
  std::vector<PreemptionContainer> containers;
  if (!reader.list(&rows, left, field)) return containers;
  left -= rows.size();
  containers.reserve(rows.size());
  for (const fb::PreemptionContainer* row : rows) {
    const ContainerId container = reader.container(row->container());
    reader.require(containers.empty() || containers.back().container < container, field);
    PreemptionContainer& contract = containers.emplace_back();
    contract.container = container;
    if (row->deadline() != to_microseconds(never)) {
      contract.deadline = TraceTime(reader.trace_duration(row->deadline(), "preemption.deadline"));
    }
    contract.leaves_node = row->leaves_node();
    contract.destination = NodeId(row->destination());
  }
  return containers;
}

PreemptionResourceRequest read_request(Reader& reader, const fb::OwedAmount& row) {
  PreemptionResourceRequest request;
  request.priority = row.priority();
  request.node = NodeId(row.node());
  request.capability = reader.resources(row.capability(), "preemption.capability");
  request.count = positive(reader, row.count(), "preemption.count");
  request.relax_locality = row.relaxes_locality();
  return request;
}

PreemptionMessage read_preemption(Reader& reader, const fb::MasterAnswer& answer) {
  PreemptionMessage message;
  std::size_t containers_left = preemption_containers_max;
  if (const fb::StrictContract* strict = answer.strict()) {
    message.strict.emplace();
    message.strict->containers =
        read_owed(reader, *strict->containers(), containers_left, "strict.containers");
  }
  if (const fb::NegotiableContract* negotiable = answer.negotiable()) {
    NegotiableContract& contract = message.negotiable.emplace();
    if (reader.list(negotiable->requests(), preemption_containers_max, "negotiable.requests")) {
      for (const fb::OwedAmount* row : *negotiable->requests()) {
        contract.requests.push_back(read_request(reader, *row));
      }
    }
    contract.containers =
        read_owed(reader, *negotiable->containers(), containers_left, "negotiable.containers");
  }
  return message;
}

// Whether every kind has as many rows as the list of kinds names.
bool has_rows(const fb::MasterAnswer& answer) {
  std::array<std::size_t, news_kinds> counts{};
  for (const std::uint8_t kind : *answer.kinds()) {
    if (kind >= news_kinds) return false;
    ++counts[kind];
  }
  return counts == std::array<std::size_t, news_kinds>{answer.granted()->size(),
                                                       answer.ended()->size(),
                                                       answer.nodes_gone()->size()};
}

}  // namespace

Body read(Reader& reader, const fb::LaunchMaster& launch) {
  LaunchMaster result;
  result.container = reader.container(launch.container());
  result.application = reader.id<ApplicationId>(launch.application(), "application");
  result.attempt = positive(reader, launch.attempt(), "attempt");
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
                     positive(reader, hello.attempt(), "attempt")};
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
  result.timeout = reader.duration(message.patience_ns(), "timeout");
  return result;
}

Body read(Reader& reader, const fb::MasterCall& call) {
  MasterCall result;
  result.application = reader.id<ApplicationId>(call.application(), "application");
  result.attempt = positive(reader, call.attempt(), "attempt");
  result.sequence = call.sequence();
  reader.require(result.sequence > 0 && result.sequence <= std::uint64_t{amount_max}, "sequence");
  reader.require(call.kind() <= static_cast<std::uint8_t>(MasterCallKind::unregistration), "kind");
  result.kind = reader.ok() ? static_cast<MasterCallKind>(call.kind()) : MasterCallKind::allocation;
  reader.require(call.actions()->kinds()->size() <= call_actions_max, "actions");
  if (!reader.ok()) return result;
  calls::ActionReader actions;
  const Status loaded = actions.load(*call.actions());
  reader.require(loaded.has_value(), "actions");
  if (reader.ok()) actions.take(actions.left(), result.actions);
  for (const MasterAction& action : result.actions) {
    const auto* end = std::get_if<FinishApplication>(&action);
    reader.require(end == nullptr || end->diagnostics.size() <= text_bytes_max, "diagnostics");
  }
  return result;
}

Body read(Reader& reader, const fb::MasterAnswer& answer) {
  MasterAnswer result;
  result.application = reader.id<ApplicationId>(answer.application(), "application");
  result.attempt = positive(reader, answer.attempt(), "attempt");
  result.sequence = answer.sequence();
  result.now = TraceTime(reader.trace_duration(answer.now(), "now"));
  result.is_dismissal = answer.is_dismissal();
  result.has_more = answer.has_more();
  result.headroom = reader.resources(*answer.headroom(), "headroom");
  result.preemption = read_preemption(reader, answer);
  reader.require(answer.kinds()->size() <= answer_news_max && has_rows(answer), "news");
  const bool can_read = reader.list(answer.granted(), answer_news_max, "granted") &&
                        reader.list(answer.ended(), answer_news_max, "ended") &&
                        reader.list(answer.nodes_gone(), answer_news_max, "nodes_gone");
  if (!can_read) return result;
  flatbuffers::uoffset_t granted = 0;
  flatbuffers::uoffset_t ended = 0;
  flatbuffers::uoffset_t gone = 0;
  result.news.reserve(answer.kinds()->size());
  for (const std::uint8_t kind : *answer.kinds()) {
    if (kind == 0) {
      result.news.emplace_back(read_grant(reader, *answer.granted()->Get(granted++)));
    } else if (kind == 1) {
      result.news.emplace_back(read_end(reader, *answer.ended()->Get(ended++)));
    } else {
      result.news.emplace_back(
          NodeGone{reader.id<NodeId>(answer.nodes_gone()->Get(gone++), "node")});
    }
  }
  return result;
}

}  // namespace tracebed::wire
