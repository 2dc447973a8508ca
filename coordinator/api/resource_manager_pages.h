// The coordinator's answers to clients of the REST API of YARN's ResourceManager.
#pragma once

#include <cstddef>

#include "coordinator/api/run_queue.h"
#include "daemon/http_server.h"

namespace tracebed {

class RedisMonitor;

// The maximum of applications in an answer; open ones come before those that have ended.
inline constexpr std::size_t applications_in_answer_max = 10'000;

// Paths of the ResourceManager's web services, each with what it reports about the current run: the
// cluster, its metrics, scheduler, nodes and applications, as JSON, or as XML for who accepts only
// that. If no run is in progress, if it provides nothing in time, and for what is not there or is
// asked for wrongly, the answer is a RemoteException, as YARN's are. `queue` outlives the result.
HttpServer::Pages resource_manager_pages(RunQueue& queue, const RedisMonitor* redis = nullptr);

}  // namespace tracebed
