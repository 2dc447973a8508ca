#include "applications/hosting/master_host.h"

#include "applications/hosting/calling_master.h"

namespace tracebed {

MasterHost make_master_host(const MasterOptions& options, std::uint64_t seed,
                            Duration heartbeat_interval, const MasterFaults& faults) {
  return [builder = MasterBuilder(options, seed), heartbeat_interval,
          faults](const LaunchMaster& command) mutable -> std::unique_ptr<HostedMaster> {
    Job job = *command.job;
    return std::make_unique<CallingMaster>(builder.build(job, *command.nodes), command.application,
                                           command.attempt, heartbeat_interval,
                                           faults.of(command.application, command.attempt));
  };
}

}  // namespace tracebed
