// The tables of Google's cluster-usage trace of 2011 (clusterdata-2011-2): each in one or several
// files, gzipped or not, without a header. Rows of a file are in the order of time; the files of a
// table are merged by it.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "traces/csv/csv_rows.h"
#include "traces/parts/text_lines.h"
#include "traces/parts/trace_options.h"

namespace tracebed {

// 600 s before the first event, and the time of what existed before the trace: 0.
inline constexpr std::int64_t google_before_trace = 0;
// The time of what happened after the trace.
inline constexpr std::int64_t google_after_trace = INT64_MAX;

enum class GoogleEvent : std::uint8_t {
  submit,
  schedule,
  evict,
  fail,
  finish,
  kill,
  lost,
  update_pending,
  update_running,
};
inline constexpr std::size_t google_events =
    static_cast<std::size_t>(GoogleEvent::update_running) + 1;
std::string_view name(GoogleEvent event);

inline constexpr std::array<std::string_view, 8> google_job_columns = {
    "time", "missing info", "job", "event", "user", "scheduling class", "job name", "logical name"};
inline constexpr std::array<std::string_view, 13> google_task_columns = {"time",
                                                                         "missing info",
                                                                         "job",
                                                                         "task index",
                                                                         "machine",
                                                                         "event",
                                                                         "user",
                                                                         "scheduling class",
                                                                         "priority",
                                                                         "CPU request",
                                                                         "memory request",
                                                                         "disk request",
                                                                         "different machines"};
inline constexpr std::array<std::string_view, 6> google_machine_columns = {
    "time", "machine", "event", "platform", "CPUs", "memory"};

// Where the tables are: a folder with one folder for each, or one file of task_events.
struct GoogleFiles {
  std::vector<std::filesystem::path> tasks;  // in the order of their names
  std::vector<std::filesystem::path> jobs;
};
// Throws InputError if the folder has no task_events.
GoogleFiles find_google_files(const std::filesystem::path& path);
// The files `name`/part-* in `folder`, in the order of their names.
std::vector<std::filesystem::path> google_parts(const std::filesystem::path& folder,
                                                std::string_view name);

// The rows of one table in the order of time (column 1): of files whose times overlap, merged; of
// others, one after the other, so that few are open at once.
class GoogleTable {
 public:
  // `columns` and `bad_rows` outlive this.
  GoogleTable(std::vector<std::filesystem::path> files, std::span<const std::string_view> columns,
              const TraceOptions& options, BadRows& bad_rows);
  // One file that is already open.
  GoogleTable(LineReader lines, std::span<const std::string_view> columns,
              const TraceOptions& options, BadRows& bad_rows);
  ~GoogleTable();

  // The next row and its time; false at the end. A row earlier than the one above it is bad, unless
  // the rule trace.order takes rows in any order: then they come in file order.
  bool next();
  CsvRow& row();
  std::int64_t time() const { return time_; }

  std::uint64_t text_bytes() const;
  std::uint64_t header_rows() const;
  std::uint64_t blank_lines() const;
  std::string_view compression() const { return compression_; }

 private:
  class Part;

  // Opens files that may have rows up to the time of the current next row.
  void open_due();
  void close_front();

  std::span<const std::string_view> columns_;
  RowOrder order_;
  BadRows& bad_rows_;
  std::size_t line_bytes_max_ = LineReader::default_line_bytes_max;
  InputWitness* witness_ = nullptr;
  struct Waiting {
    std::int64_t first_time = 0;
    std::filesystem::path path;
  };
  std::vector<Waiting> waiting_;              // by (first time, path), the next one last
  std::vector<std::unique_ptr<Part>> parts_;  // open ones; the next row is the front's
  bool has_taken_ = false;
  std::int64_t time_ = 0;
  std::uint64_t closed_bytes_ = 0;
  std::uint64_t closed_header_rows_ = 0;
  std::uint64_t closed_blank_lines_ = 0;
  std::string_view compression_ = "none";
};

}  // namespace tracebed
