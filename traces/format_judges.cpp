#include "traces/format_judges.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string>

#include "core/text.h"
#include "traces/csv/csv_rows.h"
#include "traces/json/json_keys.h"
#include "traces/parts/text_numbers.h"

namespace tracebed {
namespace {

constexpr std::array<std::string_view, 6> batch_statuses = {"Ready",      "Waiting", "Running",
                                                            "Terminated", "Failed",  "Cancelled"};
constexpr std::string_view pod_header =
    "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"
    "deletion_time,scheduled_time";
constexpr std::string_view philly_header = "timestamp,duration,num_gpus,gpu_time,cluster";

bool is_whole(std::string_view text) {
  return read_whole(text).fault == NumberFault::none;
}

bool is_status(std::string_view text) {
  return std::find(batch_statuses.begin(), batch_statuses.end(), text) != batch_statuses.end();
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

FormatVerdict by_column(std::string_view format, const std::vector<std::string_view>& columns,
                        std::size_t count, bool fits, std::string_view what) {
  if (columns.size() != count) {
    return {format, false,
            fmt::format("a row has {} columns separated by commas, not {}", count, columns.size())};
  }
  return {format, fits,
          fmt::format("{} columns separated by commas, {}{}", count, fits ? "" : "but not ", what)};
}

FormatVerdict by_header(std::string_view format, std::string_view first, std::string_view header) {
  const bool fits = first == header;
  return {format, fits, fmt::format("the header is {}{}", fits ? "" : "not ", header)};
}

// `top` are keys of the document itself, `nested` of the objects in it, too.
FormatVerdict by_keys(std::string_view format, const JsonKeys& keys,
                      const std::vector<std::string_view>& top,
                      const std::vector<std::string_view>& nested = {}) {
  std::vector<std::string_view> wanted = top;
  wanted.insert(wanted.end(), nested.begin(), nested.end());
  for (const std::string_view key : wanted) {
    const bool is_top = std::find(top.begin(), top.end(), key) != top.end();
    if (is_top ? keys.has_top(key) : keys.has(key)) continue;
    return {format, false, fmt::format("the first document has no key {}", key)};
  }
  return {format, true, fmt::format("a JSON document with {}", fmt::join(wanted, " and "))};
}

std::vector<FormatVerdict> judge_keys(std::string_view head) {
  const JsonKeys keys = keys_in(head);
  std::vector<FormatVerdict> verdicts = {
      by_keys("rumen", keys, {"jobID", "submitTime"}),
      by_keys("sls", keys, {"job.start.ms"}),
      by_keys("synth", keys, {"workloads"}, {"num_jobs"}),
      by_keys("wfcommons", keys, {"workflow"}),
  };
  // A head that ends before the first job may show the cluster alone.
  if (!verdicts[1].fits && keys.has_top("num.nodes")) {
    verdicts[1] = by_keys("sls", keys, {"num.nodes"});
  }
  return verdicts;
}

std::optional<std::string_view> machines_in_rows(std::string_view head) {
  const auto rows = format_rows(head);
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

std::vector<std::string_view> format_rows(std::string_view head) {
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

FormatVerdict judge_hawk(std::string_view head) {
  std::size_t line = 0;
  for (const std::string_view row : format_rows(head)) {
    ++line;
    const auto numbers = numbers_in(row);
    if (numbers.size() < 4) {
      return {"hawk", false, fmt::format("row {} is not of four or more numbers", line)};
    }
    const Whole tasks = read_whole(numbers[1]);
    if (tasks.fault != NumberFault::none || tasks.value < 0 ||
        static_cast<std::size_t>(tasks.value) != numbers.size() - 3) {
      return {"hawk", false,
              fmt::format("row {} has {} numbers, of which the second does not count those behind "
                          "the third",
                          line, numbers.size())};
    }
  }
  return {"hawk", line > 0, "the second number of a row counts those behind the third"};
}

std::vector<FormatVerdict> judge_tables(std::string_view head) {
  const auto rows = format_rows(head);
  const std::string_view first = rows.empty() ? std::string_view() : rows.front();
  std::vector<std::string_view> columns;
  split_columns(first, ',', columns);
  const bool has_2017_header = trimmed(columns[0]) == "task_create_time";
  const auto column = [&](std::size_t i) {
    return i < columns.size() ? columns[i] : std::string_view();
  };
  const bool is_event =
      is_whole(column(0)) && column(5).size() == 1 && column(5)[0] >= '0' && column(5)[0] <= '8';
  return {
      by_column("google2011", columns, 13, is_event,
                "the first a time and the sixth an event from 0 to 8"),
      by_column("alibaba2017", columns, 8, has_2017_header || is_status(column(5)),
                "the sixth a status"),
      by_column("alibaba2018", columns, 9, is_status(column(4)), "the fifth a status"),
      by_header("alibaba_gpu", first, pod_header),
      by_header("philly", first, philly_header),
  };
}

std::vector<FormatVerdict> judge_documents(std::string_view head) {
  const std::size_t begin = head.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos || head[begin] != '{') {
    std::vector<FormatVerdict> verdicts;
    for (const char* const format : {"rumen", "sls", "synth", "wfcommons"}) {
      verdicts.push_back({format, false, "it does not begin with a JSON object"});
    }
    return verdicts;
  }
  // The keys mostly stand at the beginning, and to look through a long head takes its time.
  constexpr std::size_t beginning = 1 << 16;
  std::vector<FormatVerdict> verdicts = judge_keys(head.substr(0, beginning));
  const bool is_decided = std::any_of(verdicts.begin(), verdicts.end(),
                                      [](const FormatVerdict& verdict) { return verdict.fits; });
  return is_decided || head.size() <= beginning ? verdicts : judge_keys(head);
}

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
