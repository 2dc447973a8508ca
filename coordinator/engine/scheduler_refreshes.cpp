#include "coordinator/engine/scheduler_refreshes.h"

#include <utility>

namespace tracebed {

void SchedulerRefreshes::take(const Round& round) {
  for (const SchedulerConfiguration& configuration : round.configurations) {
    EngineRefresh refresh{.at = context_.now(), .refusal = {}};
    if (const Status status = reconfigure(configuration); !status) {
      refresh.refusal = status.error().message;
    } else {
      applications_.for_each([&](ApplicationId id, const ApplicationState& state) {
        if (state.is_accepted) leaves_.note(id);
      });
      // So that it looks at what the change allows.
      context_.events.push_back(Tick{});
    }
    context_.digest.refreshed(context_.now(), refresh.refusal.empty());
    all_.push_back(std::move(refresh));
  }
}

Status SchedulerRefreshes::reconfigure(const SchedulerConfiguration& configuration) {
  if (!reader_) return Error{"this run takes no other configuration"};
  const Result<SchedulerParameters> parameters = reader_(configuration);
  if (!parameters) return parameters.error();
  return scheduler_.reconfigure(*parameters, cluster_);
}

}  // namespace tracebed
