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
