// The coordinator's answers to clients of the REST API of YARN's ResourceManager.
#pragma once

#include "coordinator/api/run_queue.h"
#include "daemon/http_server.h"

namespace tracebed {

class RedisMonitor;

// Paths of the ResourceManager's web services, each with what it reports about the current run. If
// no run is in progress, or if it provides nothing in time, the answer is a RemoteException, as
// YARN's are. `queue` outlives the result.
HttpServer::Pages resource_manager_pages(RunQueue& queue, const RedisMonitor* redis = nullptr);

}  // namespace tracebed
