// The engine's representative of an application master that runs in a container: it obtains the
// container, gathers the news for the master's next call, and tries again when an attempt at the
// master fails.
//
// The master's container is requested with priority 0 (YARN:
// RMAppAttemptImpl.AM_CONTAINER_PRIORITY). Its ask has slot 0; the slots of the master's own asks
// are one higher than it numbers them. They are opened only after it has registered, so its
// container is the application's first.
//
// An attempt fails when its container ends before the master has unregistered, or when nothing was
// received from it for the expiry interval. Its containers are then killed, and the next attempt
// begins without state: as MRv2 without recovery (yarn.app.mapreduce.am.job.recovery.enable =
// false), since there is no job history to recover from. YARN keeps the containers of a failed
// attempt only for applications that were submitted with keepContainersAcrossApplicationAttempts,
// which MapReduce's are not. An attempt that the system ended (killed by the scheduler, node lost)
// is repeated without counting against the attempts, as in
// RMAppAttemptImpl.shouldCountTowardsMaxAttemptRetry.
#pragma once

#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <vector>

#include "core/application_master.h"
#include "core/immutable.h"
#include "core/master_calls.h"
#include "core/workload.h"

namespace tracebed {

class ManagedMaster final : public ApplicationMaster {
 public:
  static constexpr AskSlot own_slot = 0;

  ManagedMaster(const MasterContainerOptions& options, const Job& job);
  // False if the system ended the master's container, which is not the master's failure.
  static bool is_own_failure(ContainerEnd end);

  void start(TraceTime now, MasterActions& actions) override;
  void granted(TraceTime now, const Grant& grant, MasterActions& actions) override;
  // Also of containers in which nothing was launched; such an end makes no actions.
  void attempt_ended(TraceTime now, const AttemptEnd& end, MasterActions& actions) override;
  void progressed(TraceTime now, const AttemptProgress& progress, MasterActions& actions) override;
  void node_lost(TraceTime now, NodeId node, MasterActions& actions) override;

  // Complete: every attempt at the master begins with it.
  const Job& job() const { return *job_; }
  const Immutable<Job>& shared_job() const { return job_; }
  const std::vector<std::uint32_t>& stage_tasks() const { return stage_tasks_; }
  ContainerId container() const { return container_; }
  std::uint32_t attempt() const { return attempt_; }
  // The containers that this attempt was granted and that have not ended, except its own.
  const std::set<ContainerId>& held() const { return held_; }

  enum class CallOrder : std::uint8_t {
    fresh,       // the next call of this attempt: its actions are to be performed
    repeated,    // the last one once more: it gets the same answer
    misplaced,   // out of order; it gets none
    superseded,  // of another attempt, or of one that has ended: its process is to end
  };
  CallOrder receive(TraceTime now, const MasterCall& call);
  // The next attempt must avoid that node, since this one is moved.
  void leave(NodeId node) { left_ = node; }
  bool has_registered() const { return sequence_ > 0; }  // this attempt
  // The last call was the unregistration, so the process will end by itself.
  void unregister() { has_unregistered_ = true; }
  bool has_unregistered() const { return has_unregistered_; }
  // The answer to the last call that was fresh.
  MasterAnswer& last_answer() { return last_answer_; }
  // As much of the news as the answer holds.
  void move_news_to(MasterAnswer& answer);
  // The engine reports which asks of the master's are open, so that a failed attempt's can be
  // closed.
  void ask_opened(AskSlot slot) { open_slots_.insert(slot); }
  void ask_closed(AskSlot slot) { open_slots_.erase(slot); }
  // When the attempt counts as failed if nothing is received until then; `never` without one.
  TraceTime expires_at() const;
  // The attempt is over for that reason. Does not kill its own container.
  void expire(TraceTime now, MasterActions& actions);

 private:
  void ask(TraceTime now, MasterActions& actions);
  void fail(TraceTime now, const std::string& how, bool counts, MasterActions& actions);

  MasterContainerOptions options_;
  Immutable<Job> job_;
  std::vector<std::uint32_t> stage_tasks_;
  std::uint32_t attempt_ = 0;  // the current or last one; 0: none has begun
  std::uint32_t failures_ = 0;
  ContainerId container_;  // of the current attempt; invalid while one is waited for
  NodeId left_;
  TraceTime asked_{};
  TraceTime last_call_{};
  std::uint64_t sequence_ = 0;  // of the last fresh call of this attempt
  bool has_unregistered_ = false;
  std::set<ContainerId> held_;
  std::set<AskSlot> open_slots_;  // of the engine's numbering; for fail()
  std::deque<MasterNews> news_;
  MasterAnswer last_answer_;
};

}  // namespace tracebed
