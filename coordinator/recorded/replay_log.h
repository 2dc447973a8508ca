// Decides a recorded run again, from its log alone, and compares digest and rows.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "coordinator/recorded/decision_difference.h"
#include "coordinator/recorded/recorded_rows.h"
#include "report/byte_output.h"
#include "schedulers/registry.h"

namespace tracebed {

struct LogReplay {
  std::string recorded_digest;  // empty if the program that made the run was killed
  std::string digest;           // of what was decided now
  // The first decision that differs, as far as rows show; nothing was decided again after its
  // round.
  std::optional<DecisionDifference> difference;
  std::uint64_t rounds = 0;
  std::uint64_t jobs_ended = 0;
  // What the log lacks, in words, if it was cut off. Then digests cannot be compared.
  std::optional<std::string> loss;
  // The first row that differs, of each CSV file that follows from the log (all but queues.csv).
  // For a run that failed or whose program was killed, in which neither file nor log need be whole,
  // the rows that both have are compared.
  std::vector<RowDifference> row_differences;
  bool has_end = false;        // of the record: the program that made the run was not killed
  bool has_task_rows = false;  // of the run's folder: they were compared

  bool agrees() const {
    return !loss && !difference && digest == recorded_digest && row_differences.empty();
  }
};

// `run` is a run folder with its log. Nothing is written. Throws InputError for a folder that holds
// no run, no log or a damaged one, or a file that is not what run.json lists, and for settings that
// are unknown to this program.
// `task_rows`, unless it is null, gets the rows of tasks.csv as they are decided, as the run wrote
// them or would have; what it has of a run that does not agree is worth nothing.
LogReplay replay_log(const std::filesystem::path& run, const SchedulerRegistry& schedulers,
                     std::unique_ptr<ByteOutput> task_rows = nullptr);

}  // namespace tracebed
