// A job master's end of the conversation with the engine (core/master_calls.h): it hosts any
// ApplicationMaster, sends its actions as calls and passes it the answers as if it ran in the
// engine. The same in the virtual world, where the fleet carries calls and answers, and in
// tracebed-appmaster.
//
// After Hadoop's RMCommunicator: it registers; the first allocation comes one heartbeat interval
// later, and then one every interval. What goes to machines there rather than to the
// ResourceManager (launching, continuing, killing, checkpointing) does not wait for the next
// heartbeat, nor does the end of the job.
//
// Deviations, each on purpose:
// - [master-task-end] A task's end is reported with the next heartbeat too, as YARN reports a
//   container's. MRv2's tasks also notify their master themselves, slightly earlier.
// - [master-quota] The CPU quota of a master's container is not divided by [scale] cpu, as what its
//   process does is not (RealMasterOptions::quota_factor).
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>

#include "applications/hosting/faulty_answers.h"
#include "core/application_master.h"
#include "core/master_calls.h"

namespace tracebed {

class CallingMaster final : public HostedMaster {
 public:
  CallingMaster(std::unique_ptr<ApplicationMaster> master, ApplicationId application,
                std::uint32_t attempt, Duration heartbeat_interval,
                MasterFault fault = MasterFault::none);

  TraceTime next_call() const override { return next_call_; }
  void make_call(MasterCall& call) override;
  void take_answer(const MasterAnswer& answer) override;
  bool has_ended() const override { return has_ended_; }
  bool has_failed() const override { return has_failed_; }
  bool spoils_next_call() const override { return spoils_next_call_; }

 private:
  // The state of a container that was granted.
  struct Container {
    HeldContainer held;
    bool is_launched = false;  // a task, in it; else the master holds it for one
  };

  void tell(TraceTime now, const MasterNews& news);
  void report_preemptions(TraceTime now);
  // Adds actions that the master does not know of.
  void add_faults(MasterActions actions);
  // Takes over the master's actions.
  void collect(TraceTime now);
  void note(TraceTime now, const MasterAction& action);

  std::unique_ptr<ApplicationMaster> master_;
  ApplicationId application_;
  std::uint32_t attempt_;
  Duration heartbeat_interval_;

  std::uint64_t sequence_ = 0;      // of the last call
  TraceTime next_call_{};           // at once
  TraceTime heartbeat_at_ = never;  // when the master's next one is due
  bool is_urgent_ = false;          // something of outgoing_ does not wait for the next heartbeat
  bool is_leaving_ = false;         // the last call was the unregistration
  bool has_ended_ = false;
  FaultyAnswers faults_;
  bool has_failed_ = false;
  bool spoils_next_call_ = false;
  std::optional<MasterCall> repeated_;  // the last call, if it is sent once more
  bool is_repeating_ = false;           // it is under way for the second time
  TraceTime next_after_repeat_{};
  PreemptionMessage preemption_;  // as last passed to the master
  MasterActions actions_;         // of the master's last turn
  std::deque<MasterAction> outgoing_;
  std::optional<FinishApplication> finish_;
  std::map<ContainerId, Container> containers_;  // that it has; not those that it released
};

}  // namespace tracebed
