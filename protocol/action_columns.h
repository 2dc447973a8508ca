// Masters' actions (core/master_calls.h) to and from the columns of protocol/calls.fbs, for the
// round log. Private to this room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <flatbuffers/flatbuffers.h>
#include <string>
#include <vector>

#include "core/master_calls.h"
#include "core/result.h"
#include "core/task_work.h"
#include "protocol/packed_rows.h"

namespace tracebed::calls {

namespace fb {
struct Actions;  // of flatc's output, which only this room's sources include
}

struct AskRow {
  std::int64_t milli_vcores = 0;
  std::int64_t memory_mib = 0;
  std::int64_t more[6] = {};  // the other dimensions
  std::int64_t slot = 0;
  std::int64_t priority = 0;
  std::int64_t pending = 0;
  std::int64_t label = 0;
  std::int64_t avoided = 0;
  std::int64_t nodes = 0;  // how many of the places
  std::int64_t racks = 0;
  std::int64_t kind = 0;
  std::int64_t relaxes_locality = 0;
};
struct PlaceRow {
  std::int64_t place = 0;
  std::int64_t count = 0;
};
struct AdjustmentRow {
  std::int64_t slot = 0;
  std::int64_t nodes = 0;
  std::int64_t racks = 0;
};
struct NumberRow {
  std::int64_t number = 0;
};
struct LaunchRow {
  std::int64_t container = 0;
  std::int64_t stage = 0;
  std::int64_t task = 0;
  std::int64_t attempt = 0;
  std::int64_t locality = 0;
  std::int64_t waiting_since = 0;
  std::int64_t is_held = 0;
};
struct EndRow {
  std::int64_t outcome = 0;
  std::int64_t text_bytes = 0;
};

// These numbers are stored in logs and must not change.
enum ActionKind : std::uint8_t {
  ask_kind,
  adjust_kind,
  close_kind,
  launch_kind,
  continue_kind,
  release_kind,
  kill_kind,
  finish_kind,
  checkpoint_kind,
  launch_beside_kind,  // a launch that has a row of `besides_`, too
};
inline constexpr std::size_t action_kinds = 10;
inline constexpr std::size_t own_dimensions = 2;  // those before AskRow::more

// Gathers actions. HeartbeatAt and LaunchMasterProcess are none that a master sends.
class ActionWriter {
 public:
  void add(const MasterAction& action);
  std::size_t bytes() const;
  bool is_empty() const { return kinds_.empty(); }
  flatbuffers::Offset<fb::Actions> finish(flatbuffers::FlatBufferBuilder& builder) const;
  void clear();

 private:
  void add_ask(const SetAsk& set);
  void add_launch(const LaunchTask& task);

  std::vector<std::uint8_t> kinds_;
  log::RowPacker<AskRow> asks_;
  log::RowPacker<PlaceRow> places_;
  log::RowPacker<AdjustmentRow> adjustments_;
  log::RowPacker<NumberRow> fewer_;
  log::RowPacker<NumberRow> closed_;
  log::RowPacker<LaunchRow> launches_;
  log::RowPacker<TaskWorkNumbers> work_;  // of launches
  log::RowPacker<NumberRow> besides_;     // of launches, too
  log::RowPacker<NumberRow> containers_;
  log::RowPacker<EndRow> ends_;
  std::vector<std::uint8_t> text_;
};

// Hands out actions in the order in which they were written.
class ActionReader {
 public:
  // Verifies everything: rows, counts, ranges of every number. Fails with words that complete "…
  // should have", and holds nothing usable then.
  Status load(const fb::Actions& actions);
  std::size_t left() const { return kinds_.size() - next_kind_; }
  // Appends the next `count` actions, at most as many as are left.
  void take(std::size_t count, MasterActions& actions);

 private:
  Status verify() const;
  MasterAction read(std::uint8_t kind);
  SetAsk read_ask();
  AdjustPlaces read_adjustment();
  LaunchTask read_launch();
  FinishApplication read_end();
  ContainerId read_container();

  std::vector<std::uint8_t> kinds_;
  std::vector<AskRow> asks_;
  std::vector<PlaceRow> places_;
  std::vector<AdjustmentRow> adjustments_;
  std::vector<NumberRow> fewer_;
  std::vector<NumberRow> closed_;
  std::vector<LaunchRow> launches_;
  std::vector<TaskWorkNumbers> work_;
  std::vector<NumberRow> besides_;
  std::vector<NumberRow> containers_;
  std::vector<EndRow> ends_;
  std::string text_;
  std::size_t next_kind_ = 0, next_ask_ = 0, next_place_ = 0, next_adjustment_ = 0;
  std::size_t next_fewer_ = 0, next_closed_ = 0, next_launch_ = 0, next_container_ = 0;
  std::size_t next_end_ = 0, next_text_ = 0, next_beside_ = 0;
};

}  // namespace tracebed::calls
