// The columns of a run folder's CSV files.
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

// Times are microseconds of trace time since the trace's start; an empty field is a time that was
// never reached. The columns from waiting_us to lost_us add up to finished_us − submitted_us
// (report/jct_parts.h).
inline constexpr std::string_view jobs_csv_header =
    "job,application,name,user,queue,kind,priority,outcome,tasks,attempts,attempts_lost,due_us,"
    "submitted_us,first_allocated_us,finished_us,ideal_us,waiting_us,launch_us,work_us,"
    "contention_us,heartbeat_us,lost_us,diagnostics";

// The order in which a job's parts stand in its row is that of the columns above.
inline constexpr std::array jobs_csv_parts{JctPart::waiting,    JctPart::launch,    JctPart::work,
                                           JctPart::contention, JctPart::heartbeat, JctPart::lost};

// `launched` is 0 for a container that was given back or lost before a task was started in it; its
// columns from started_us on are empty. vcores are thousandths, memory is MiB.
std::string tasks_csv_header(const ResourceDimensions& dimensions);

// Means over [start_us, end_us), but for the columns named _max and for jobs_ended, a count.
std::string samples_csv_header(const ResourceDimensions& dimensions);

// One row per sample and leaf queue; the capacity is the cluster's.
std::string queues_csv_header(const ResourceDimensions& dimensions);

// A resource's column: "milli_vcores" and "memory_mib" carry their units, the others have whatever
// the experiment says.
std::string column_name(const ResourceDimensions& dimensions, std::size_t dimension);

// Leaves the field of a time that was never reached empty.
void write_time(CsvWriter& csv, TraceTime time);

std::string_view name(JobKind kind);

}  // namespace tracebed
