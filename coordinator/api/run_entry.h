// What the coordinator knows of a submitted run, and the file in its folder that keeps it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "coordinator/runner/run_observer.h"

namespace tracebed {

enum class RunState : std::uint8_t { waiting, running, finished, failed, cancelled };
std::string_view name(RunState state);

constexpr bool has_ended(RunState state) {
  return state != RunState::waiting && state != RunState::running;
}

struct RunEntry {
  std::int64_t id = 0;  // from 1, in order of submission
  std::string name;
  RunState state = RunState::waiting;
  std::string message;  // why it failed
  std::filesystem::path folder;
  std::int64_t submitted_at = 0;        // seconds since 1970, UTC; as are the next two
  std::int64_t started_at = 0;          // 0: not yet
  std::int64_t ended_at = 0;            // 0: not yet
  std::optional<RunProgress> progress;  // of a running one; not kept in the file
  // What became of wanted changes: was it taken, and a sentence; not kept in the file.
  std::vector<std::pair<bool, std::string>> changes;
  std::vector<std::string> warnings;  // each once, a hundred at most; not kept in the file
  std::size_t ahead = 0;  // runs that come before a waiting one, as of when it was asked for
};

// Writes the entry to state.json in its folder, replacing it in one step. Throws EnvironmentError.
void save_entry(const RunEntry& entry);

// The entry of a folder written by save_entry; none if it has no readable state.json.
std::optional<RunEntry> load_entry(const std::filesystem::path& folder);

}  // namespace tracebed
