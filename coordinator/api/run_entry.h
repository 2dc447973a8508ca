// The coordinator's record of a submitted run, and the file in its folder that stores it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "coordinator/api/run_state.h"
#include "coordinator/monitoring/run_observer.h"
#include "core/exit_codes.h"

namespace tracebed {

// The outcome of a requested change.
struct RunChange {
  std::int64_t number = 0;  // from 1, in order of arrival
  std::int64_t at = 0;      // seconds since 1970, UTC
  TraceTime trace_at{};
  bool was_taken = false;
  std::string text;  // a sentence
  // The number of the request in its run; 0: nobody requested it. Not kept in the file.
  std::int64_t request = 0;
};

struct RunEntry {
  // Of each run the latest changes and the first warnings are kept.
  static constexpr std::size_t changes_max = 100;
  static constexpr std::size_t warnings_max = 100;
  // Longer texts are truncated: of changes and warnings, and of the message.
  static constexpr std::size_t text_bytes_max = 2'000;

  std::int64_t id = 0;  // from 1, in order of submission
  std::string name;
  RunState state = RunState::waiting;
  std::string message;  // why it failed
  // As `tracebed run` would have ended here; success unless it failed.
  ExitCode exit_code = ExitCode::success;
  std::filesystem::path folder;
  std::int64_t submitted_at = 0;        // seconds since 1970, UTC; as are the next two
  std::int64_t started_at = 0;          // 0: not yet
  std::int64_t ended_at = 0;            // 0: not yet
  std::optional<RunProgress> progress;  // of a running one; not kept in the file
  std::vector<RunChange> changes;       // oldest first
  std::int64_t changes_made = 0;        // the number of the latest
  std::vector<std::string> warnings;    // each once
  std::size_t ahead = 0;                // runs before a waiting one, at the time of the query
  std::string waits_for;  // why a waiting one could not begin even if it were the next
};

std::int64_t seconds_since_1970();

// Changes and warnings, which may be large, and are in its file.
void forget_details(RunEntry& entry);

// A line for the journal: submission, begin, end or failure.
void log_state(const RunEntry& entry);

// `text`, or as much of it as fits into `bytes_max` with an ellipsis; no UTF-8 character is cut in
// two.
std::string clipped(std::string_view text, std::size_t bytes_max = RunEntry::text_bytes_max);

// The file in a run's folder; a folder without it never was a run's, or is not one yet.
inline constexpr const char* run_state_file = "state.json";

// Writes the entry to its folder, replacing the previous one atomically; when this returns it is on
// disk. Throws EnvironmentError.
void save_entry(const RunEntry& entry);

// The entry of a folder written by save_entry; none if it has no readable state.json.
std::optional<RunEntry> load_entry(const std::filesystem::path& folder);

}  // namespace tracebed
