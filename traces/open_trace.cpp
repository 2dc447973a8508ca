#include "traces/open_trace.h"

#include <filesystem>
#include <fmt/format.h>

#include "core/check.h"
#include "core/input_error.h"
#include "traces/binary/binary_reader.h"
#include "traces/csv/alibaba_reader.h"
#include "traces/csv/google_reader.h"
#include "traces/format.h"
#include "traces/format_judges.h"
#include "traces/parts/bad_rows.h"
#include "traces/parts/row_order.h"
#include "traces/parts/streams.h"
#include "traces/parts/witnessed_bytes.h"
#include "traces/trace_formats.h"

namespace tracebed {
namespace {

LineReader open_lines(std::string name, std::unique_ptr<ByteSource> bytes,
                      const TraceOptions& options) {
  return {std::move(name), decompressed(std::move(bytes)), options.line_bytes_max()};
}

LineReader open_lines(const std::string& path, const TraceOptions& options) {
  return open_lines(path, open_witnessed(path, options.witness), options);
}

// Tracebed's own file is not read as a stream.
std::unique_ptr<TraceReader> open_binary(const std::string& path, const TraceOptions& options,
                                         Names& names) {
  auto reader = std::make_unique<BinaryReader>(
      std::make_unique<BinaryTraceFile>(path, options.witness), options, names);
  reader->set_format_reason(options.format == "auto" ? "it begins with the mark of binary traces"
                                                     : "asked for");
  return reader;
}

bool is_opened_as_binary(const std::string& path, const TraceOptions& options) {
  if (is_stream(path)) return false;
  return options.format == "binary" || (options.format == "auto" && is_binary_trace_file(path));
}

// Where the head has no text to tell a format from, why it has none is what to report.
FormatChoice choose(LineReader& lines, const TraceOptions& options) {
  const std::string_view head = lines.peek();
  if (is_binary_trace(head) || options.format == "binary") {
    throw InputError(
        fmt::format("{}: expected a binary trace in a file of its own, which is read "
                    "as memory, got one that is compressed or comes as a stream",
                    lines.name()));
  }
  BadRows refused(lines.name(), false);
  if (head.empty() && !lines.defect().empty()) {
    refused.refuse(1, "line", "a whole file", lines.defect());
  }
  if (is_no_text(head)) {
    refused.refuse(1, "file", "text, plain or compressed by gzip or zstd",
                   fmt::format("other data, which begin with {}", shown(head.substr(0, 4))));
  }
  const std::size_t begin = head.find_first_not_of(" \t\r\n");
  const bool may_be_json = begin != std::string_view::npos && head[begin] == '{';
  if (head.size() > lines.line_bytes_max() && head.find('\n') == std::string_view::npos &&
      !may_be_json && options.format == "auto") {
    refused.add(BadRow::line_too_long, 1, "line at byte 0",
                fmt::format("at most {} bytes", lines.line_bytes_max()), "a longer one");
  }
  if (const auto machines = judge_machines(head); machines && options.format == "auto") {
    throw InputError(
        fmt::format("{}: expected a trace of jobs, got a machine file ({}), which is for "
                    "cluster.machines of an experiment and trace info",
                    lines.name(), *machines));
  }
  return choose_format(lines.name(), head, options.format);
}

const TraceFormat& format_of(const FormatChoice& choice) {
  const TraceFormat* const format = find_trace_format(choice.format);
  TRACEBED_CHECK(format != nullptr && format->open != nullptr, "a text has a format of texts");
  return *format;
}

// Whether the rows of a SWF or SWIM file must be brought into order first. It is looked at
// beforehand, so that those of most files, which are in order, are read as they come.
bool needs_order(const std::string& path, const TraceOptions& options) {
  if (options.rules.common.order != RowOrder::submit) return false;
  LineReader lines = open_lines(path, options);
  const TraceFormat& format = format_of(choose(lines, options));
  return format.open_rows != nullptr && !second_column_ascends(std::move(lines), format.separators);
}

// The one file of a table in a folder, plain or compressed; empty if there is none.
std::string table_in(const std::string& folder, std::string_view table) {
  std::string found;
  for (const char* const ending : {".csv", ".csv.gz", ".csv.zst"}) {
    const std::filesystem::path path =
        std::filesystem::path(folder) / (std::string(table) + ending);
    if (!std::filesystem::exists(path)) continue;
    if (!found.empty()) {
      throw InputError(fmt::format("{}: expected one file of the table {}, got {} and {}", folder,
                                   table, found, path.string()));
    }
    found = path.string();
  }
  return found;
}

// Alibaba's tables: batch_task, and batch_instance if it is there.
std::unique_ptr<TraceReader> open_alibaba_folder(const std::string& tasks,
                                                 const std::string& instances,
                                                 const TraceOptions& options, Names& names) {
  LineReader lines = open_lines(tasks, options);
  FormatChoice choice = choose(lines, options);
  if (choice.format != "alibaba2017" && choice.format != "alibaba2018") {
    throw InputError(fmt::format("{}: expected Alibaba's table batch_task of 2017 or 2018, got {}",
                                 tasks, choice.format));
  }
  std::optional<LineReader> more;
  if (!instances.empty()) more = open_lines(instances, options);
  auto reader = std::make_unique<AlibabaReader>(
      choice.format == "alibaba2017" ? AlibabaYear::y2017 : AlibabaYear::y2018, std::move(lines),
      std::move(more), options, names);
  reader->set_format_reason(options.format != "auto"
                                ? "asked for"
                                : fmt::format("a folder with batch_task{}, of which {}",
                                              instances.empty() ? "" : " and batch_instance",
                                              choice.reason));
  return reader;
}

// A folder holds the tables of a trace that has several.
std::unique_ptr<TraceReader> open_tables(const std::string& path, const TraceOptions& options,
                                         Names& names) {
  const bool is_auto = options.format == "auto";
  const bool may_be_alibaba = is_auto || options.format.starts_with("alibaba201");
  const std::string tasks = may_be_alibaba ? table_in(path, "batch_task") : "";
  if (!tasks.empty()) {
    return open_alibaba_folder(tasks, table_in(path, "batch_instance"), options, names);
  }
  if (!is_auto && options.format != "google2011") {
    throw InputError(fmt::format(
        "{}: expected {}, got a directory{}", path,
        may_be_alibaba ? "a trace file or a folder with batch_task.csv" : "a trace file",
        may_be_alibaba ? " without that" : ""));
  }
  auto reader = std::make_unique<GoogleReader>(std::filesystem::path(path), options, names);
  reader->set_format_reason(options.format == "auto" ? "a folder with task_events/part-…"
                                                     : "asked for");
  return reader;
}

// Which files there are is looked up while it is opened.
std::unique_ptr<TraceReader> open_folder(const std::string& path, const TraceOptions& options,
                                         Names& names) {
  if (options.witness == nullptr) return open_tables(path, options, names);
  options.witness->check_listing(path, files_of_trace(path));
  auto reader = open_tables(path, options, names);
  options.witness->check_listing(path, files_of_trace(path));
  return reader;
}

}  // namespace

std::unique_ptr<TraceReader> open_trace(std::string name, std::unique_ptr<ByteSource> bytes,
                                        const TraceOptions& options, Names& names) {
  LineReader lines = open_lines(std::move(name), std::move(bytes), options);
  FormatChoice choice = choose(lines, options);
  std::unique_ptr<TraceReader> reader = format_of(choice).open(std::move(lines), options, names);
  reader->set_format_reason(std::move(choice.reason));
  return reader;
}

std::unique_ptr<TraceReader> open_trace(const std::string& path, const TraceOptions& options,
                                        Names& names) {
  if (is_folder(path)) return open_folder(path, options, names);
  if (is_opened_as_binary(path, options)) return open_binary(path, options, names);
  // A pipe is read once: SWIM and SWF rows out of order are bad ones there, unless the rule
  // trace.order says otherwise.
  if (is_stream(path) || !needs_order(path, options))
    return open_trace(name_of_input(path), open_witnessed(path, options.witness), options, names);
  TraceOptions any_order = options;
  any_order.rules.common.order = RowOrder::any;
  return open_trace(path, open_witnessed(path, options.witness), any_order, names);
}

std::unique_ptr<TraceRows> open_rows(const std::string& path, const TraceOptions& options) {
  expect_no_stream(path);  // it is read twice
  if (is_folder(path) || is_opened_as_binary(path, options)) return nullptr;
  LineReader lines = open_lines(path, options);
  const TraceFormat& format = format_of(choose(lines, options));
  if (format.open_rows == nullptr) return nullptr;
  std::unique_ptr<TraceRows> rows = format.open_rows(std::move(lines), options);
  if (!second_column_ascends(open_lines(path, options), format.separators)) {
    rows->take_any_order();
  }
  return rows;
}

std::vector<std::string> files_of_trace(const std::string& path) {
  std::vector<std::string> files;
  if (!is_folder(path)) {
    if (!path.empty()) files.push_back(path);
    return files;
  }
  for (const char* const table : {"batch_task", "batch_instance"}) {
    if (std::string file = table_in(path, table); !file.empty()) files.push_back(std::move(file));
  }
  for (const char* const table : {"task_events", "job_events", "machine_events"}) {
    for (const std::filesystem::path& part : google_parts(path, table)) files.push_back(part);
  }
  return files;
}

}  // namespace tracebed
