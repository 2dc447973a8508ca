#include "traces/convert/trace_cut.h"

#include <fmt/format.h>

#include "core/input_error.h"
#include "traces/binary/binary_file.h"
#include "traces/binary/binary_writer.h"
#include "traces/convert/trace_convert.h"
#include "traces/machines/machine_changes.h"
#include "traces/parts/trace_writer.h"
#include "traces/weighted_choice.h"

namespace tracebed {
namespace {

void check(const CutOptions& options) {
  if (!(options.sample > 0 && options.sample <= 1)) {
    throw InputError(
        fmt::format("sample: expected a fraction above 0 and at most 1, got {}", options.sample));
  }
  if (options.from && options.to && *options.to <= *options.from) {
    throw InputError(fmt::format("window: expected an end after its start, got {} s to {} s",
                                 to_seconds(*options.from), to_seconds(*options.to)));
  }
}

bool is_sampled(const CutOptions& options, std::uint64_t position) {
  return unit_draw(options.seed ^ 0x63757473, position) < options.sample;
}

std::string provenance(const CutOptions& options) {
  std::string text = "; Note: cut by tracebed:";
  if (options.from || options.to) {
    text += fmt::format(" submitted from {} s", to_seconds(options.from.value_or(Duration{})));
    if (options.to) text += fmt::format(" to {} s", to_seconds(*options.to));
    text += " after the first row,";
  }
  if (options.sample < 1) text += fmt::format(" sample {} seed {},", options.sample, options.seed);
  if (options.first) text += fmt::format(" first {} rows,", *options.first);
  if (text.ends_with(',')) {
    text.pop_back();
  } else {
    text += " all rows";
  }
  return text + '\n';
}

// The machines' clock is moved as that of the jobs.
void write_machines(const std::string& input, TraceTime start, BinaryTraceWriter& writer) {
  const BinaryTraceFile file(input);
  if (file.machines().empty()) return;
  writer.set_machines(file.machines(), changes_from(file.changes(), file.machines().size(), start));
}

CutResult cut_jobs(const std::string& input, const std::string& output,
                   const TraceOptions& trace_options, const CutOptions& options) {
  const TraceOptions full = with_own_dimensions(input, trace_options);
  Names names;
  const auto reader = open_trace(input, full, names);
  BinaryTraceWriter writer(output, conversion_origin(input, *reader, full), names);
  CutResult result;
  result.format = "binary";
  const std::uint64_t jobs_max = options.first.value_or(~std::uint64_t{0});
  TraceTime start;      // of the trace
  TraceTime new_start;  // of what stays
  Job job;
  while (result.rows_written < jobs_max && reader->next(job)) {
    const std::uint64_t position = result.rows_read++;
    if (position == 0) start = job.submit;
    const Duration since_start = job.submit - start;
    if (options.to && since_start >= *options.to) break;
    if (options.from && since_start < *options.from) continue;
    if (!is_sampled(options, position)) continue;
    if (result.rows_written == 0) {
      new_start = job.submit;
      if (reader->format() == "binary") write_machines(input, new_start, writer);
    }
    job.id = JobId(static_cast<std::size_t>(result.rows_written++));
    job.submit -= new_start.time_since_epoch();
    writer.add(job);
  }
  writer.finish();
  result.bad_rows = reader->bad_rows().total();
  result.bytes_written = writer.bytes();
  return result;
}

}  // namespace

CutResult cut_trace(const std::string& input, const std::string& output,
                    const TraceOptions& trace_options, const CutOptions& options) {
  check(options);
  const auto rows = open_rows(input, trace_options);
  if (rows == nullptr) return cut_jobs(input, output, trace_options, options);
  TraceWriter writer(output);
  CutResult result;
  result.format = rows->format();
  std::int64_t start = 0;
  std::optional<std::int64_t> last_written;  // its submit time
  std::uint64_t rows_read_then = 0;          // when it was written
  const std::uint64_t rows_max = options.first.value_or(~std::uint64_t{0});
  bool headers_done = false;
  const auto end_headers = [&] {
    if (!headers_done && rows->format() == "swf") writer.write(provenance(options));
    headers_done = true;
  };
  while (result.rows_written < rows_max) {
    const TraceRows::Kind kind = rows->next();
    if (kind == TraceRows::Kind::end) break;
    if (kind == TraceRows::Kind::row) {
      const std::uint64_t position = result.rows_read++;
      if (position == 0) start = rows->submit_microseconds();
      const Duration since_start = microseconds(rows->submit_microseconds() - start);
      if (options.to && since_start >= *options.to) break;  // rows are sorted by it
      if (options.from && since_start < *options.from) continue;
      if (!is_sampled(options, position)) continue;
      end_headers();
      ++result.rows_written;
      const bool has_its_neighbour = rows_read_then == position;
      writer.write(has_its_neighbour ? rows->text() : rows->text_below(last_written));
      last_written = rows->submit_microseconds();
      rows_read_then = result.rows_read;
    } else if (headers_done || result.rows_read > 0) {
      continue;
    } else {
      writer.write(rows->text());
    }
    writer.write("\n");
  }
  end_headers();
  result.bad_rows = rows->bad_rows().total();
  result.bytes_written = writer.bytes();
  writer.finish();
  return result;
}

}  // namespace tracebed
