// A job from MapReduce's own history file (.jhist, which the application master writes and the
// history server keeps): the line "Avro-Json", a line with the Avro schema, and an event a line in
// Avro's JSON encoding, {"type": KIND, "event": {RECORD: {…}}} (Hadoop: EventWriter.java and
// Events.avpr, 0.23 to 3). A value that may be null is written as {"string": "x"} there. Or the
// line "Avro-Binary", and events in Avro's binary encoding after the schema: Hadoop 3's default
// (mapreduce.jobhistory.jhist.format).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/result.h"
#include "traces/parts/byte_source.h"

namespace tracebed {

// Times are milliseconds since 1970. −1 and an empty text: not in the history.
struct HistoryAttempt {
  std::string result;  // SUCCESS, FAILED or KILLED
  std::string host;
  std::string rack;  // without its first slash
  std::int64_t start = -1;
  std::int64_t finish = -1;
  std::int64_t shuffle_finish = -1;
  std::int64_t sort_finish = -1;
  // Counters.
  std::int64_t split_bytes_read = -1;   // by the input format
  std::int64_t stored_bytes_read = -1;  // of all file systems but the local one
  std::int64_t stored_bytes_written = -1;
  std::int64_t local_bytes_read = -1;
  std::int64_t local_bytes_written = -1;
  std::int64_t shuffle_bytes = -1;
  std::int64_t spilled_records = -1;
  std::int64_t cpu_ms = -1;
  std::int64_t memory_bytes = -1;
};

struct HistoryTask {
  std::string type;    // MAP, REDUCE, or another, which only readies or tidies
  std::string status;  // SUCCESS, FAILED or KILLED
  std::int64_t start = -1;
  std::int64_t finish = -1;
  std::vector<std::string> split_hosts;
  std::map<std::string, HistoryAttempt> attempts;  // by id
};

struct JobHistory {
  std::string id;
  std::string name;
  std::string user;
  std::string queue;
  std::string priority = "NORMAL";
  std::string outcome;  // SUCCESS, FAILED or KILLED
  std::int64_t submit = -1;
  std::int64_t launch = -1;
  std::int64_t finish = -1;
  std::map<std::string, HistoryTask> tasks;  // by id
  std::uint64_t other_events = 0;            // of kinds without any of the above
};

// The error names the defect and its line: another format, a line that is not an event, an
// impossible time, a job without begin or end. Throws InputError if the file cannot be opened.
Result<JobHistory> read_job_history(const std::string& path);
// The same, of bytes that messages call `path`. The schema and each event are at most this long.
inline constexpr std::size_t history_event_bytes_max = std::size_t{4} << 20;
Result<JobHistory> read_job_history(const std::string& path, std::unique_ptr<ByteSource> bytes,
                                    std::size_t event_bytes_max = history_event_bytes_max);

}  // namespace tracebed
