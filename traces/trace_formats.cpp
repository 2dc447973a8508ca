#include "traces/trace_formats.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/check.h"
#include "traces/binary/binary_reader.h"
#include "traces/csv/alibaba_reader.h"
#include "traces/csv/google_reader.h"
#include "traces/csv/hawk_reader.h"
#include "traces/csv/mix_reader.h"
#include "traces/csv/philly_reader.h"
#include "traces/csv/pod_reader.h"
#include "traces/json/rumen_reader.h"
#include "traces/json/sls_reader.h"
#include "traces/json/synth_reader.h"
#include "traces/json/wfcommons_reader.h"
#include "traces/sorted_reader.h"
#include "traces/swf_reader.h"
#include "traces/swim_reader.h"

namespace tracebed {
namespace {

using Form = TraceFormat::Form;

template <class Reader>
std::unique_ptr<TraceReader> open_lines_of(LineReader lines, const TraceOptions& options,
                                           Names& names) {
  return std::make_unique<Reader>(std::move(lines), options, names);
}

template <AlibabaYear year>
std::unique_ptr<TraceReader> open_alibaba(LineReader lines, const TraceOptions& options,
                                          Names& names) {
  return std::make_unique<AlibabaReader>(year, std::move(lines), std::nullopt, options, names);
}

template <class Reader>
std::unique_ptr<TraceReader> open_row_jobs(LineReader lines, const TraceOptions& options,
                                           Names& names) {
  auto rows = std::make_unique<Reader>(std::move(lines), options.rules, options.skip_bad, names);
  if (options.rules.common.order == RowOrder::submit) return rows;
  return std::make_unique<SortedReader>(std::move(rows), options, names);
}

template <class Reader>
std::unique_ptr<TraceReader> open_documents(LineReader lines, const TraceOptions& options,
                                            Names& names) {
  std::string name = lines.name();
  return std::make_unique<Reader>(
      JsonDocuments(std::move(name), std::move(lines).take_bytes(), options.document_bytes_max()),
      options, names);
}

std::unique_ptr<TraceRows> open_swf_rows(LineReader lines, const TraceOptions& options) {
  return std::make_unique<SwfRows>(std::move(lines), options.skip_bad,
                                   options.rules.rigid.more_columns);
}

std::unique_ptr<TraceRows> open_swim_rows(LineReader lines, const TraceOptions& options) {
  return std::make_unique<SwimRows>(std::move(lines), options.skip_bad);
}

std::vector<TraceFormat> make_formats() {
  return {
      {.name = "swf",
       .judge = judge_swf,
       .open = open_row_jobs<SwfReader>,
       .open_rows = open_swf_rows,
       .separators = " \t",
       .rules = {"trace.", "swf."},
       .span = "the run time (column 4)",
       .resolution = seconds(1)},
      {.name = "swim",
       .judge = judge_swim,
       .open = open_row_jobs<SwimReader>,
       .open_rows = open_swim_rows,
       .separators = "\t",
       .rules = {"trace.", "swim."},
       .span = "a row has no time but the submission's"},
      {.name = "hawk",
       .judge = judge_hawk,
       .open = open_lines_of<HawkReader>,
       .rules = {"trace.", "task."},
       .names_jobs = false,
       .span = "durations of tasks, but not when they ran"},
      {.name = "google2011",
       .judge = judge_google,
       .open = open_lines_of<GoogleReader>,
       .rules = {"trace.", "task.", "google."},
       .span = "from the first SCHEDULE of a task that is replayed to the last end of "
               "one, evicted attempts included",
       .resolution = microseconds(1)},
      {.name = "alibaba2017",
       .judge = judge_alibaba2017,
       .open = open_alibaba<AlibabaYear::y2017>,
       .rules = {"trace.", "task.", "alibaba."},
       .span = "from the first start of a task that is replayed to the last end of one",
       .resolution = seconds(1)},
      {.name = "alibaba2018",
       .judge = judge_alibaba2018,
       .open = open_alibaba<AlibabaYear::y2018>,
       .rules = {"trace.", "task.", "alibaba."},
       .span = "from the first start of a task that is replayed to the last end of one",
       .resolution = seconds(1)},
      {.name = "alibaba_gpu",
       .judge = judge_pods,
       .open = open_lines_of<PodReader>,
       .rules = {"trace.", "task.", "pods."},
       .counts_accelerators = true,
       .span = "from scheduled_time to deletion_time",
       .resolution = seconds(1)},
      {.name = "philly",
       .judge = judge_philly,
       .open = open_lines_of<PhillyReader>,
       .rules = {"trace.", "task.", "philly."},
       .names_jobs = false,
       .counts_accelerators = true,
       .span = "the duration",
       .resolution = milliseconds(1)},
      {.name = "mix",
       .judge = judge_mix,
       .open = open_lines_of<MixReader>,
       .rules = {"trace.", "task.", "mix.", "kind."},
       .span = "a row has no time but the submission's"},
      {.name = "rumen",
       .form = Form::document,
       .judge = judge_rumen,
       .open = open_documents<RumenReader>,
       .rules = {"trace.", "task.", "rumen."},
       .span = "from the first start of an attempt that is replayed to the last finish "
               "of one",
       .resolution = milliseconds(1)},
      {.name = "sls",
       .form = Form::document,
       .judge = judge_sls,
       .open = open_documents<SlsReader>,
       .rules = {"trace.", "task.", "sls."},
       .span = "from the first container.start.ms to the last container.end.ms, where "
               "every task has both, or from job.start.ms to job.end.ms",
       .resolution = milliseconds(1)},
      {.name = "synth",
       .form = Form::document,
       .judge = judge_synth,
       .open = open_documents<SynthReader>,
       .rules = {"trace.", "task."},
       .names_jobs = false,
       .span = "jobs are drawn, not recorded"},
      {.name = "wfcommons",
       .form = Form::document,
       .judge = judge_wfcommons,
       .open = open_documents<WfcommonsReader>,
       .rules = {"trace.", "task.", "wfcommons."},
       .names_jobs = false,
       .span = "makespanInSeconds",
       .resolution = milliseconds(1)},
      {.name = "binary",
       .form = Form::binary,
       .rules = {"binary."},
       .span = "a binary trace keeps the workload alone"},
  };
}

}  // namespace

std::span<const TraceFormat> trace_formats() {
  static const std::vector<TraceFormat> formats = make_formats();
  return formats;
}

const TraceFormat* find_trace_format(std::string_view name) {
  const auto formats = trace_formats();
  const auto found = std::find_if(formats.begin(), formats.end(),
                                  [&](const TraceFormat& format) { return format.name == name; });
  return found == formats.end() ? nullptr : &*found;
}

const TraceFormat& format_of(const TraceReader& reader) {
  const TraceFormat* const format = find_trace_format(reader.format());
  TRACEBED_CHECK(format != nullptr, "a reader's format is listed");
  return *format;
}

std::string span_text(const TraceFormat& format, bool has_spans) {
  if (has_spans || format.resolution == Duration{}) return std::string(format.span);
  return fmt::format("no job has that, {}", format.span);
}

std::string trace_format_names() {
  std::vector<std::string_view> names;
  for (const TraceFormat& format : trace_formats()) names.push_back(format.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::vector<std::pair<std::string, std::string>> rules_of(const TraceReader& reader,
                                                          const TraceRules& rules) {
  if (const auto* binary = dynamic_cast<const BinaryReader*>(&reader); binary != nullptr) {
    return binary->stored_rules();
  }
  return rule_values(rules, format_of(reader).rules);
}

}  // namespace tracebed
