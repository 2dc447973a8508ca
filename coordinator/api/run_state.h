// Where a submitted run is: it waits, is running, or ended in one of the ways of RunOutcome
// (complete, failed or cancelled).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/outcomes.h"

namespace tracebed {

class RunState {
 public:
  static const RunState waiting;
  static const RunState running;
  // A run that ended is in the state of its outcome.
  constexpr RunState(RunOutcome outcome) : phase_(Phase::ended), outcome_(outcome) {}

  constexpr bool has_ended() const { return phase_ == Phase::ended; }
  // None before it ended.
  constexpr std::optional<RunOutcome> outcome() const {
    return has_ended() ? std::optional(outcome_) : std::nullopt;
  }

  bool operator==(const RunState&) const = default;

 private:
  enum class Phase : std::uint8_t { waiting, running, ended };
  constexpr explicit RunState(Phase phase) : phase_(phase) {}

  Phase phase_;
  RunOutcome outcome_ = RunOutcome::complete;
};

inline constexpr RunState RunState::waiting{Phase::waiting};
inline constexpr RunState RunState::running{Phase::running};

// All states, in the order of their numbers in protocol/control.thrift.
inline constexpr std::array<RunState, 5> run_states = {RunState::waiting, RunState::running,
                                                       RunOutcome::complete, RunOutcome::failed,
                                                       RunOutcome::cancelled};
// The state's position in `run_states`.
std::size_t index_of(RunState state);

// As state.json, metrics and messages name it: "finished" is a run that is complete.
std::string_view name(RunState state);
// None if no state has that name.
std::optional<RunState> run_state_of(std::string_view name);

}  // namespace tracebed
