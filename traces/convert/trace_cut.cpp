#include "traces/convert/trace_cut.h"

#include <fmt/format.h>

#include "core/input_error.h"
#include "system/input_witness.h"
#include "traces/binary/binary_file.h"
#include "traces/binary/binary_writer.h"
#include "traces/convert/trace_convert.h"
#include "traces/machines/machine_changes.h"
#include "traces/parts/record_sorter.h"
#include "traces/parts/streams.h"
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

std::string provenance(const CutOptions& options, bool is_sorted) {
  std::string text = "; Note: cut by tracebed:";
  if (is_sorted) text += " sorted by submit time,";
  if (options.from || options.to) {
    text += fmt::format(" submitted from {} s", to_seconds(options.from.value_or(Duration{})));
    if (options.to) text += fmt::format(" to {} s", to_seconds(*options.to));
    text += " after the first row,";
  }
  if (options.sample < 1) text += fmt::format(" sample {} seed {},", options.sample, options.seed);
  if (options.first) text += fmt::format(" first {} rows,", *options.first);
  if (text.ends_with(':')) text += " all rows,";
  text.pop_back();
  return text + '\n';
}

// The machines' clock is moved as that of the jobs.
void write_machines(const std::string& input, InputWitness* witness, TraceTime start,
                    BinaryTraceWriter& writer) {
  const BinaryTraceFile file(input, witness);
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
      if (reader->format() == "binary") write_machines(input, full.witness, new_start, writer);
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

// The rows of a trace in the order of their submit times.
class RowsInOrder {
 public:
  // `rows` stand at their first row, if `has_row`.
  RowsInOrder(TraceRows& rows, bool has_row, std::size_t sort_bytes_max)
      : rows_(rows), has_row_(has_row), sorted_(sort_bytes_max) {
    if (!rows_.takes_any_order()) return;
    while (take()) sorted_.add(rows_.submit_microseconds(), rows_.text());
  }

  bool next() {
    if (rows_.takes_any_order()) return sorted_.next(submit_, text_);
    if (!take()) return false;
    submit_ = rows_.submit_microseconds();
    text_ = rows_.text();
    return true;
  }
  std::int64_t submit() const { return submit_; }
  std::string_view text() const { return text_; }

 private:
  bool take() {
    while (!has_row_) {
      const TraceRows::Kind kind = rows_.next();
      if (kind == TraceRows::Kind::end) return false;
      has_row_ = kind == TraceRows::Kind::row;
    }
    has_row_ = false;
    return true;
  }

  TraceRows& rows_;
  bool has_row_;
  RecordSorter sorted_;
  std::int64_t submit_ = 0;
  std::string_view text_;
};

CutResult cut_rows(TraceRows& rows, const std::string& output, const CutOptions& options,
                   std::size_t sort_bytes_max) {
  TraceWriter writer(output);
  TraceRows::Kind kind = rows.next();
  for (; kind == TraceRows::Kind::header; kind = rows.next()) {
    writer.write(rows.text());
    writer.write("\n");
  }
  if (rows.format() == "swf") writer.write(provenance(options, rows.takes_any_order()));
  RowsInOrder ordered(rows, kind == TraceRows::Kind::row, sort_bytes_max);
  CutResult result;
  result.format = rows.format();
  std::int64_t start = 0;
  std::optional<std::int64_t> last_written;  // its submit time
  std::uint64_t rows_read_then = 0;          // when it was written
  const std::uint64_t rows_max = options.first.value_or(~std::uint64_t{0});
  while (result.rows_written < rows_max && ordered.next()) {
    const std::uint64_t position = result.rows_read++;
    if (position == 0) start = ordered.submit();
    const Duration since_start = microseconds(ordered.submit() - start);
    if (options.to && since_start >= *options.to) break;
    if (options.from && since_start < *options.from) continue;
    if (!is_sampled(options, position)) continue;
    ++result.rows_written;
    const bool has_its_neighbour = !rows.takes_any_order() && rows_read_then == position;
    writer.write(has_its_neighbour
                     ? ordered.text()
                     : rows.text_below(ordered.text(), ordered.submit(), last_written));
    writer.write("\n");
    last_written = ordered.submit();
    rows_read_then = result.rows_read;
  }
  result.bad_rows = rows.bad_rows().total();
  result.bytes_written = writer.bytes();
  writer.finish();
  return result;
}

}  // namespace

CutResult cut_trace(const std::string& input, const std::string& output,
                    const TraceOptions& trace_options, const CutOptions& options) {
  check(options);
  expect_no_stream(input);
  expect_other_file(output, files_of_trace(input));
  InputWitness witness;
  const TraceOptions witnessed = trace_options.witnessed_by(witness);
  const auto rows = open_rows(input, witnessed);
  if (rows == nullptr) return cut_jobs(input, output, witnessed, options);
  return cut_rows(*rows, output, options, witnessed.sort_bytes_max);
}

}  // namespace tracebed
