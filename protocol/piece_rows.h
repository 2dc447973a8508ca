// The packed rows of a piece (protocol/log.fbs), which make up most of a log. Times and durations
// are trace microseconds. Private to the round codec.
#pragma once

#include <cstdint>
#include <vector>

#include "core/result.h"
#include "core/task_account.h"
#include "protocol/action_columns.h"
#include "protocol/storage_columns.h"

namespace tracebed::log {

namespace fb {
struct Piece;
}

struct RoundRow {
  std::int64_t time = 0;
  std::int64_t arrivals = 0;  // how many of `kinds` belong to the round
};

struct RigidJobRow {
  std::int64_t id = 0;
  std::int64_t submit = 0;
  std::int64_t requested_time = 0;
  std::int64_t duration = 0;
  std::int64_t cpu_time = 0;
  std::int64_t milli_vcores = 0;
  std::int64_t memory_mib = 0;
  std::int64_t work_memory_mib = 0;
  std::int64_t user = 0;
  std::int64_t queue = 0;
  std::int64_t priority = 0;
  std::int64_t tasks = 0;
  std::int64_t name_bytes = 0;
};

// Of a job in the column of those submitted that has a deadline.
struct DeadlineRow {
  std::int64_t job = 0;       // its position there; ascending
  std::int64_t deadline = 0;  // after its submission
};

struct ContainerDoneRow {
  std::int64_t container = 0;
  std::int64_t node = 0;
  std::int64_t started = 0;
  std::int64_t ended = 0;
  std::int64_t cpu_time = 0;
  std::int64_t memory_peak_mib = 0;
};

struct GangDoneRow {
  std::int64_t first = 0;  // container
  std::int64_t containers = 0;
  std::int64_t started = 0;
  std::int64_t ended = 0;
  // Of one task.
  std::int64_t cpu_time = 0;
  std::int64_t memory_peak_mib = 0;
  std::int64_t bytes_read = 0;
  std::int64_t bytes_written = 0;
};

struct MasterCallRow {
  std::int64_t application = 0;
  std::int64_t attempt = 0;
  std::int64_t sequence = 0;
  std::int64_t kind = 0;
  std::int64_t actions = 0;  // how many of the piece's
};

// Of a container in the column of those that ended, what its task moved.
struct TaskAccountRow {
  std::int64_t ended = 0;  // its position there; ascending
  TaskAccount account;
};

struct AdministratorCommandRow {
  std::int64_t kind = 0;
  std::int64_t container = 0;
  std::int64_t node = 0;
  std::int64_t grace = 0;
};

struct AttemptProgressRow {
  std::int64_t container = 0;
  std::int64_t progress = 0;  // millionths
};

struct DecisionMadeRow {
  std::int64_t scheduler = 0;
  std::int64_t decision = 0;
};

struct PieceRows {
  std::vector<RoundRow> rounds;
  std::vector<RigidJobRow> rigid_jobs;
  std::vector<ContainerDoneRow> containers_done;
  std::vector<GangDoneRow> gangs_done;
  std::vector<MasterCallRow> master_calls;
  std::vector<AdministratorCommandRow> administrator_commands;
  std::vector<TaskAccountRow> task_accounts;
  std::vector<AttemptProgressRow> progress_reports;
  std::vector<DeadlineRow> deadlines;
  std::vector<DecisionMadeRow> decisions_made;
  calls::ActionReader actions;
  StorageInputReader storage;
};

// Fills the rows, which are empty, with those of the piece's packed columns, whose numbers are not
// looked at. The error completes the sentence "the piece should have …".
Status unpack(const fb::Piece& piece, PieceRows& rows);

}  // namespace tracebed::log
