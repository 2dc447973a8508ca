// Decides a recorded run again, from its log alone, and compares.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace tracebed {

struct LogReplay {
  std::string recorded_digest;  // empty if the program that made the run was killed
  std::string digest;
  std::uint64_t rounds = 0;
  std::uint64_t jobs_ended = 0;
  // What the log lacks, in words, where it was cut off. Digests then say nothing.
  std::optional<std::string> loss;

  bool agrees() const { return !loss && digest == recorded_digest; }
};

// `run` is a run folder with its log. Nothing is written. Throws InputError for a folder that holds
// no run, no log or a damaged one, and for settings that this program does not know.
LogReplay replay_log(const std::filesystem::path& run);

}  // namespace tracebed
