#include "traces/histories/job_history.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <simdjson.h>

#include "traces/histories/avro_values.h"
#include "traces/json/json_fields.h"
#include "traces/json/json_lists.h"
#include "traces/parts/line_reader.h"
#include "traces/parts/trace_rows.h"

namespace tracebed {
namespace {

namespace dom = simdjson::dom;

constexpr std::int64_t milliseconds_max = trace_microseconds_max / 1000;
constexpr std::int64_t bytes_max = std::int64_t{1} << 60;

// A value of a union stands in an object, whose one field is named after its type.
dom::element out_of_union(dom::element value) {
  dom::object wrapped;
  if (value.get_object().get(wrapped) != simdjson::SUCCESS || wrapped.size() != 1) return value;
  const auto only = *wrapped.begin();
  const bool is_wrapped = only.key == "string" || only.key == "long" || only.key == "int" ||
                          only.key.find("jobhistory.") != std::string_view::npos;
  return is_wrapped ? only.value : value;
}

// Leaves `text` as it is where there is none; false, and reported, if it is something else.
bool read_text(const JsonFields& fields, const char* key, std::string& text) {
  if (!fields.has(key)) return true;
  const dom::element value = out_of_union(fields.object()[key].value_unsafe());
  std::string_view found;
  if (value.get_string().get(found) != simdjson::SUCCESS) {
    return value.is_null() || fields.bad(BadRow::text, key, "text", shown_json(value));
  }
  text = found;
  return true;
}

bool read_time(const JsonFields& fields, const char* key, std::int64_t& time) {
  std::int64_t told = -1;
  if (!fields.optional_whole(key, -1, milliseconds_max, told)) return false;
  // 0 is what Hadoop writes where it knows none.
  if (told > 0) time = told;
  return true;
}

std::string result_of(std::string_view status) {
  return status == "SUCCEEDED" ? "SUCCESS" : std::string(status);
}

std::vector<std::string> hosts_of(std::string_view list) {
  std::vector<std::string> hosts;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    const std::string host(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
    const bool is_new = std::find(hosts.begin(), hosts.end(), host) == hosts.end();
    if (!host.empty() && is_new) hosts.push_back(host);
  }
  return hosts;
}

void add_known(std::int64_t& sum, std::int64_t value) {
  sum = std::min(bytes_max, std::max<std::int64_t>(sum, 0) + value);
}

void take_counter(std::string_view name, std::int64_t value, HistoryAttempt& attempt) {
  if (name == "BYTES_READ") return add_known(attempt.split_bytes_read, value);
  if (name == "FILE_BYTES_READ") return add_known(attempt.local_bytes_read, value);
  if (name == "FILE_BYTES_WRITTEN") return add_known(attempt.local_bytes_written, value);
  if (name == "REDUCE_SHUFFLE_BYTES") return add_known(attempt.shuffle_bytes, value);
  if (name == "SPILLED_RECORDS") return add_known(attempt.spilled_records, value);
  if (name == "CPU_MILLISECONDS") return add_known(attempt.cpu_ms, value);
  if (name == "PHYSICAL_MEMORY_BYTES") return add_known(attempt.memory_bytes, value);
  // HDFS_BYTES_READ, S3A_BYTES_READ, …
  if (name.ends_with("_BYTES_READ")) return add_known(attempt.stored_bytes_read, value);
  if (name.ends_with("_BYTES_WRITTEN")) return add_known(attempt.stored_bytes_written, value);
}

// Which counters are wanted is told by their names alone: groups were renamed over the years.
bool read_counters(const JsonFields& fields, HistoryAttempt& attempt) {
  if (!fields.has("counters")) return true;
  dom::object counters;
  if (out_of_union(fields.object()["counters"].value_unsafe()).get_object().get(counters) !=
      simdjson::SUCCESS) {
    return fields.bad(BadRow::columns, "counters", "an object", "something else");
  }
  return each_object(JsonFields(counters, fields.place()), "groups", [&](const JsonFields& group) {
    return each_object(group, "counts", [&](const JsonFields& counter) {
      std::string name;
      std::int64_t value = 0;
      if (!counter.text("name", name) ||
          !counter.whole("value", std::numeric_limits<std::int64_t>::min(),
                         std::numeric_limits<std::int64_t>::max(), value)) {
        return false;
      }
      // Counters of memory have been seen below zero.
      if (value >= 0) take_counter(name, std::min(value, bytes_max), attempt);
      return true;
    });
  });
}

class HistoryReader {
 public:
  HistoryReader(const std::string& path, std::unique_ptr<ByteSource> bytes,
                std::size_t event_bytes_max)
      : path_(path),
        event_bytes_max_(event_bytes_max),
        lines_(path, std::move(bytes), event_bytes_max),
        bad_(path, true) {}

  Result<JobHistory> read() {
    if (!read_head()) return failure();
    if (schema_) {
      read_values();
    } else {
      read_lines();
    }
    if (bad_.total() > 0) return failure();
    if (job_.id.empty() || job_.submit < 0) return incomplete("the submission of the job");
    if (job_.outcome.empty())
      return incomplete("the end of the job (still running, or the file is truncated)");
    return std::move(job_);
  }

 private:
  using Handler = bool (HistoryReader::*)(const JsonFields&);
  struct Kind {
    std::string_view name;
    Handler handler;
  };

  Error failure() const {
    for (std::size_t i = 0; i < bad_row_reasons; ++i) {
      const BadRows::Reason& reason = bad_.reason(static_cast<BadRow>(i));
      if (reason.rows > 0) return Error{reason.first_message};
    }
    return Error{path_ + ": not readable"};
  }
  Error incomplete(std::string_view what) const {
    return Error{fmt::format("{}: expected an event with {}, got none", path_, what)};
  }

  bool bad(BadRow reason, std::string_view expected, std::string_view got) {
    bad_.add(reason, lines_.line_number(), place_, expected, got);
    return false;
  }

  void read_lines() {
    for (std::string_view line; next_line(line);) {
      if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
      if (!read_event(line)) return;
    }
  }
  void read_values() {
    AvroValues values(std::move(*schema_), std::move(lines_).take_bytes(), event_bytes_max_);
    for (std::string event;;) {
      const AvroValues::Outcome outcome = values.next(event);
      place_ = fmt::format("event {}", values.number());
      if (outcome == AvroValues::Outcome::end) return;
      if (outcome == AvroValues::Outcome::defect) {
        bad(BadRow::cut_off, "events in Avro's binary encoding", values.defect());
        return;
      }
      if (!read_event(event)) return;
    }
  }

  bool next_line(std::string_view& line) {
    switch (lines_.next(line)) {
      case LineReader::Outcome::line:
        return true;
      case LineReader::Outcome::too_long:
        return bad(BadRow::line_too_long, fmt::format("at most {} bytes", event_bytes_max_),
                   "a longer one");
      case LineReader::Outcome::defect:
        return bad(BadRow::cut_off, "a whole file", lines_.defect());
      case LineReader::Outcome::end:
        break;
    }
    return false;
  }

  bool read_head() {
    std::string_view line;
    if (!next_line(line)) return bad(BadRow::columns, "Avro-Json", "an empty file");
    const bool is_binary = line == "Avro-Binary";
    if (!is_binary && line != "Avro-Json") {
      return bad(BadRow::text, "Avro-Json or Avro-Binary, as MapReduce's histories begin",
                 shown(line));
    }
    dom::element schema;
    std::string_view name;
    if (!next_line(line) || parser_.parse(line.data(), line.size()).get(schema) ||
        schema["name"].get_string().get(name) != simdjson::SUCCESS || name != "Event") {
      return bad(BadRow::not_json, "the schema of an Event", "something else");
    }
    if (!is_binary) return true;
    Result<AvroSchema> parsed = parse_avro_schema(line);
    if (!parsed) return bad(BadRow::columns, "an Avro schema", parsed.error().message);
    schema_ = std::move(*parsed);
    return true;
  }

  bool read_event(std::string_view event_text) {
    dom::element root;
    if (const auto error = parser_.parse(event_text.data(), event_text.size()).get(root)) {
      return bad(BadRow::not_json, "an event as a JSON object", simdjson::error_message(error));
    }
    std::string_view type;
    dom::object event;
    dom::object record;
    if (root["type"].get_string().get(type) != simdjson::SUCCESS ||
        root["event"].get_object().get(event) != simdjson::SUCCESS || event.size() != 1 ||
        (*event.begin()).value.get_object().get(record) != simdjson::SUCCESS) {
      return bad(BadRow::columns, "a type, and an event with one record", "something else");
    }
    const JsonPlace place{bad_, lines_.line_number(), fmt::format("{}, {}", place_, type)};
    return dispatch(type, JsonFields(record, place));
  }

  bool dispatch(std::string_view type, const JsonFields& fields);

  bool job_submitted(const JsonFields& fields) {
    return fields.text("jobid", job_.id) && read_text(fields, "jobName", job_.name) &&
           read_text(fields, "userName", job_.user) &&
           read_text(fields, "jobQueueName", job_.queue) &&
           read_time(fields, "submitTime", job_.submit);
  }
  bool job_inited(const JsonFields& fields) { return read_time(fields, "launchTime", job_.launch); }
  bool job_info(const JsonFields& fields) {
    return read_time(fields, "submitTime", job_.submit) &&
           read_time(fields, "launchTime", job_.launch);
  }
  bool job_priority(const JsonFields& fields) {
    return read_text(fields, "priority", job_.priority);
  }
  bool job_queue(const JsonFields& fields) { return read_text(fields, "jobQueueName", job_.queue); }
  bool job_finished(const JsonFields& fields) {
    job_.outcome = "SUCCESS";
    return read_time(fields, "finishTime", job_.finish);
  }
  bool job_unsuccessful(const JsonFields& fields) {
    std::string status;
    if (!read_text(fields, "jobStatus", status)) return false;
    job_.outcome = status == "KILLED" ? "KILLED" : "FAILED";
    return read_time(fields, "finishTime", job_.finish);
  }

  HistoryTask* task_of(const JsonFields& fields) {
    std::string id;
    if (!fields.text("taskid", id)) return nullptr;
    HistoryTask& task = job_.tasks[id];
    return read_text(fields, "taskType", task.type) ? &task : nullptr;
  }
  HistoryAttempt* attempt_of(const JsonFields& fields) {
    HistoryTask* const task = task_of(fields);
    std::string id;
    if (task == nullptr || !fields.text("attemptId", id)) return nullptr;
    return &task->attempts[id];
  }
  bool task_started(const JsonFields& fields) {
    HistoryTask* const task = task_of(fields);
    std::string hosts;
    if (task == nullptr || !read_text(fields, "splitLocations", hosts)) return false;
    task->split_hosts = hosts_of(hosts);
    return read_time(fields, "startTime", task->start);
  }
  bool task_ended(const JsonFields& fields) {
    HistoryTask* const task = task_of(fields);
    std::string status;
    if (task == nullptr || !read_text(fields, "status", status)) return false;
    task->status = result_of(status);
    return read_time(fields, "finishTime", task->finish);
  }
  bool attempt_started(const JsonFields& fields) {
    HistoryAttempt* const attempt = attempt_of(fields);
    return attempt != nullptr && read_text(fields, "trackerName", attempt->host) &&
           read_time(fields, "startTime", attempt->start);
  }
  // Of all kinds of ends; a field that a kind does not have stays unknown.
  bool attempt_ended(const JsonFields& fields) {
    HistoryAttempt* const attempt = attempt_of(fields);
    std::string status;
    if (attempt == nullptr ||
        !read_text(fields, fields.has("taskStatus") ? "taskStatus" : "status", status)) {
      return false;
    }
    attempt->result = result_of(status);
    if (attempt->result != "SUCCESS" && attempt->result != "FAILED" &&
        attempt->result != "KILLED") {
      return fields.bad(BadRow::text, "status", "SUCCEEDED, FAILED or KILLED", shown(status));
    }
    if (!read_text(fields, "hostname", attempt->host) ||
        !read_text(fields, "rackname", attempt->rack) ||
        !read_time(fields, "finishTime", attempt->finish) ||
        !read_time(fields, "shuffleFinishTime", attempt->shuffle_finish) ||
        !read_time(fields, "sortFinishTime", attempt->sort_finish)) {
      return false;
    }
    if (attempt->rack.starts_with('/')) attempt->rack.erase(0, 1);
    return read_counters(fields, *attempt);
  }

  std::string path_;
  std::size_t event_bytes_max_;
  LineReader lines_;
  std::optional<AvroSchema> schema_;  // of a binary history
  std::string place_ = "line";
  BadRows bad_;
  dom::parser parser_;
  JobHistory job_;
};

bool HistoryReader::dispatch(std::string_view type, const JsonFields& fields) {
  static constexpr std::array<Kind, 14> kinds = {{
      {"JOB_SUBMITTED", &HistoryReader::job_submitted},
      {"JOB_INITED", &HistoryReader::job_inited},
      {"JOB_INFO_CHANGED", &HistoryReader::job_info},
      {"JOB_PRIORITY_CHANGED", &HistoryReader::job_priority},
      {"JOB_QUEUE_CHANGED", &HistoryReader::job_queue},
      {"JOB_FINISHED", &HistoryReader::job_finished},
      {"JOB_FAILED", &HistoryReader::job_unsuccessful},
      {"JOB_KILLED", &HistoryReader::job_unsuccessful},
      {"JOB_ERROR", &HistoryReader::job_unsuccessful},
      {"TASK_STARTED", &HistoryReader::task_started},
      {"TASK_FINISHED", &HistoryReader::task_ended},
      {"TASK_FAILED", &HistoryReader::task_ended},
      // Of maps, reduces, set-up and clean-up.
      {"_ATTEMPT_STARTED", &HistoryReader::attempt_started},
      {"_ATTEMPT_", &HistoryReader::attempt_ended},
  }};
  for (const Kind& kind : kinds) {
    const bool is_it = kind.name.starts_with('_') ? type.find(kind.name) != std::string_view::npos
                                                  : type == kind.name;
    if (is_it) return (this->*kind.handler)(fields);
  }
  ++job_.other_events;
  return true;
}

}  // namespace

Result<JobHistory> read_job_history(const std::string& path) {
  return read_job_history(path, open_file(path));
}

Result<JobHistory> read_job_history(const std::string& path, std::unique_ptr<ByteSource> bytes,
                                    std::size_t event_bytes_max) {
  return HistoryReader(path, decompressed(std::move(bytes)), event_bytes_max).read();
}

}  // namespace tracebed
