#include "calls_generated.h"
#include "core/check.h"
#include "core/visit.h"
#include "protocol/action_columns.h"

namespace tracebed::calls {
namespace {

std::int64_t number(bool value) {
  return value ? 1 : 0;
}
template <class Tag>
std::int64_t number(Id<Tag> id) {
  return id.value();
}
}  // namespace

void ActionWriter::add(const MasterAction& action) {
  const auto put_container = [&](ActionKind kind, ContainerId container) {
    kinds_.push_back(kind);
    containers_.add({number(container)});
  };
  visit_all(
      action, [&](const SetAsk& set) { add_ask(set); },
      [&](const AdjustPlaces& places) {
        kinds_.push_back(adjust_kind);
        adjustments_.add({places.slot, static_cast<std::int64_t>(places.fewer_nodes.size()),
                          static_cast<std::int64_t>(places.fewer_racks.size())});
        for (const NodeId node : places.fewer_nodes) fewer_.add({number(node)});
        for (const RackId rack : places.fewer_racks) fewer_.add({number(rack)});
      },
      [&](const CloseAsk& closing) {
        kinds_.push_back(close_kind);
        closed_.add({closing.slot});
      },
      [&](const LaunchTask& task) { add_launch(task); },
      [&](const ContinueTask& continued) { put_container(continue_kind, continued.container); },
      [&](const ReleaseContainer& released) { put_container(release_kind, released.container); },
      [&](const KillTask& killed) { put_container(kill_kind, killed.container); },
      [&](const CheckpointTask& checkpoint) {
        put_container(checkpoint_kind, checkpoint.container);
      },
      [&](const FinishApplication& end) {
        kinds_.push_back(finish_kind);
        ends_.add({static_cast<std::int64_t>(end.outcome),
                   static_cast<std::int64_t>(end.diagnostics.size())});
        text_.insert(text_.end(), end.diagnostics.begin(), end.diagnostics.end());
      },
      [](const OneOf<HeartbeatAt, LaunchGang, LaunchMasterProcess> auto&) {
        TRACEBED_CHECK(false, "a master sends only actions of masters");
      });
}

void ActionWriter::add_ask(const SetAsk& set) {
  kinds_.push_back(ask_kind);
  AskRow row{.milli_vcores = set.demand.milli_vcores(), .memory_mib = set.demand.memory_mib()};
  for (std::size_t i = 0; i < std::size(row.more); ++i) {
    row.more[i] = set.demand[own_dimensions + i];
  }
  row.slot = set.slot;
  row.priority = set.priority;
  row.pending = set.pending;
  row.label = number(set.label);
  row.avoided = number(set.avoided);
  row.nodes = static_cast<std::int64_t>(set.nodes.size());
  row.racks = static_cast<std::int64_t>(set.racks.size());
  row.kind = static_cast<std::int64_t>(set.kind);
  row.relaxes_locality = number(set.relax_locality);
  asks_.add(row);
  for (const auto& node : set.nodes) places_.add({number(node.place), node.count});
  for (const auto& rack : set.racks) places_.add({number(rack.place), rack.count});
}

void ActionWriter::add_launch(const LaunchTask& task) {
  kinds_.push_back(task.beside.is_valid() ? launch_beside_kind : launch_kind);
  if (task.beside.is_valid()) besides_.add({number(task.beside)});
  launches_.add({number(task.container), task.task.stage, task.task.index, task.attempt,
                 static_cast<std::int64_t>(task.locality), to_microseconds(task.waiting_since),
                 number(task.is_held)});
  work_.add(to_numbers(task.work));
}

std::size_t ActionWriter::bytes() const {
  return kinds_.size() + asks_.bytes().size() + places_.bytes().size() +
         adjustments_.bytes().size() + fewer_.bytes().size() + closed_.bytes().size() +
         launches_.bytes().size() + work_.bytes().size() + besides_.bytes().size() +
         containers_.bytes().size() + ends_.bytes().size() + text_.size();
}

flatbuffers::Offset<fb::Actions> ActionWriter::finish(
    flatbuffers::FlatBufferBuilder& builder) const {
  const auto packed = [&](const auto& rows) {
    return builder.CreateVector(rows.bytes().data(), rows.bytes().size());
  };
  const auto kind_column = builder.CreateVector(kinds_);
  const auto asks = packed(asks_);
  const auto places = packed(places_);
  const auto adjustments = packed(adjustments_);
  const auto fewer = packed(fewer_);
  const auto closed = packed(closed_);
  const auto launches = packed(launches_);
  const auto containers = packed(containers_);
  const auto ends = packed(ends_);
  const auto text = builder.CreateVector(text_);
  const auto work = packed(work_);
  flatbuffers::Offset<flatbuffers::Vector<std::uint8_t>> besides;
  if (!besides_.is_empty()) besides = packed(besides_);
  return fb::CreateActions(builder, kind_column, asks, places, adjustments, fewer, closed, launches,
                           containers, ends, text, work,
                           static_cast<std::uint8_t>(task_work_fields.size()), besides);
}

void ActionWriter::clear() {
  kinds_.clear();
  asks_.clear();
  places_.clear();
  adjustments_.clear();
  fewer_.clear();
  closed_.clear();
  launches_.clear();
  work_.clear();
  besides_.clear();
  containers_.clear();
  ends_.clear();
  text_.clear();
}

}  // namespace tracebed::calls
