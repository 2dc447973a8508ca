// What the coordinator answers to those who ask it as they ask YARN's ResourceManager over REST.
#pragma once

#include "coordinator/api/run_queue.h"
#include "daemon/http_server.h"

namespace tracebed {

class RedisMonitor;

// Paths of the ResourceManager's web services, each with what it tells of the current run. If
// none does, or if it shows nothing in time, the answer is a RemoteException, as YARN's are.
// `queue` outlives what is returned.
HttpServer::Pages resource_manager_pages(RunQueue& queue, const RedisMonitor* redis = nullptr);

}  // namespace tracebed
