// What a master with a fault says instead of what it would say when containers are wanted back
// (applications/hosting/master_faults.h). Its policy (applications/preemption) is asked all the
// same; this is between the policy and the call.
#pragma once

#include <map>
#include <set>
#include <utility>

#include "applications/hosting/master_faults.h"
#include "core/application_master.h"
#include "core/preemption.h"
#include "core/time.h"

namespace tracebed {

class FaultyAnswers {
 public:
  explicit FaultyAnswers(MasterFault fault) : fault_(fault) {}

  // The master was given this container.
  void granted(ContainerId container);
  bool dies_of(const PreemptionMessage& preemption) const;
  // `answer` is what the policy wants. What is left in it is said as it stands; returns what is
  // said besides, which the master itself does not know of.
  MasterActions spoil(const PreemptionMessage& preemption, MasterActions& answer);
  // What is said once more, or now that its time has come; to be asked at every turn.
  MasterActions due(TraceTime now);
  // The answer was said: whether the call with it comes once more, and whether bytes that are no
  // message go before it. Each is told once.
  bool repeats_call() { return std::exchange(repeats_call_, false); }
  bool spoils_call() { return std::exchange(spoils_call_, false); }

 private:
  struct Delayed {
    TraceTime after;
    MasterAction action;
  };
  void delay(const PreemptionMessage& preemption, MasterActions& answer);
  MasterActions of_others(const MasterActions& answer) const;

  MasterFault fault_;
  std::set<ContainerId> own_;  // all that it was ever given; of answers_for_others alone
  MasterActions repeated_;
  bool repeats_call_ = false;
  bool spoils_call_ = false;
  std::map<ContainerId, Delayed> delayed_;
};

}  // namespace tracebed
