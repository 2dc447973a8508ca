// What the writers and readers of a run folder's CSV files (report/run_columns.h) share.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "core/resources.h"
#include "core/time.h"
#include "core/workload.h"
#include "report/csv_writer.h"
#include "report/jct_parts.h"

namespace tracebed {

// The order of a job's parts in its row of jobs.csv, from waiting_us on.
inline constexpr std::array jobs_csv_parts{JctPart::waiting,    JctPart::launch,    JctPart::work,
                                           JctPart::contention, JctPart::heartbeat, JctPart::lost};

// A resource's column: "milli_vcores" and "memory_mib" carry their units, the others have the
// experiment's.
std::string column_name(const ResourceDimensions& dimensions, std::size_t dimension);

// The field of a time that was never reached is empty.
void write_time(CsvWriter& csv, TraceTime time);

std::string_view name(JobKind kind);

}  // namespace tracebed
