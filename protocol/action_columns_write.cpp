#include "calls_generated.h"
#include "core/check.h"
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
  if (const auto* set = std::get_if<SetAsk>(&action)) {
    kinds_.push_back(ask_kind);
    AskRow row{.milli_vcores = set->demand.milli_vcores(), .memory_mib = set->demand.memory_mib()};
    for (std::size_t i = 0; i < std::size(row.more); ++i) {
      row.more[i] = set->demand[own_dimensions + i];
    }
    row.slot = set->slot;
    row.priority = set->priority;
    row.pending = set->pending;
    row.label = number(set->label);
    row.avoided = number(set->avoided);
    row.nodes = static_cast<std::int64_t>(set->nodes.size());
    row.racks = static_cast<std::int64_t>(set->racks.size());
    row.is_gang = number(set->gang);
    row.relaxes_locality = number(set->relax_locality);
    asks_.add(row);
    for (const auto& node : set->nodes) places_.add({number(node.place), node.count});
    for (const auto& rack : set->racks) places_.add({number(rack.place), rack.count});
  } else if (const auto* places = std::get_if<AdjustPlaces>(&action)) {
    kinds_.push_back(adjust_kind);
    adjustments_.add({places->slot, static_cast<std::int64_t>(places->fewer_nodes.size()),
                      static_cast<std::int64_t>(places->fewer_racks.size())});
    for (const NodeId node : places->fewer_nodes) fewer_.add({number(node)});
    for (const RackId rack : places->fewer_racks) fewer_.add({number(rack)});
  } else if (const auto* closing = std::get_if<CloseAsk>(&action)) {
    kinds_.push_back(close_kind);
    closed_.add({closing->slot});
  } else if (const auto* task = std::get_if<LaunchTask>(&action)) {
    kinds_.push_back(launch_kind);
    launches_.add({number(task->container), task->task.stage, task->task.index, task->attempt,
                   static_cast<std::int64_t>(task->locality), to_microseconds(task->waiting_since),
                   number(task->is_held)});
    work_.add(to_numbers(task->work));
  } else if (const auto* continued = std::get_if<ContinueTask>(&action)) {
    put_container(continue_kind, continued->container);
  } else if (const auto* released = std::get_if<ReleaseContainer>(&action)) {
    put_container(release_kind, released->container);
  } else if (const auto* killed = std::get_if<KillTask>(&action)) {
    put_container(kill_kind, killed->container);
  } else if (const auto* checkpoint = std::get_if<CheckpointTask>(&action)) {
    put_container(checkpoint_kind, checkpoint->container);
  } else {
    const auto* end = std::get_if<FinishApplication>(&action);
    TRACEBED_CHECK(end != nullptr, "a master says only what it may say");
    kinds_.push_back(finish_kind);
    ends_.add({static_cast<std::int64_t>(end->outcome),
               static_cast<std::int64_t>(end->diagnostics.size())});
    text_.insert(text_.end(), end->diagnostics.begin(), end->diagnostics.end());
  }
}

std::size_t ActionWriter::bytes() const {
  return kinds_.size() + asks_.bytes().size() + places_.bytes().size() +
         adjustments_.bytes().size() + fewer_.bytes().size() + closed_.bytes().size() +
         launches_.bytes().size() + work_.bytes().size() + containers_.bytes().size() +
         ends_.bytes().size() + text_.size();
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
  return fb::CreateActions(builder, kind_column, asks, places, adjustments, fewer, closed, launches,
                           containers, ends, text, work,
                           static_cast<std::uint8_t>(task_work_fields.size()));
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
  containers_.clear();
  ends_.clear();
  text_.clear();
}

}  // namespace tracebed::calls
