#include "report/run_csv.h"

#include "core/unknown_constant.h"

namespace tracebed {
std::string column_name(const ResourceDimensions& dimensions, std::size_t dimension) {
  if (dimension == Resources::vcores_dimension) return "milli_vcores";
  if (dimension == Resources::memory_dimension) return "memory_mib";
  return dimensions.name(dimension);
}

void write_time(CsvWriter& csv, TraceTime time) {
  if (time == never) {
    csv.empty();
  } else {
    csv.integer(to_microseconds(time));
  }
}

std::string tasks_csv_header(const ResourceDimensions& dimensions) {
  std::string header =
      "job,application,stage,task,attempt,units,is_master,container,node,locality,launched,end,"
      "asked_us,allocated_us,reported_us,started_us,work_begun_us,ended_us,nominal_us,cpu_us,"
      "memory_peak_mib,bytes_read,bytes_written,exit_code,signal";
  for (std::size_t d = 0; d < dimensions.size(); ++d) header += "," + column_name(dimensions, d);
  return header;
}

std::string samples_csv_header(const ResourceDimensions& dimensions) {
  std::string header =
      "start_us,end_us,containers,containers_max,jobs_open,jobs_open_max,jobs_waiting,"
      "jobs_waiting_max,jobs_ended";
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    header +=
        ",allocated_" + column_name(dimensions, d) + ",capacity_" + column_name(dimensions, d);
  }
  return header;
}

std::string queues_csv_header(const ResourceDimensions& dimensions) {
  std::string header = "at_us,queue,active,waiting";
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    const std::string name = column_name(dimensions, d);
    header += ",used_" + name + ",entitled_" + name + ",capacity_" + name;
  }
  return header;
}

std::string_view name(JobKind kind) {
  switch (kind) {
    case JobKind::map_reduce:
      return "map_reduce";
    case JobKind::rigid:
      return "rigid";
    case JobKind::dag:
      return "dag";
    case JobKind::service:
      return "service";
  }
  unknown_constant();
}

}  // namespace tracebed
