#include "traces/open_trace.h"

#include <fmt/format.h>

#include "traces/bad_rows.h"
#include "traces/format.h"
#include "traces/swf_reader.h"
#include "traces/swim_reader.h"

namespace tracebed {
namespace {

LineReader open_lines(std::string name, std::unique_ptr<ByteSource> bytes,
                      const TraceOptions& options) {
  return {std::move(name), decompressed(std::move(bytes)), options.line_bytes_max};
}

// Where the head has no text to tell a format from, why it has none is what to report.
FormatChoice choose(LineReader& lines, const TraceOptions& options) {
  const std::string_view head = lines.peek();
  BadRows refused(lines.name(), false);
  if (head.empty() && !lines.defect().empty()) {
    refused.add(BadRow::damaged, 1, "line", "a whole file", lines.defect());
  }
  if (head.size() > lines.line_bytes_max() && head.find('\n') == std::string_view::npos) {
    refused.add(BadRow::line_too_long, 1, "line",
                fmt::format("at most {} bytes", lines.line_bytes_max()), "a longer one");
  }
  return choose_format(lines.name(), head, options.format);
}

}  // namespace

std::unique_ptr<TraceReader> open_trace(std::string name, std::unique_ptr<ByteSource> bytes,
                                        const TraceOptions& options, Names& names) {
  LineReader lines = open_lines(std::move(name), std::move(bytes), options);
  FormatChoice choice = choose(lines, options);
  std::unique_ptr<TraceReader> reader;
  if (choice.format == "swf") {
    reader = std::make_unique<SwfReader>(std::move(lines), options.rules, options.skip_bad, names);
  } else {
    reader = std::make_unique<SwimReader>(std::move(lines), options.rules, options.skip_bad, names);
  }
  reader->set_format_reason(std::move(choice.reason));
  return reader;
}

std::unique_ptr<TraceReader> open_trace(const std::string& path, const TraceOptions& options,
                                        Names& names) {
  return open_trace(path, open_file(path), options, names);
}

std::unique_ptr<TraceRows> open_rows(const std::string& path, const TraceOptions& options) {
  LineReader lines = open_lines(path, open_file(path), options);
  const FormatChoice choice = choose(lines, options);
  if (choice.format == "swf") return std::make_unique<SwfRows>(std::move(lines), options.skip_bad);
  return std::make_unique<SwimRows>(std::move(lines), options.skip_bad);
}

}  // namespace tracebed
