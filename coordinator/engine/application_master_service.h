// Serves masters that run in containers, as YARN's ApplicationMasterService does: takes their
// calls, has their actions carried out, and answers. A master whose timeout expires has failed.
#pragma once

#include <vector>

#include "coordinator/engine/action_executor.h"
#include "coordinator/engine/application_state.h"
#include "coordinator/engine/call_check.h"
#include "coordinator/engine/containers.h"
#include "coordinator/engine/master_timeouts.h"
#include "coordinator/engine/preemptions.h"
#include "coordinator/engine/step_context.h"
#include "core/master_calls.h"
#include "core/scheduler.h"

namespace tracebed {

class ApplicationMasterService {
 public:
  // All outlive this.
  ApplicationMasterService(const ClusterModel& cluster, const ContainerStates& states,
                           ApplicationStates& applications, ActionExecutor& executor,
                           Containers& containers, MasterTimeouts& timeouts,
                           Preemptions& preemptions, StepContext& context)
      : cluster_(cluster),
        states_(states),
        applications_(applications),
        executor_(executor),
        containers_(containers),
        timeouts_(timeouts),
        preemptions_(preemptions),
        context_(context) {}

  // Performs the actions of the call; it is answered by answer_calls().
  void call(const MasterCall& call);
  // Answers the calls since the last time, after the scheduler has decided: the headroom is of the
  // cluster after that.
  void answer_calls(const Scheduler& scheduler);
  // Acts on the timeouts that have expired.
  void expire();

 private:
  void perform_call(const MasterCall& call, ApplicationState& state);
  ActionVerdict verdict_on(const MasterCall& call, const ApplicationState& state,
                           const MasterAction& action) const;
  void count_verdict(ActionVerdict verdict);
  MasterAnswer& add_answer(const MasterCall& call);
  void expire_master(ApplicationId id);

  const ClusterModel& cluster_;
  const ContainerStates& states_;
  ApplicationStates& applications_;
  ActionExecutor& executor_;
  Containers& containers_;
  MasterTimeouts& timeouts_;
  Preemptions& preemptions_;
  StepContext& context_;
  std::vector<MasterAnswer> answers_;
  MasterActions actions_;  // kept for its memory
};

}  // namespace tracebed
