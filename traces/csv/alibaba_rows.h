// The rows of one job of Alibaba's batch tables as a record of this process, for the sorter: the
// line of the first one and the job's name, then row after row. Rows are those of tasks
// (batch_task), and where it was read those of their instances (batch_instance).
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tracebed {

enum class AlibabaStatus : std::uint8_t { ready, waiting, running, terminated, failed, cancelled };

struct AlibabaTask {
  std::int64_t instances = 0;  // 0: not known
  std::int64_t start = 0;      // s
  std::int64_t end = 0;        // s; 0: none
  std::int64_t cpu = -1;       // hundredths of a vcore; negative: not known
  std::int64_t memory = -1;    // millionths of the format's unit; likewise
  AlibabaStatus status = AlibabaStatus::ready;

  std::int64_t duration() const { return end - start; }
  // A task that has not begun has 0 and 0.
  bool has_begun() const { return start != 0 || end != 0; }
  // What stands as the end of one that waits or runs is when its row was last modified
  // (alibaba/clusterdata, issues 5 and 27).
  bool has_ended() const {
    return duration() >= 0 &&
           (status == AlibabaStatus::terminated || status == AlibabaStatus::failed ||
            status == AlibabaStatus::cancelled);
  }
};

struct AlibabaRow {
  AlibabaTask task;
  std::string_view name;
};

// An instance that ended as Terminated.
struct AlibabaInstance {
  std::string_view task;
  std::int64_t start = 0;    // s
  std::int64_t end = 0;      // s, not before `start`
  std::int64_t cpu = -1;     // thousandths of a vcore that it used on average; negative: not known
  std::int64_t memory = -1;  // millionths of the format's unit that it used at most; likewise
};

struct AlibabaRows {
  std::int64_t line = 0;
  std::string_view job;
  std::string_view rows;
};

// The line of records of instances alone: they come behind all others of their job.
inline constexpr std::int64_t line_of_instances = std::numeric_limits<std::int64_t>::max();

// Makes `record` one without rows.
void begin_rows(std::int64_t line, std::string_view job, std::string& record);
void append_row(const AlibabaRow& row, std::string& record);
void append_row(const AlibabaInstance& instance, std::string& record);
// Their contents are valid as long as the record.
AlibabaRows read_rows(std::string_view record);
// Appends the rows to `tasks` and `instances`.
void append_rows(const AlibabaRows& of_job, std::vector<AlibabaRow>& tasks,
                 std::vector<AlibabaInstance>& instances);
// The first start among those that have begun; 0 if none has.
std::int64_t first_start(const std::vector<AlibabaRow>& rows);

}  // namespace tracebed
