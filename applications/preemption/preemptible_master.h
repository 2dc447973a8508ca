// How a master responds to preemption requests (core/preemption.h): which containers it gives up,
// and whether the tasks in them keep their progress. One policy for all kinds of jobs, by name.
//
// Under a strict contract the master only chooses how. Under a negotiable one the amounts count:
// containers are given up until they are covered, in the policy's order, counting first what is
// going already. A gang is given up whole, since the rest of it could not run.
//
// After the MapReduce master's policies (org.apache.hadoop.mapreduce.v2.app.rm.preemption), of
// which Hadoop's two are included under its names.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/application_master.h"
#include "core/settings.h"
#include "core/workload.h"

namespace tracebed {

enum class PreemptionPolicy : std::uint8_t {
  newest_first,       // kills; the last to begin has done the least (the text's suggestion)
  cheapest_first,     // kills; those with the least work to lose: held ones, then by work done
                      // since it was last kept, weighed with what they hold
  reduces_first,      // kills; reduces before maps, the newest first
  checkpoint,         // tasks keep their progress; suggested containers first, then the newest
  ignore,             // waits for force
  hadoop_kill,        // KillAMPreemptionPolicy: kills all that are named, suggested ones too
  hadoop_checkpoint,  // CheckpointAMPreemptionPolicy: only reduces, the newest first, which keep
                      // their progress; maps are never given up
};

inline constexpr SettingDescription preemption_policy_setting{
    "preemption.policy", "newest_first",
    "what a master releases on a preemption request: newest_first, cheapest_first, reduces_first, "
    "checkpoint, ignore, hadoop_kill or hadoop_checkpoint"};
// `reader` knows the setting.
PreemptionPolicy read_preemption_policy(SettingReader& reader);

// Appends KillTask and CheckpointTask for what is given up. `held` is by container; `kinds` are
// those of the stages of what is held, in its order.
void yield(PreemptionPolicy policy, TraceTime now, const PreemptionMessage& message,
           std::span<const HeldContainer> held, std::span<const StageKind> kinds,
           MasterActions& actions);

// The part common to all masters.
class PreemptibleMaster : public ApplicationMaster {
 public:
  void preempted(TraceTime now, const PreemptionMessage& message,
                 std::span<const HeldContainer> held, MasterActions& actions) final;
  void set_policy(PreemptionPolicy policy) { policy_ = policy; }

 private:
  virtual StageKind kind_of(TaskRef task) const = 0;
  // The task in the container must continue elsewhere: at `destination`, or if that is invalid on
  // any node but its own. Called again as long as it is marked for preemption.
  virtual void move_task(const HeldContainer& held, NodeId destination) = 0;
  // Gives back containers that are asked for and in which nothing runs, and says what is left to
  // give up; nothing if none was given back. Most masters hold no such containers.
  virtual std::optional<PreemptionMessage> give_back_idle(TraceTime /*now*/,
                                                          const PreemptionMessage& /*message*/,
                                                          MasterActions& /*actions*/) {
    return std::nullopt;
  }

  PreemptionPolicy policy_ = PreemptionPolicy::newest_first;
};

}  // namespace tracebed
