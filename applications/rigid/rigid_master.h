// Master of a rigid job: one gang of tasks that run at the same time or not at all.
//
// It asks for all tasks at once. When a piece does not succeed, the others are killed, and when all
// have ended the gang is asked for again as a whole. A piece that the system ended (killed, node
// lost) is not the job's failure, so this may happen any number of times; when pieces failed by
// themselves as often as attempts are allowed, the job has failed.
#pragma once

#include <cstdint>
#include <vector>

#include "applications/parts/stage_work.h"
#include "applications/preemption/preemptible_master.h"
#include "core/application_master.h"

namespace tracebed {

class RigidMaster final : public PreemptibleMaster {
 public:
  // The job's one stage; `attempts_max` is positive.
  RigidMaster(Stage&& stage, std::uint32_t attempts_max);

  void start(TraceTime now, MasterActions& actions) override;
  void granted(TraceTime now, const Grant& grant, MasterActions& actions) override;
  void gang_granted(TraceTime now, const GangGrant& grant, MasterActions& actions) override;
  void gang_ended(TraceTime now, const GangEnd& end, MasterActions& actions) override;
  void attempt_ended(TraceTime now, const AttemptEnd& end, MasterActions& actions) override;
  void node_lost(TraceTime, NodeId, MasterActions&) override {}

 private:
  StageKind kind_of(TaskRef) const override { return StageKind::gang; }
  // The whole gang continues elsewhere; a node for one piece cannot be chosen.
  void move_task(const HeldContainer& held, NodeId) override { avoided_ = held.node; }
  void ask(TraceTime now, MasterActions& actions);
  // No container of this attempt runs, and no more are expected.
  bool is_over() const { return containers_ == 0 && placed_ == work_.tasks(); }

  Resources demand_;
  StageWork work_;
  std::uint32_t attempts_max_;
  std::uint32_t attempt_ = 0;
  std::uint32_t failures_ = 0;
  std::uint32_t placed_ = 0;     // tasks of this attempt that were given a container
  std::uint32_t succeeded_ = 0;  // tasks of this attempt that succeeded
  bool is_broken_ = false;       // this attempt lost a piece; the others are being killed
  TraceTime asked_{};
  ContainerId first_;             // of this attempt's containers, whose ids are consecutive
  std::uint32_t containers_ = 0;  // of them, running
  NodeId avoided_;                // one of its nodes, which the next attempt should avoid
  // By container; empty while all that were launched at once run.
  std::vector<bool> ended_;
};

}  // namespace tracebed
