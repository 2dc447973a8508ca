// /ws/v1/cluster/scheduler-conf: the configuration of the current run's scheduler, and changes of
// it, as YARN's ResourceManager takes them (RMWebServices.updateSchedulerConfiguration and
// getSchedulerConfiguration).
#pragma once

#include "coordinator/api/run_queue.h"
#include "daemon/http_server.h"

namespace tracebed {

class AuditLog;

struct SchedulerConfOptions {
  // Whether requests come with a token: without, nothing is changed over HTTP, where a web page
  // that somebody looks at may be what asks.
  bool has_tokens = false;
  AuditLog* audit = nullptr;  // of changes; null: none
  // Timeout of an answer: then the client gets status 503, and the change may still be taken.
  std::chrono::milliseconds outcome_timeout = std::chrono::seconds(10);
};

// A change is passed to the run as `tracebed cluster tune` passes one; the answer is there when the
// run has taken or refused it. `queue` and `options.audit` outlive the result.
HttpServer::Pages scheduler_conf_pages(RunQueue& queue, const SchedulerConfOptions& options);

}  // namespace tracebed
