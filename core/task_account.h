// The bytes that one attempt at a task moved, as its process counted them, or as they were
// modelled. Process, launcher, agent, fleet and log carry it as a whole to the rows of the run.
//
// A new field is named here, where a process and a model count it, and where a figure is made of
// it. Messages, logs and the columns of tasks.csv are made of the list below; protocol/wire.fbs has
// its length.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

#include "core/read_bytes.h"

namespace tracebed {

// Whole numbers of 64 bits only (checked).
struct TaskAccount {
  ReadBytes input;           // from the run's storage
  std::int64_t output = 0;   // to it, each byte once
  ReadBytes shuffled;        // fetched from tasks of earlier stages
  std::int64_t spilled = 0;  // what it could not sort at once, and put aside on its machine

  // Of one task: becomes the sum over `count` tasks that are equal to it.
  TaskAccount& operator*=(std::int64_t count);

  bool operator==(const TaskAccount&) const = default;
};

// ---- the list of fields ----

struct TaskAccountField {
  std::string_view name;  // of the column in tasks.csv, in bytes
  std::string_view meaning;
};

// In the order of the numbers of TaskAccount, in which they are encoded: a new one comes last, so
// that older logs can be read.
inline constexpr std::array task_account_fields = {
    TaskAccountField{"bytes_node_local",
                     "of bytes_read, what was read from the run's storage, from a replica on its "
                     "own node"},
    TaskAccountField{"bytes_rack_local", "likewise, on another node of its rack"},
    TaskAccountField{"bytes_off_rack", "likewise, on a node of another rack"},
    TaskAccountField{"bytes_output",
                     "bytes that it wrote to files of the run's storage, whatever their "
                     "replication"},
    TaskAccountField{"bytes_shuffle_node_local",
                     "of bytes_read, what it fetched from tasks of earlier stages, from its own "
                     "node"},
    TaskAccountField{"bytes_shuffle_rack_local", "likewise, from other nodes of its rack"},
    TaskAccountField{"bytes_shuffle_off_rack", "likewise, from nodes of other racks"},
    TaskAccountField{"bytes_spilled",
                     "what it could not sort at once: written to the disk of its node, and read "
                     "again"},
};

using TaskAccountNumbers = std::array<std::int64_t, task_account_fields.size()>;
static_assert(sizeof(TaskAccount) == sizeof(TaskAccountNumbers),
              "each number of a task's account is in the list once");

inline TaskAccountNumbers to_numbers(const TaskAccount& account) {
  return std::bit_cast<TaskAccountNumbers>(account);
}
inline TaskAccount to_task_account(const TaskAccountNumbers& numbers) {
  return std::bit_cast<TaskAccount>(numbers);
}

// Whether a process may have counted this.
inline bool is_possible(const TaskAccount& account) {
  const TaskAccountNumbers numbers = to_numbers(account);
  return std::all_of(numbers.begin(), numbers.end(), [](std::int64_t bytes) { return bytes >= 0; });
}

inline TaskAccount& TaskAccount::operator*=(std::int64_t count) {
  TaskAccountNumbers numbers = to_numbers(*this);
  for (std::int64_t& bytes : numbers) bytes *= count;
  return *this = to_task_account(numbers);
}

}  // namespace tracebed
