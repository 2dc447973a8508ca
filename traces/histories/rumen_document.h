// Jobs and machines in the form of Hadoop's Rumen (LoggedJob, LoggedNetworkTopology), as JSON.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "traces/histories/job_configuration.h"
#include "traces/histories/job_history.h"

namespace tracebed {

using RackOfHost = std::map<std::string, std::string>;

// One line, with its end. `racks` knows every host of the job.
std::string rumen_document(const JobHistory& job, const JobConfiguration& configuration,
                           const RackOfHost& racks);
std::string rumen_topology(const RackOfHost& racks);

// Rack → hosts, both ascending.
std::map<std::string, std::vector<std::string>> by_rack(const RackOfHost& racks);

}  // namespace tracebed
