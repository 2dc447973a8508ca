// What a job on executors gives back when a scheduler asks for room.
#include <algorithm>

#include "applications/executors/executors_master.h"

namespace tracebed {

std::optional<PreemptionMessage> ExecutorsMaster::give_back_idle(TraceTime now,
                                                                 const PreemptionMessage& message,
                                                                 MasterActions& actions) {
  if (count(ExecutorState::idle) == 0) return std::nullopt;
  PreemptionMessage left = message;
  if (left.strict) {
    for (const PreemptionContainer& named : left.strict->containers) {
      const auto place = containers_.find(named.container);
      if (place == containers_.end()) continue;
      Executor& executor = executors_[place->second];
      if (executor.state == ExecutorState::idle) give_back(executor, actions);
    }
  }
  if (left.negotiable) {
    for (PreemptionResourceRequest& request : left.negotiable->requests) {
      give_back_for(request, actions);
    }
  }
  settle(now, actions);
  return left;
}

void ExecutorsMaster::give_back_for(PreemptionResourceRequest& request, MasterActions& actions) {
  Resources needed = request.capability * static_cast<std::int64_t>(request.count);
  const auto is_needed = [&] {
    for (std::size_t d = 0; d < Resources::dimensions_max; ++d) {
      if (needed[d] > 0 && size_[d] > 0) return true;
    }
    return false;
  };
  std::vector<std::size_t> idle;
  for (auto place = containers_.rbegin(); place != containers_.rend(); ++place) {
    const Executor& executor = executors_[place->second];
    const bool is_on_node = !request.node.is_valid() || request.node == executor.place.node;
    if (executor.state == ExecutorState::idle && is_on_node) idle.push_back(place->second);
  }
  for (const std::size_t index : idle) {
    if (!is_needed()) break;
    give_back(executors_[index], actions);
    needed -= size_;
  }
  for (std::size_t d = 0; d < Resources::dimensions_max; ++d) {
    needed[d] = std::max<std::int64_t>(needed[d], 0);
  }
  request.capability = needed;
  request.count = 1;
}

}  // namespace tracebed
