#include "protocol/wire_masters.h"

namespace tracebed::wire {

namespace {

template <class Place>
std::vector<PlaceCount<Place>> read_counts(Reader& reader,
                                           const flatbuffers::Vector<const fb::PlaceCount*>& vector,
                                           std::string_view field) {
  std::vector<PlaceCount<Place>> counts;
  if (!reader.list(&vector, message_bytes_max, field)) return counts;
  counts.reserve(vector.size());
  for (const fb::PlaceCount* one : vector) {
    counts.push_back({reader.id<Place>(one->place(), field), one->count()});
  }
  return counts;
}

template <class Place>
std::vector<Place> read_ids(Reader& reader, const flatbuffers::Vector<std::uint32_t>& vector,
                            std::string_view field) {
  std::vector<Place> places;
  if (!reader.list(&vector, message_bytes_max, field)) return places;
  places.reserve(vector.size());
  for (const std::uint32_t place : vector) places.push_back(reader.id<Place>(place, field));
  return places;
}

MasterAction read_action(Reader& reader, const fb::SetAsk& table) {
  SetAsk ask;
  ask.slot = table.slot();
  ask.priority = table.priority();
  ask.demand = reader.resources(*table.demand(), "ask.demand");
  ask.pending = table.pending();
  reader.require(table.kind() <= static_cast<std::uint8_t>(StageKind::gang), "ask.kind");
  ask.kind = static_cast<StageKind>(table.kind());
  ask.relax_locality = table.relaxes_locality();
  ask.label = LabelId(table.label());
  ask.avoided = NodeId(table.avoided());
  ask.nodes = read_counts<NodeId>(reader, *table.nodes(), "ask.nodes");
  ask.racks = read_counts<RackId>(reader, *table.racks(), "ask.racks");
  return ask;
}

MasterAction read_action(Reader& reader, const fb::AdjustPlaces& table) {
  return AdjustPlaces{table.slot(), read_ids<NodeId>(reader, *table.fewer_nodes(), "fewer_nodes"),
                      read_ids<RackId>(reader, *table.fewer_racks(), "fewer_racks")};
}

MasterAction read_action(Reader& reader, const fb::LaunchTask& table) {
  LaunchTask launch;
  launch.container = reader.container(table.container());
  launch.task = {table.task_stage(), table.task_index()};
  launch.attempt = reader.positive(table.attempt(), "launch.attempt");
  reader.require(table.locality() <= static_cast<std::uint8_t>(Locality::process),
                 "launch.locality");
  launch.locality = reader.ok() ? static_cast<Locality>(table.locality()) : Locality::none_asked;
  launch.waiting_since =
      TraceTime(reader.trace_duration(table.waiting_since(), "launch.waiting_since"));
  launch.work = reader.task_work(*table.work());
  launch.is_held = table.is_held();
  launch.beside = ContainerId(table.beside());
  return launch;
}

MasterAction read_action(Reader& reader, const fb::FinishApplication& table) {
  reader.require(table.outcome() <= static_cast<std::uint8_t>(JobOutcome::killed), "outcome");
  return FinishApplication{
      reader.ok() ? static_cast<JobOutcome>(table.outcome()) : JobOutcome::failed,
      reader.text(table.diagnostics(), "diagnostics")};
}

MasterAction read_action(Reader& reader, const void* table, fb::Action type) {
  switch (type) {
    case fb::Action::SetAsk:
      return read_action(reader, *static_cast<const fb::SetAsk*>(table));
    case fb::Action::AdjustPlaces:
      return read_action(reader, *static_cast<const fb::AdjustPlaces*>(table));
    case fb::Action::CloseAsk:
      return CloseAsk{static_cast<const fb::CloseAsk*>(table)->slot()};
    case fb::Action::LaunchTask:
      return read_action(reader, *static_cast<const fb::LaunchTask*>(table));
    case fb::Action::ContinueTask:
      return ContinueTask{
          reader.container(static_cast<const fb::ContinueTask*>(table)->container())};
    case fb::Action::ReleaseContainer:
      return ReleaseContainer{
          reader.container(static_cast<const fb::ReleaseContainer*>(table)->container())};
    case fb::Action::KillTask:
      return KillTask{reader.container(static_cast<const fb::KillTask*>(table)->container())};
    case fb::Action::CheckpointTask:
      return CheckpointTask{
          reader.container(static_cast<const fb::CheckpointTask*>(table)->container())};
    case fb::Action::FinishApplication:
      return read_action(reader, *static_cast<const fb::FinishApplication*>(table));
    case fb::Action::NONE:
      break;
  }
  reader.require(false, "the kind of action");
  return KillTask{};
}

MasterNews read_news(Reader& reader, const fb::Granted& table) {
  Grant grant;
  grant.container = reader.container(table.container());
  grant.slot = table.slot();
  grant.node = reader.id<NodeId>(table.node(), "node");
  grant.rack = RackId(table.rack());  // those of a gang name none
  grant.units = reader.positive(table.units(), "units");
  grant.resources = reader.resources(*table.resources(), "resources");
  return grant;
}

MasterNews read_news(Reader& reader, const fb::AttemptEnded& table) {
  AttemptEnd end;
  end.container = reader.container(table.container());
  end.node = reader.id<NodeId>(table.node(), "node");
  end.end = reader.container_end(table.end(), "end");
  end.node_left = table.node_left();
  end.units = reader.positive(table.units(), "units");
  end.progress = reader.progress(table.progress(), end.end, "progress");
  return end;
}

MasterNews read_news(Reader& reader, const fb::NodeGone& table) {
  return NodeGone{reader.id<NodeId>(table.node(), "node")};
}

MasterNews read_news(Reader& reader, const fb::AttemptProgressed& table) {
  reader.require(table.progress() <= whole_work, "progress");
  return AttemptProgress{reader.container(table.container()), table.progress()};
}

MasterNews read_news(Reader& reader, const void* table, fb::News type) {
  switch (type) {
    case fb::News::Granted:
      return read_news(reader, *static_cast<const fb::Granted*>(table));
    case fb::News::AttemptEnded:
      return read_news(reader, *static_cast<const fb::AttemptEnded*>(table));
    case fb::News::NodeGone:
      return read_news(reader, *static_cast<const fb::NodeGone*>(table));
    case fb::News::AttemptProgressed:
      return read_news(reader, *static_cast<const fb::AttemptProgressed*>(table));
    case fb::News::NONE:
      break;
  }
  reader.require(false, "the kind of news");
  return NodeGone{};
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
  request.count = reader.positive(row.count(), "preemption.count");
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

}  // namespace

Body read(Reader& reader, const fb::MasterCall& call) {
  MasterCall result;
  result.application = reader.id<ApplicationId>(call.application(), "application");
  result.attempt = reader.positive(call.attempt(), "attempt");
  result.sequence = call.sequence();
  reader.require(result.sequence > 0 && result.sequence <= std::uint64_t{amount_max}, "sequence");
  reader.require(call.kind() <= static_cast<std::uint8_t>(MasterCallKind::unregistration), "kind");
  result.kind = reader.ok() ? static_cast<MasterCallKind>(call.kind()) : MasterCallKind::allocation;
  reader.require(call.actions()->size() <= call_actions_max, "actions");
  if (!reader.ok()) return result;
  result.actions.reserve(call.actions()->size());
  for (flatbuffers::uoffset_t i = 0; i < call.actions()->size() && reader.ok(); ++i) {
    result.actions.push_back(
        read_action(reader, call.actions()->Get(i), call.actions_type()->GetEnum<fb::Action>(i)));
  }
  return result;
}

Body read(Reader& reader, const fb::MasterAnswer& answer) {
  MasterAnswer result;
  result.application = reader.id<ApplicationId>(answer.application(), "application");
  result.attempt = reader.positive(answer.attempt(), "attempt");
  result.sequence = answer.sequence();
  result.now = TraceTime(reader.trace_duration(answer.now(), "now"));
  result.is_dismissal = answer.is_dismissal();
  result.has_more = answer.has_more();
  result.headroom = reader.resources(*answer.headroom(), "headroom");
  result.preemption = read_preemption(reader, answer);
  reader.require(answer.news()->size() <= answer_news_max, "news");
  if (!reader.ok()) return result;
  result.news.reserve(answer.news()->size());
  for (flatbuffers::uoffset_t i = 0; i < answer.news()->size() && reader.ok(); ++i) {
    result.news.push_back(
        read_news(reader, answer.news()->Get(i), answer.news_type()->GetEnum<fb::News>(i)));
  }
  return result;
}

}  // namespace tracebed::wire
