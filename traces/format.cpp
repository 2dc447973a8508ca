#include "traces/format.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/input_error.h"
#include "traces/trace_formats.h"

namespace tracebed {
namespace {

using Form = TraceFormat::Form;

std::vector<FormatVerdict> verdicts_on(const FormatHead& head) {
  std::vector<FormatVerdict> verdicts;
  for (const TraceFormat& format : trace_formats()) {
    FormatFit fit;
    switch (format.form) {
      case Form::binary:
        continue;  // no text
      case Form::rows:
        // Not looked at as rows: a document may be one line as long as the head.
        fit = head.is_document ? FormatFit{false, "it begins with a JSON object"}
                               : format.judge(head);
        break;
      case Form::document:
        fit = head.is_document ? format.judge(head)
                               : FormatFit{false, "it does not begin with a JSON object"};
        break;
    }
    verdicts.push_back({format.name, fit.fits, std::move(fit.reason)});
  }
  return verdicts;
}

bool fits_any(const std::vector<FormatVerdict>& verdicts) {
  return std::any_of(verdicts.begin(), verdicts.end(),
                     [](const FormatVerdict& verdict) { return verdict.fits; });
}

}  // namespace

Status check_format(std::string_view asked) {
  if (asked == "auto" || find_trace_format(asked) != nullptr) return success();
  return Error{fmt::format("trace format: expected auto or one of {}, got '{}'",
                           trace_format_names(), asked)};
}

std::vector<FormatVerdict> judge_formats(std::string_view head) {
  // The keys mostly stand at the beginning, and to look through a long document takes its time.
  constexpr std::size_t beginning = 1 << 16;
  const std::size_t begin = head.find_first_not_of(" \t\r\n");
  const bool is_document = begin != std::string_view::npos && head[begin] == '{';
  if (is_document && head.size() > beginning) {
    std::vector<FormatVerdict> verdicts = verdicts_on(FormatHead(head.substr(0, beginning)));
    if (fits_any(verdicts)) return verdicts;
  }
  return verdicts_on(FormatHead(head));
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
  if (const TraceFormat* format = find_trace_format(asked)) return {format->name, "asked for"};
  if (head.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    throw InputError(path + ": expected a trace, got an empty file");
  }
  return choose_among(path, judge_formats(head));
}

}  // namespace tracebed
