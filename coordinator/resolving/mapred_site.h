// The properties of MapReduce jobs in mapred-site.xml, as the settings of their masters
// (mapred-default.xml and org.apache.hadoop.mapred.JobConf of Hadoop 2.0 and 3; the analysis' table
// 6.1). A job's own configuration may state the same in Hadoop; here the file applies to every
// MapReduce job.
//
// If the file does not set the size of containers, the trace's is kept, not Hadoop's default: a
// trace has what its jobs requested.
#pragma once

#include <string>
#include <vector>

#include "coordinator/config/experiment.h"
#include "core/result.h"
#include "core/xml_element.h"

namespace tracebed {

// Hadoop 2.0 gives each task's JVM -Xmx200m unless options override it. Hadoop 3 derives a heap
// from the container's memory, and the memory from a heap, if only one of them is stated.
enum class MapredGeneration : std::uint8_t { hadoop_2, hadoop_3 };

struct MapredSite {
  // The place of a setting is "FILE:LINE: PROPERTY".
  std::vector<Setting> masters;    // of job masters (applications/masters.h)
  std::vector<Setting> rules;      // of traces without the requests of tasks (swim.*)
  std::vector<Setting> container;  // of [master_container], integers: milli-vcores, MiB, ms
  // A sentence for each property that is ignored, or that makes little sense.
  std::vector<std::string> remarks;
};

// The error is a sentence that names file, line, property, expected and actual value.
Result<MapredSite> read_mapred_site(const XmlElement& root, MapredGeneration generation);

}  // namespace tracebed
