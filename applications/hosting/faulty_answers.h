// How a master with a fault answers preemption requests (applications/hosting/master_faults.h). Its
// policy (applications/preemption) is consulted all the same; this is between the policy and the
// call.
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
  // `answer` is the policy's. What is left in it is sent unchanged; returns what is sent in
  // addition, which the master itself does not know of.
  MasterActions spoil(const PreemptionMessage& preemption, MasterActions& answer);
  // What is sent once more, or is due by now; to be called at every turn.
  MasterActions due(TraceTime now);
  // After the answer was sent: whether the call with it is repeated, and whether bytes that are not
  // a message precede it. Each is reported once.
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
