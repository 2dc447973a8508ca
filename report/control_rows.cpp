#include "report/control_rows.h"

#include "report/run_csv.h"

namespace tracebed {

std::string_view name(ControlOutcome outcome) {
  switch (outcome) {
    case ControlOutcome::taken:
      return "taken";
    case ControlOutcome::refused:
      return "refused";
    case ControlOutcome::dropped:
      return "dropped";
  }
  return "";
}

void write_control_row(CsvWriter& csv, const ControlRow& row) {
  const auto share = [&](std::int64_t value) {
    csv.real(static_cast<double>(value) / static_cast<double>(whole_share));
  };
  write_time(csv, row.input.now);
  write_time(csv, row.due);
  csv.text(row.queue);
  csv.text(row.parameter);
  csv.integer(row.input.pending);
  csv.integer(row.input.running);
  csv.integer(row.input.memory_total_mib);
  csv.integer(row.input.memory_used_mib);
  csv.integer(row.input.queue_used_mib);
  csv.integer(row.input.masters_mib);
  if (row.before < 0) {
    csv.empty();
  } else {
    share(row.before);
  }
  share(row.wanted);
  csv.word(name(row.outcome));
  csv.text(row.reason);
  csv.end_row();
}

}  // namespace tracebed
