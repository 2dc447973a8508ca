#include "coordinator/api/run_state.h"

#include <algorithm>

#include "coordinator/api/control_client.h"
#include "coordinator/api/control_conversions.h"
#include "core/check.h"

namespace tracebed {
namespace {

// The one place that maps states to what leaves the program.
struct Row {
  std::string_view name;         // in JSON, and for people
  control::RunState::type wire;  // in Thrift
};
constexpr std::array<Row, run_states.size()> rows = {{
    {"waiting", control::RunState::WAITING},
    {"running", control::RunState::RUNNING},
    {"finished", control::RunState::FINISHED},
    {"failed", control::RunState::FAILED},
    {"cancelled", control::RunState::CANCELLED},
}};

}  // namespace

std::size_t index_of(RunState state) {
  const auto* const found = std::find(run_states.begin(), run_states.end(), state);
  TRACEBED_CHECK(found != run_states.end(), "a submitted run is in one of the listed states");
  return static_cast<std::size_t>(found - run_states.begin());
}

std::string_view name(RunState state) {
  return rows[index_of(state)].name;
}

std::optional<RunState> run_state_of(std::string_view name) {
  const auto* const found =
      std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.name == name; });
  if (found == rows.end()) return std::nullopt;
  return run_states[static_cast<std::size_t>(found - rows.begin())];
}

control::RunState::type to_wire(RunState state) {
  return rows[index_of(state)].wire;
}

std::string_view name(control::RunState::type state) {
  const auto* const found =
      std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.wire == state; });
  return found == rows.end() ? "unknown" : found->name;  // from a newer coordinator
}

}  // namespace tracebed
