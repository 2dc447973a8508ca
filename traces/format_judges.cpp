#include "traces/format_judges.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>

#include "core/text.h"
#include "traces/csv/csv_rows.h"
#include "traces/parts/bad_rows.h"
#include "traces/parts/text_lines.h"
#include "traces/parts/text_numbers.h"

namespace tracebed {
namespace {

constexpr std::array<std::string_view, 6> batch_statuses = {"Ready",      "Waiting", "Running",
                                                            "Terminated", "Failed",  "Cancelled"};
constexpr std::string_view pod_header =
    "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"
    "deletion_time,scheduled_time";
constexpr std::string_view mix_header =
    "job,submit_seconds,kind,input_bytes,maps,reduces,vcores,memory_mib,user,queue,input_path";
constexpr std::string_view mix_header_with_deadline =
    "job,submit_seconds,kind,input_bytes,maps,reduces,vcores,memory_mib,user,queue,input_path,"
    "deadline_seconds";
constexpr std::string_view philly_header = "timestamp,duration,num_gpus,gpu_time,cluster";

bool is_whole(std::string_view text) {
  return read_whole(text).fault == NumberFault::none;
}

bool is_status(std::string_view text) {
  return std::find(batch_statuses.begin(), batch_statuses.end(), text) != batch_statuses.end();
}

std::vector<std::string_view> split(std::string_view line, std::string_view separators,
                                    bool join_repeated) {
  std::vector<std::string_view> words;
  std::size_t start = 0;
  while (start <= line.size()) {
    const std::size_t end = std::min(line.find_first_of(separators, start), line.size());
    if (end > start || !join_repeated) words.push_back(line.substr(start, end - start));
    start = end + 1;
  }
  return words;
}

// Names for columns above other lines, separated as in any of the formats.
bool is_header(std::string_view line) {
  const char* const separators = line.find(',') != std::string_view::npos    ? ","
                                 : line.find('\t') != std::string_view::npos ? "\t"
                                                                             : " \t";
  return is_header_row(line, separators);
}

FormatHead::Row first_row_of(std::string_view head, std::string_view header) {
  FormatHead::Row row;
  for (std::size_t number = 1; !head.empty(); ++number) {
    const std::size_t end = std::min(head.find('\n'), head.size());
    std::string_view line = head.substr(0, end);
    head.remove_prefix(std::min(end + 1, head.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos) continue;
    if (line[begin] == ';') {
      ++row.comments;
    } else if (line.data() != header.data()) {
      return {number, line, row.comments};
    }
  }
  return row;
}

// The first rows that are whole and not blank, without their line ends.
std::vector<std::string_view> rows_of(std::string_view head) {
  constexpr std::size_t rows_max = 20;
  std::vector<std::string_view> rows;
  while (!head.empty() && rows.size() < rows_max) {
    const std::size_t end = head.find('\n');
    // The head may end within a row.
    if (end == std::string_view::npos && !rows.empty()) break;
    std::string_view line = head.substr(0, end);
    head.remove_prefix(end == std::string_view::npos ? head.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(" \t") != std::string_view::npos) rows.push_back(line);
  }
  return rows;
}

// Numbers between blanks; none if something else is among them.
std::vector<std::string_view> numbers_in(std::string_view line) {
  std::vector<std::string_view> numbers;
  for (std::size_t begin = 0; (begin = line.find_first_not_of(" \t", begin)) < line.size();) {
    const std::size_t end = std::min(line.find_first_of(" \t", begin), line.size());
    numbers.push_back(line.substr(begin, end - begin));
    if (read_decimal(numbers.back()).fault == NumberFault::not_a_number) return {};
    begin = end;
  }
  return numbers;
}

bool is_a_number(std::string_view word) {
  return read_decimal(word).fault != NumberFault::not_a_number;
}

FormatFit by_column(const FormatHead& head, std::size_t count, bool fits, std::string_view what) {
  if (head.columns.size() != count) {
    return {false, fmt::format("a row has {} columns separated by commas, not {}", count,
                               head.columns.size())};
  }
  return {fits,
          fmt::format("{} columns separated by commas, {}{}", count, fits ? "" : "but not ", what)};
}

std::string_view column(const FormatHead& head, std::size_t i) {
  return i < head.columns.size() ? head.columns[i] : std::string_view();
}

FormatFit by_header(const FormatHead& head, std::string_view header) {
  const bool fits = head.header == header || (!head.rows.empty() && head.rows.front() == header);
  return {fits, fmt::format("the header is {}{}", fits ? "" : "not ", header)};
}

// `top` are keys of the document itself, `nested` of the objects in it, too.
FormatFit by_keys(const JsonKeys& keys, const std::vector<std::string_view>& top,
                  const std::vector<std::string_view>& nested = {}) {
  std::vector<std::string_view> wanted = top;
  wanted.insert(wanted.end(), nested.begin(), nested.end());
  for (const std::string_view key : wanted) {
    const bool is_top = std::find(top.begin(), top.end(), key) != top.end();
    if (is_top ? keys.has_top(key) : keys.has(key)) continue;
    return {false, fmt::format("the first document has no key {}", key)};
  }
  return {true, fmt::format("a JSON document with {}", fmt::join(wanted, " and "))};
}

std::optional<std::string_view> machines_in_rows(std::string_view head) {
  const auto rows = rows_of(head);
  if (rows.empty()) return std::nullopt;
  if (rows.front() == "sn,cpu_milli,memory_mib,gpu,model") return "alibaba_gpu_nodes";
  std::vector<std::string_view> columns;
  split_columns(rows.front(), ',', columns);
  if (columns.size() == 6 && is_whole(columns[0]) && is_whole(columns[1]) &&
      (columns[2] == "0" || columns[2] == "1" || columns[2] == "2")) {
    return "google_machines";
  }
  if (columns.size() == 7 &&
      (columns[2] == "add" || columns[2] == "softerror" || columns[2] == "harderror")) {
    return "alibaba2017_servers";
  }
  return std::nullopt;
}

}  // namespace

FormatHead::FormatHead(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  is_document = begin != std::string_view::npos && text[begin] == '{';
  if (is_document) {
    keys = keys_in(text);
    return;
  }
  rows = rows_of(text);
  first_row = first_row_of(text, {});
  if (first_row.line > 0 && is_header(first_row.text)) {
    // Alone it would be a row.
    const Row next = first_row_of(text, first_row.text);
    if (next.line > 0) {
      header = first_row.text;
      first_row = next;
      std::erase_if(rows, [&](std::string_view row) { return row.data() == header.data(); });
    }
  }
  split_columns(rows.empty() ? std::string_view() : rows.front(), ',', columns);
}

// ---- rows ----

// Numbers, but for the preceding jobs, which may be a list: 4&5&6.
bool is_swf_row(const std::vector<std::string_view>& words) {
  constexpr std::size_t columns = 18;
  constexpr std::size_t preceding_job = 16;
  if (words.size() < columns) return false;
  for (std::size_t i = 0; i < columns; ++i) {
    const bool is_list =
        i == preceding_job && words[i].find_first_not_of("0123456789&") == std::string_view::npos;
    if (!is_list && !is_a_number(words[i])) return false;
  }
  return true;
}

FormatFit judge_swf(const FormatHead& head) {
  const FormatHead::Row& row = head.first_row;
  if (row.line == 0) return {row.comments > 0, "only comments, no row"};
  const auto words = split(row.text, " \t", true);
  const std::string found =
      fmt::format("line {} has {} columns, {} of them numbers", row.line, words.size(),
                  std::count_if(words.begin(), words.end(), is_a_number));
  // Some logs have columns of their own behind the 18 (rule swf.more_columns).
  if (!is_swf_row(words)) {
    return {false, found + ", and a row has 18 numbers"};
  }
  // A job of 15 tasks has 18 numbers in Hawk's form, too. Rows of other lengths that are all of
  // that form decide it.
  const bool have_all_18 =
      std::all_of(head.rows.begin(), head.rows.end(),
                  [](std::string_view line) { return split(line, " \t", true).size() == 18; });
  if (!have_all_18 && judge_hawk(head).fits) return {false, found + ", but others have not 18"};
  return {true, found};
}

FormatFit judge_swim(const FormatHead& head) {
  const FormatHead::Row& row = head.first_row;
  if (row.line == 0) return {false, "there is no row"};
  if (row.comments > 0) return {false, "it begins with comments (';')"};
  const auto columns = split(row.text, "\t", false);
  const std::string found =
      fmt::format("line {} has {} columns separated by tabs", row.line, columns.size());
  if (columns.size() < 6 || columns.size() > 9) return {false, found + ", and a row has 6 to 9"};
  for (std::size_t i = 1; i < 6; ++i) {
    if (is_a_number(columns[i])) continue;
    return {false,
            fmt::format("{}, of which {} is {}, not a number", found, i + 1, shown(columns[i]))};
  }
  return {true, found + ", 2 to 6 of them numbers"};
}

FormatFit judge_hawk(const FormatHead& head) {
  std::size_t line = 0;
  for (const std::string_view row : head.rows) {
    ++line;
    const auto numbers = numbers_in(row);
    if (numbers.size() < 4) {
      return {false, fmt::format("row {} is not of four or more numbers", line)};
    }
    const Whole tasks = read_whole(numbers[1]);
    if (tasks.fault != NumberFault::none || tasks.value < 0 ||
        static_cast<std::size_t>(tasks.value) != numbers.size() - 3) {
      return {false,
              fmt::format("row {} has {} numbers, of which the second does not count those behind "
                          "the third",
                          line, numbers.size())};
    }
  }
  return {line > 0, "the second number of a row counts those behind the third"};
}

// ---- tables with commas ----

FormatFit judge_google(const FormatHead& head) {
  const std::string_view event = column(head, 5);
  const bool is_event =
      is_whole(column(head, 0)) && event.size() == 1 && event[0] >= '0' && event[0] <= '8';
  return by_column(head, 13, is_event, "the first a time and the sixth an event from 0 to 8");
}

FormatFit judge_alibaba2017(const FormatHead& head) {
  return by_column(head, 8, is_status(column(head, 5)), "the sixth a status");
}

FormatFit judge_alibaba2018(const FormatHead& head) {
  return by_column(head, 9, is_status(column(head, 4)), "the fifth a status");
}

FormatFit judge_pods(const FormatHead& head) {
  return by_header(head, pod_header);
}

FormatFit judge_mix(const FormatHead& head) {
  const FormatFit with_deadline = by_header(head, mix_header_with_deadline);
  return with_deadline.fits ? with_deadline : by_header(head, mix_header);
}

FormatFit judge_philly(const FormatHead& head) {
  return by_header(head, philly_header);
}

// ---- documents ----

FormatFit judge_rumen(const FormatHead& head) {
  return by_keys(head.keys, {"jobID", "submitTime"});
}

FormatFit judge_sls(const FormatHead& head) {
  FormatFit fit = by_keys(head.keys, {"job.start.ms"});
  // A head that ends before the first job may show the cluster alone.
  if (!fit.fits && head.keys.has_top("num.nodes")) fit = by_keys(head.keys, {"num.nodes"});
  return fit;
}

FormatFit judge_synth(const FormatHead& head) {
  return by_keys(head.keys, {"workloads"}, {"num_jobs"});
}

FormatFit judge_wfcommons(const FormatHead& head) {
  return by_keys(head.keys, {"workflow"});
}

// ---- machines ----

std::optional<std::string_view> judge_machines(std::string_view head) {
  const std::size_t begin = head.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return std::nullopt;
  if (head[begin] != '{') return machines_in_rows(head);
  // Traces of jobs have some of these words further in, such as the children of a workflow's tasks.
  const JsonKeys keys = keys_in(head);
  if (keys.has_top("rack") && keys.has_top("nodes")) return "sls_nodes";
  if (keys.has_top("children") && !keys.has_top("jobID")) return "rumen_topology";
  return std::nullopt;
}

}  // namespace tracebed
