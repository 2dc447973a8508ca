// Makes the masters that run in containers, each behind its end of the conversation.
#pragma once

#include <cstdint>

#include "applications/hosting/master_faults.h"
#include "applications/masters.h"
#include "core/fleet.h"

namespace tracebed {

// What MasterBuilder makes, in a CallingMaster. Every attempt begins with the whole job.
MasterHost make_master_host(const MasterOptions& options, std::uint64_t seed,
                            Duration heartbeat_interval, const MasterFaults& faults);

}  // namespace tracebed
