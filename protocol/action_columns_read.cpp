#include <algorithm>
#include <array>
#include <limits>
#include <span>

#include "calls_generated.h"
#include "core/check.h"
#include "protocol/action_columns.h"

namespace tracebed::calls {
namespace {

using log::is_word;

template <class IdType>
IdType id(std::int64_t value) {
  return IdType(static_cast<std::uint32_t>(value));
}

bool is_flag(std::int64_t value) {
  return value == 0 || value == 1;
}

template <class Row>
Status unpack(const flatbuffers::Vector<std::uint8_t>& column, std::vector<Row>& rows) {
  rows.clear();
  if (!log::unpack_rows(std::span(column.data(), column.size()), rows)) {
    return Error{"whole rows in what its masters want"};
  }
  return success();
}

// A log that was written before the latest fields were added to the list has none of them.
Status unpack_work(const fb::Actions& actions, std::vector<TaskWorkNumbers>& rows) {
  const std::size_t written = actions.work_fields();
  if (written == 0 || written > task_work_fields.size()) {
    return Error{"work of 1 to " + std::to_string(task_work_fields.size()) + " fields"};
  }
  const std::span bytes(actions.work()->data(), actions.work()->size());
  if (!log::unpack_shorter_rows(bytes, rows, written)) {
    return Error{"whole rows in the work of its tasks"};
  }
  return success();
}

bool is_sound(const AskRow& row) {
  const bool has_amounts =
      row.milli_vcores >= 0 && row.memory_mib >= 0 &&
      std::all_of(std::begin(row.more), std::end(row.more), [](auto more) { return more >= 0; });
  return has_amounts && is_word(row.slot) && is_word(row.pending) && is_word(row.label) &&
         is_word(row.avoided) && is_word(row.nodes) && is_word(row.racks) && row.kind >= 0 &&
         row.kind <= static_cast<std::int64_t>(StageKind::gang) && is_flag(row.relaxes_locality) &&
         row.priority == static_cast<std::int32_t>(row.priority);
}

bool is_sound(const LaunchRow& row) {
  return is_word(row.container) && row.stage == static_cast<std::uint16_t>(row.stage) &&
         is_word(row.task) && is_word(row.attempt) && row.attempt > 0 && row.locality >= 0 &&
         row.locality <= static_cast<std::int64_t>(Locality::process) && row.waiting_since >= 0 &&
         is_flag(row.is_held);
}
bool is_sound(const TaskWorkNumbers& numbers) {
  return to_task_work(numbers).has_value();
}

bool is_sound(const EndRow& row) {
  return row.outcome >= 0 && row.outcome <= static_cast<std::int64_t>(JobOutcome::killed) &&
         is_word(row.text_bytes);
}
bool is_sound(const PlaceRow& row) {
  return is_word(row.place) && is_word(row.count);
}
bool is_sound(const NumberRow& row) {
  return is_word(row.number);
}
bool is_sound(const AdjustmentRow& row) {
  return is_word(row.slot) && is_word(row.nodes) && is_word(row.racks);
}

template <class Row>
bool are_sound(const std::vector<Row>& rows) {
  return std::all_of(rows.begin(), rows.end(), [](const Row& row) { return is_sound(row); });
}

template <class Row>
std::uint64_t places_of(const std::vector<Row>& rows) {
  std::uint64_t sum = 0;
  for (const Row& row : rows) {
    sum += static_cast<std::uint64_t>(row.nodes) + static_cast<std::uint64_t>(row.racks);
  }
  return sum;
}

}  // namespace

Status ActionReader::load(const fb::Actions& actions) {
  *this = ActionReader();
  kinds_.assign(actions.kinds()->begin(), actions.kinds()->end());
  text_.assign(reinterpret_cast<const char*>(actions.text()->data()), actions.text()->size());
  const std::array unpacked = {
      unpack(*actions.asks(), asks_),
      unpack(*actions.places(), places_),
      unpack(*actions.adjustments(), adjustments_),
      unpack(*actions.fewer(), fewer_),
      unpack(*actions.closed(), closed_),
      unpack(*actions.launches(), launches_),
      unpack(*actions.containers(), containers_),
      unpack(*actions.ends(), ends_),
      unpack_work(actions, work_),
  };
  for (const Status& status : unpacked) {
    if (!status) return status;
  }
  if (actions.besides() != nullptr) {
    if (Status status = unpack(*actions.besides(), besides_); !status) return status;
  }
  return verify();
}

Status ActionReader::verify() const {
  std::array<std::size_t, action_kinds> counts{};
  for (const std::uint8_t kind : kinds_) {
    if (kind >= action_kinds) return Error{"only known kinds of actions"};
    ++counts[kind];
  }
  const std::size_t launches = counts[launch_kind] + counts[launch_beside_kind];
  const bool has_rows =
      counts[ask_kind] == asks_.size() && counts[adjust_kind] == adjustments_.size() &&
      counts[close_kind] == closed_.size() && launches == launches_.size() &&
      launches == work_.size() && counts[launch_beside_kind] == besides_.size() &&
      counts[continue_kind] + counts[release_kind] + counts[kill_kind] + counts[checkpoint_kind] ==
          containers_.size() &&
      counts[finish_kind] == ends_.size();
  if (!has_rows) return Error{"one row for every action of a kind"};
  const bool are_all_sound = are_sound(asks_) && are_sound(places_) && are_sound(adjustments_) &&
                             are_sound(fewer_) && are_sound(closed_) && are_sound(launches_) &&
                             are_sound(work_) && are_sound(besides_) && are_sound(containers_) &&
                             are_sound(ends_);
  if (!are_all_sound) return Error{"actions whose numbers are in their ranges"};
  std::uint64_t text_bytes = 0;
  for (const EndRow& row : ends_) text_bytes += static_cast<std::uint64_t>(row.text_bytes);
  const bool has_all = places_of(asks_) == places_.size() &&
                       places_of(adjustments_) == fewer_.size() && text_bytes == text_.size();
  if (!has_all) return Error{"as many places and as much text as its actions use"};
  return success();
}

void ActionReader::take(std::size_t count, MasterActions& actions) {
  TRACEBED_CHECK(count <= left(), "no more actions are taken than there are");
  actions.reserve(actions.size() + count);
  for (; count > 0; --count) actions.push_back(read(kinds_[next_kind_++]));
}

MasterAction ActionReader::read(std::uint8_t kind) {
  switch (static_cast<ActionKind>(kind)) {
    case ask_kind:
      return read_ask();
    case adjust_kind:
      return read_adjustment();
    case close_kind:
      return CloseAsk{static_cast<AskSlot>(closed_[next_closed_++].number)};
    case launch_kind:
      return read_launch();
    case launch_beside_kind: {
      LaunchTask task = read_launch();
      task.beside = id<ContainerId>(besides_[next_beside_++].number);
      return task;
    }
    case continue_kind:
      return ContinueTask{read_container()};
    case release_kind:
      return ReleaseContainer{read_container()};
    case kill_kind:
      return KillTask{read_container()};
    case checkpoint_kind:
      return CheckpointTask{read_container()};
    case finish_kind:
      return read_end();
  }
  TRACEBED_CHECK(false, "kinds were verified");
}

ContainerId ActionReader::read_container() {
  return id<ContainerId>(containers_[next_container_++].number);
}

SetAsk ActionReader::read_ask() {
  const AskRow& row = asks_[next_ask_++];
  SetAsk set;
  set.slot = static_cast<AskSlot>(row.slot);
  set.priority = static_cast<std::int32_t>(row.priority);
  set.demand = Resources(row.milli_vcores, row.memory_mib);
  for (std::size_t i = 0; i < std::size(row.more); ++i) {
    // A dimension that was never written stays cheap (core/resources.h).
    if (row.more[i] != 0) set.demand[own_dimensions + i] = row.more[i];
  }
  set.pending = static_cast<std::uint32_t>(row.pending);
  set.label = id<LabelId>(row.label);
  set.avoided = id<NodeId>(row.avoided);
  set.kind = static_cast<StageKind>(row.kind);
  set.relax_locality = row.relaxes_locality != 0;
  const auto read_places = [&](std::int64_t count, auto& list, auto make) {
    list.reserve(static_cast<std::size_t>(count));
    for (; count > 0; --count) {
      const PlaceRow& place = places_[next_place_++];
      list.push_back({make(place.place), static_cast<std::uint32_t>(place.count)});
    }
  };
  read_places(row.nodes, set.nodes, id<NodeId>);
  read_places(row.racks, set.racks, id<RackId>);
  return set;
}

AdjustPlaces ActionReader::read_adjustment() {
  const AdjustmentRow& row = adjustments_[next_adjustment_++];
  AdjustPlaces places;
  places.slot = static_cast<AskSlot>(row.slot);
  for (std::int64_t i = 0; i < row.nodes; ++i) {
    places.fewer_nodes.push_back(id<NodeId>(fewer_[next_fewer_++].number));
  }
  for (std::int64_t i = 0; i < row.racks; ++i) {
    places.fewer_racks.push_back(id<RackId>(fewer_[next_fewer_++].number));
  }
  return places;
}

LaunchTask ActionReader::read_launch() {
  const LaunchRow& row = launches_[next_launch_];
  LaunchTask task;
  task.container = id<ContainerId>(row.container);
  task.task = {static_cast<std::uint16_t>(row.stage), static_cast<std::uint32_t>(row.task)};
  task.attempt = static_cast<std::uint32_t>(row.attempt);
  task.locality = static_cast<Locality>(row.locality);
  task.waiting_since = trace_time(row.waiting_since);
  task.work = *to_task_work(work_[next_launch_]);
  task.is_held = row.is_held != 0;
  ++next_launch_;
  return task;
}

FinishApplication ActionReader::read_end() {
  const EndRow& row = ends_[next_end_++];
  FinishApplication end;
  end.outcome = static_cast<JobOutcome>(row.outcome);
  end.diagnostics = text_.substr(next_text_, static_cast<std::size_t>(row.text_bytes));
  next_text_ += static_cast<std::size_t>(row.text_bytes);
  return end;
}

}  // namespace tracebed::calls
