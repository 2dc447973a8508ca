#include "core/check.h"
#include "core/visit.h"
#include "protocol/wire_codec.h"
#include "protocol/wire_masters.h"
#include "protocol/wire_parts.h"

namespace tracebed::wire {

namespace {

// The tables of a union, and beside them which of its types each is.
template <class Type, template <class> class Traits>
struct UnionVector {
  std::vector<Type> types;
  std::vector<flatbuffers::Offset<void>> tables;

  template <class Table>
  void add(flatbuffers::Offset<Table> table) {
    constexpr Type type = Traits<Table>::enum_value;  // a constant that flatc does not define
    types.push_back(type);
    tables.push_back(table.Union());
  }
};

template <class Place>
auto place_counts(Builder& builder, const std::vector<PlaceCount<Place>>& places) {
  std::vector<fb::PlaceCount> structs;
  structs.reserve(places.size());
  for (const PlaceCount<Place>& one : places) structs.emplace_back(one.place.value(), one.count);
  return builder.CreateVectorOfStructs(structs);
}

template <class IdType>
auto ids(Builder& builder, const std::vector<IdType>& list) {
  std::vector<std::uint32_t> values;
  values.reserve(list.size());
  for (const IdType id : list) values.push_back(id.value());
  return builder.CreateVector(values);
}

auto table(Builder& builder, const SetAsk& ask) {
  const fb::Amounts demand = amounts(ask.demand);
  const auto nodes = place_counts(builder, ask.nodes);
  const auto racks = place_counts(builder, ask.racks);
  return fb::CreateSetAsk(builder, ask.slot, ask.priority, &demand, ask.pending,
                          static_cast<std::uint8_t>(ask.kind), ask.relax_locality,
                          ask.label.value(), ask.avoided.value(), nodes, racks);
}
auto table(Builder& builder, const AdjustPlaces& places) {
  const auto nodes = ids(builder, places.fewer_nodes);
  const auto racks = ids(builder, places.fewer_racks);
  return fb::CreateAdjustPlaces(builder, places.slot, nodes, racks);
}
auto table(Builder& builder, const CloseAsk& closed) {
  return fb::CreateCloseAsk(builder, closed.slot);
}
auto table(Builder& builder, const LaunchTask& launch) {
  const auto work = task_work(builder, launch.work);
  return fb::CreateLaunchTask(
      builder, launch.container.value(), launch.task.stage, launch.task.index, launch.attempt,
      static_cast<std::uint8_t>(launch.locality), to_microseconds(launch.waiting_since), work,
      launch.is_held, launch.beside.value());
}
auto table(Builder& builder, const ContinueTask& continued) {
  return fb::CreateContinueTask(builder, continued.container.value());
}
auto table(Builder& builder, const ReleaseContainer& released) {
  return fb::CreateReleaseContainer(builder, released.container.value());
}
auto table(Builder& builder, const KillTask& killed) {
  return fb::CreateKillTask(builder, killed.container.value());
}
auto table(Builder& builder, const CheckpointTask& checkpointed) {
  return fb::CreateCheckpointTask(builder, checkpointed.container.value());
}
auto table(Builder& builder, const FinishApplication& finished) {
  const auto diagnostics = builder.CreateString(finished.diagnostics);
  return fb::CreateFinishApplication(builder, static_cast<std::uint8_t>(finished.outcome),
                                     diagnostics);
}

auto table(Builder& builder, const Grant& grant) {
  const fb::Amounts resources = amounts(grant.resources);
  return fb::CreateGranted(builder, grant.container.value(), grant.slot, grant.node.value(),
                           grant.rack.value(), grant.units, &resources);
}
auto table(Builder& builder, const AttemptEnd& end) {
  return fb::CreateAttemptEnded(builder, end.container.value(), end.node.value(),
                                static_cast<std::uint8_t>(end.end), end.node_left, end.units,
                                end.progress);
}
auto table(Builder& builder, const NodeGone& gone) {
  return fb::CreateNodeGone(builder, gone.node.value());
}
auto table(Builder& builder, const AttemptProgress& progress) {
  return fb::CreateAttemptProgressed(builder, progress.container.value(), progress.progress);
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

BodyOffset body(Builder& builder, const MasterCall& call) {
  TRACEBED_CHECK(call.actions.size() <= call_actions_max, "a call has at most call_actions_max");
  UnionVector<fb::Action, fb::ActionTraits> actions;
  for (const MasterAction& action : call.actions) {
    const auto refuse = [] {
      TRACEBED_CHECK(false, "a master in a container sends only actions that it may");
    };
    visit_all(
        action, [&](const LaunchGang&) { refuse(); }, [&](const HeartbeatAt&) { refuse(); },
        [&](const LaunchMasterProcess&) { refuse(); },
        [&](const auto& sent) { actions.add(table(builder, sent)); });
  }
  const auto types = builder.CreateVector(actions.types);
  const auto tables = builder.CreateVector(actions.tables);
  return fb::CreateMasterCall(builder, call.application.value(), call.attempt, call.sequence,
                              static_cast<std::uint8_t>(call.kind), types, tables)
      .Union();
}

BodyOffset body(Builder& builder, const MasterAnswer& answer) {
  TRACEBED_CHECK(answer.news.size() <= answer_news_max, "an answer has at most answer_news_max");
  TRACEBED_CHECK(containers_of(answer.preemption) <= preemption_containers_max,
                 "an answer wants back at most preemption_containers_max");
  UnionVector<fb::News, fb::NewsTraits> news;
  for (const MasterNews& one : answer.news) {
    std::visit([&](const auto& sent) { news.add(table(builder, sent)); }, one);
  }
  const fb::Amounts headroom = amounts(answer.headroom);
  const auto types = builder.CreateVector(news.types);
  const auto tables = builder.CreateVector(news.tables);
  const auto strict = strict_table(builder, answer.preemption);
  const auto negotiable = negotiable_table(builder, answer.preemption);
  return fb::CreateMasterAnswer(builder, answer.application.value(), answer.attempt,
                                answer.sequence, to_microseconds(answer.now), answer.is_dismissal,
                                answer.has_more, &headroom, types, tables, strict, negotiable)
      .Union();
}

}  // namespace tracebed::wire
