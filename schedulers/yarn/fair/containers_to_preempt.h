// The containers that the Fair Scheduler marked for preemption, and when it kills them itself.
#pragma once

#include <map>
#include <set>
#include <utility>

#include "core/ids.h"
#include "core/resources.h"
#include "core/time.h"
#include "schedulers/yarn/fair/promised_room.h"

namespace tracebed {

struct ContainerToPreempt {
  ApplicationId application;  // whose it is
  ApplicationId beneficiary;  // the application that gets what it frees
  PromiseId promise = 0;      // may be gone
  Resources resources;
  TraceTime deadline = never;
  TraceTime kill_at = never;  // when the scheduler kills it; never if the engine does
  bool is_final = false;      // it ends, whether it is still needed or not
};

class ContainersToPreempt {
 public:
  void add(ContainerId id, const ContainerToPreempt& request) {
    containers_.emplace(id, request);
    if (request.kill_at != never) to_kill_.insert({request.kill_at, id});
  }
  void remove(ContainerId id) {
    const auto found = containers_.find(id);
    if (found == containers_.end()) return;
    to_kill_.erase({found->second.kill_at, id});
    containers_.erase(found);
  }
  void make_final(ContainerId id) { containers_.at(id).is_final = true; }
  bool contains(ContainerId id) const { return containers_.contains(id); }
  const ContainerToPreempt* find(ContainerId id) const {
    const auto found = containers_.find(id);
    return found == containers_.end() ? nullptr : &found->second;
  }
  const std::map<ContainerId, ContainerToPreempt>& all() const { return containers_; }

  // Of those that the scheduler kills; never if there are none.
  TraceTime next_kill() const { return to_kill_.empty() ? never : to_kill_.begin()->first; }
  // Calls kill(container) for those that timed out; they stay until they have ended.
  template <class Killer>
  void kill_due(TraceTime now, Killer&& kill) {
    while (!to_kill_.empty() && to_kill_.begin()->first <= now) {
      kill(to_kill_.begin()->second);
      to_kill_.erase(to_kill_.begin());
    }
  }

 private:
  std::map<ContainerId, ContainerToPreempt> containers_;
  std::set<std::pair<TraceTime, ContainerId>> to_kill_;
};

}  // namespace tracebed
