// What mapred-site.xml says of MapReduce jobs, as the settings of their masters (mapred-default.xml
// and org.apache.hadoop.mapred.JobConf of Hadoop 2.0 and 3; the analysis' table 6.1). A job's own
// configuration may state the same in Hadoop; here the file holds for every MapReduce job.
//
// Where the file is silent about the size of containers the trace's is kept, not Hadoop's default:
// a trace tells what its jobs asked for.
#pragma once

#include <string>
#include <vector>

#include "coordinator/config/experiment.h"
#include "core/result.h"
#include "core/xml_element.h"

namespace tracebed {

// Hadoop 2.0 gives each task's JVM -Xmx200m unless options say otherwise. Hadoop 3 works out a heap
// from the container's memory, and the memory from a heap, where only one of them is stated.
enum class MapredGeneration : std::uint8_t { hadoop_2, hadoop_3 };

struct MapredSite {
  // Where a setting stands: "FILE:LINE: PROPERTY".
  std::vector<Setting> masters;    // of job masters (applications/masters.h)
  std::vector<Setting> rules;      // of traces that do not tell what tasks ask for (swim.*)
  std::vector<Setting> container;  // of [master_container], integers: milli-vcores, MiB, ms
  // A sentence for each property that is not followed, or that makes little sense.
  std::vector<std::string> remarks;
};

// The error is a sentence that names file, line, property, what was expected and what came.
Result<MapredSite> read_mapred_site(const XmlElement& root, MapredGeneration generation);

}  // namespace tracebed
