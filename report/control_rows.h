// The rows of control.csv in a run's folder: one for each change that the scheduler's controller
// wanted, with what it saw.
#pragma once

#include <cstdint>
#include <string>

#include "core/controller.h"
#include "core/time.h"
#include "report/csv_writer.h"

namespace tracebed {

std::string_view name(ControlOutcome outcome);

struct ControlRow {
  ControllerInput input;  // at the decision
  TraceTime due{};        // when the change was to be delivered
  std::string queue;
  std::string parameter;
  std::int64_t before = 0;  // shares, in millionths
  std::int64_t wanted = 0;
  ControlOutcome outcome = ControlOutcome::taken;
  std::string reason;  // why it was refused
};

void write_control_row(CsvWriter& csv, const ControlRow& row);

}  // namespace tracebed
