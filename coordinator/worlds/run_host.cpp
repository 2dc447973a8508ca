#include "coordinator/worlds/run_host.h"

#include "coordinator/real/local_cluster.h"

namespace tracebed {

RunHost this_host(const SchedulerRegistry& schedulers, std::string experiment_file) {
  return {.schedulers = schedulers,
          .experiment_file = std::move(experiment_file),
          .programs = own_programs()};
}

}  // namespace tracebed
