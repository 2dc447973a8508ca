#include "traces/format.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "core/input_error.h"
#include "traces/format_judges.h"
#include "traces/parts/bad_rows.h"
#include "traces/parts/text_numbers.h"

namespace tracebed {
namespace {

constexpr std::array<std::string_view, 13> formats = {
    "swf",    "swim",  "hawk", "google2011", "alibaba2017", "alibaba2018", "alibaba_gpu",
    "philly", "rumen", "sls",  "synth",      "wfcommons",   "binary"};
constexpr std::size_t row_formats = 8;  // the first ones; the others are JSON

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

struct FirstRow {
  std::size_t line = 0;  // from 1; 0 if there is none
  std::string_view text;
  std::size_t comments = 0;  // lines before it that begin with ';'
};

FirstRow first_row(std::string_view head) {
  FirstRow row;
  for (std::size_t number = 1; !head.empty(); ++number) {
    const std::size_t end = std::min(head.find('\n'), head.size());
    std::string_view line = head.substr(0, end);
    head.remove_prefix(std::min(end + 1, head.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos) continue;
    if (line[begin] != ';') return {number, line, row.comments};
    ++row.comments;
  }
  return row;
}

FormatVerdict judge_swf(const FirstRow& row) {
  if (row.line == 0) {
    return {"swf", row.comments > 0, "only comments, no row"};
  }
  const auto words = split(row.text, " \t", true);
  const auto is_number = [](std::string_view word) {
    return read_decimal(word).fault != NumberFault::not_a_number;
  };
  const auto numbers = std::count_if(words.begin(), words.end(), is_number);
  const std::string found =
      fmt::format("line {} has {} columns, {} of them numbers", row.line, words.size(), numbers);
  // Some logs have columns of their own behind the 18 (rule swf.more_columns).
  if (words.size() >= 18 && std::all_of(words.begin(), words.begin() + 18, is_number)) {
    return {"swf", true, found};
  }
  return {"swf", false, found + ", and a row has 18 numbers"};
}

FormatVerdict judge_swim(const FirstRow& row) {
  if (row.line == 0) return {"swim", false, "there is no row"};
  if (row.comments > 0) return {"swim", false, "it begins with comments (';')"};
  const auto columns = split(row.text, "\t", false);
  const std::string found =
      fmt::format("line {} has {} columns separated by tabs", row.line, columns.size());
  if (columns.size() < 6 || columns.size() > 9) {
    return {"swim", false, found + ", and a row has 6 to 9"};
  }
  for (std::size_t i = 1; i < 6; ++i) {
    if (read_decimal(columns[i]).fault == NumberFault::not_a_number) {
      return {"swim", false,
              fmt::format("{}, of which {} is {}, not a number", found, i + 1, shown(columns[i]))};
    }
  }
  return {"swim", true, found + ", 2 to 6 of them numbers"};
}

}  // namespace

std::span<const std::string_view> trace_formats() {
  return formats;
}

Status check_format(std::string_view asked) {
  if (asked == "auto" || std::find(formats.begin(), formats.end(), asked) != formats.end()) {
    return success();
  }
  return Error{fmt::format("trace format: expected auto or one of {}, got '{}'",
                           fmt::join(formats, ", "), asked)};
}

std::vector<FormatVerdict> judge_formats(std::string_view head) {
  const std::size_t begin = head.find_first_not_of(" \t\r\n");
  if (begin != std::string_view::npos && head[begin] == '{') {
    // Not looked at as rows: a document may be one line as long as the head.
    std::vector<FormatVerdict> verdicts;
    for (const std::string_view format : std::span(formats).first(row_formats)) {
      verdicts.push_back({format, false, "it begins with a JSON object"});
    }
    for (FormatVerdict& verdict : judge_documents(head)) verdicts.push_back(std::move(verdict));
    return verdicts;
  }
  const FirstRow row = first_row(head);
  std::vector<FormatVerdict> verdicts = {judge_swf(row), judge_swim(row), judge_hawk(head)};
  // A job of 15 tasks has 18 numbers in Hawk's form, too. Rows of other lengths that are all of
  // that form decide it.
  FormatVerdict& swf = verdicts[0];
  const auto rows = format_rows(head);
  const auto other = std::find_if(rows.begin(), rows.end(), [](std::string_view line) {
    return split(line, " \t", true).size() != 18;
  });
  if (swf.fits && verdicts[2].fits && other != rows.end()) {
    swf.fits = false;
    swf.reason += ", but others have not 18";
  }
  for (const auto& judge : {judge_tables, judge_documents}) {
    for (FormatVerdict& verdict : judge(head)) verdicts.push_back(std::move(verdict));
  }
  return verdicts;
}

FormatChoice choose_among(const std::string& path, const std::vector<FormatVerdict>& verdicts) {
  std::vector<const FormatVerdict*> fitting;
  std::vector<std::string> reasons;
  std::vector<std::string> fitting_reasons;
  for (const FormatVerdict& verdict : verdicts) {
    const std::string reason = fmt::format("{}: {}", verdict.format, verdict.reason);
    reasons.push_back(reason);
    if (!verdict.fits) continue;
    fitting.push_back(&verdict);
    fitting_reasons.push_back(reason);
  }
  if (fitting.empty()) {
    throw InputError(fmt::format("{}: expected a trace in a known format, got none of them:\n  {}",
                                 path, fmt::join(reasons, "\n  ")));
  }
  if (fitting.size() > 1) {
    throw InputError(fmt::format(
        "{}: expected a trace in one format, got one that fits {} ({}); choose one with --format",
        path, fitting.size(), fmt::join(fitting_reasons, "; ")));
  }
  return {fitting.front()->format, fitting.front()->reason};
}

FormatChoice choose_format(const std::string& path, std::string_view head, std::string_view asked) {
  if (const Status status = check_format(asked); !status) throw InputError(status.error().message);
  if (asked != "auto") return {*std::find(formats.begin(), formats.end(), asked), "asked for"};
  if (head.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    throw InputError(path + ": expected a trace, got an empty file");
  }
  return choose_among(path, judge_formats(head));
}

}  // namespace tracebed
