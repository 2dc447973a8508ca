// The formats of traces, one entry for each: all that differs between them for those who detect,
// open, list or check traces. What is listed here is judged, opened and named everywhere.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/names.h"
#include "traces/format_judges.h"
#include "traces/parts/line_reader.h"
#include "traces/parts/rules.h"
#include "traces/parts/trace_options.h"
#include "traces/parts/trace_reader.h"
#include "traces/parts/trace_rows.h"

namespace tracebed {

struct TraceFormat {
  enum class Form : std::uint8_t {
    rows,      // lines of text
    document,  // JSON
    binary,    // Tracebed's own, which is no text and is read as memory (traces/binary/)
  };
  // `names` outlives the reader.
  using Open = std::unique_ptr<TraceReader>(LineReader lines, const TraceOptions& options,
                                            Names& names);
  using OpenRows = std::unique_ptr<TraceRows>(LineReader lines, const TraceOptions& options);

  std::string_view name;  // for --format, and in run records
  Form form = Form::rows;
  FormatJudge* judge = nullptr;  // null: binary
  Open* open = nullptr;          // null: binary
  // Of a format in which each row is a job, and its columns are separated by any of `separators`;
  // null of others.
  OpenRows* open_rows = nullptr;
  std::string_view separators;
  std::vector<std::string_view> rules;  // prefixes of those that the reader applies
  bool names_jobs = true;               // its jobs have identifiers, which ought to be unique
  bool counts_accelerators = false;     // its demands have more than vcores and memory
  // From what to what a job's recorded span reaches (traces/span_comparison.h), or why there is
  // none; and the resolution of the trace's clock, 0 without a span.
  std::string_view span;
  Duration resolution{};
};

// In the order in which they are listed.
std::span<const TraceFormat> trace_formats();
// Null if there is none of that name.
const TraceFormat* find_trace_format(std::string_view name);
// That of a reader, which is listed.
const TraceFormat& format_of(const TraceReader& reader);
// What is said of its recorded spans: from what to what they reach, or why there are none.
std::string span_text(const TraceFormat& format, bool has_spans);
// "swf, swim, …"
std::string trace_format_names();

// name → value of the rules that made the reader's jobs, as a run records them. `rules` are those
// that it was opened with.
std::vector<std::pair<std::string, std::string>> rules_of(const TraceReader& reader,
                                                          const TraceRules& rules);

}  // namespace tracebed
