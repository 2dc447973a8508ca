// What the run records: attempts, jobs and samples of the cluster; and which of these show that the
// run makes no progress.
#pragma once

#include <cstdint>

#include "coordinator/engine/application_state.h"
#include "coordinator/engine/container_state.h"
#include "coordinator/engine/fragmentation.h"
#include "coordinator/engine/preemption_livelock.h"
#include "coordinator/engine/step_context.h"
#include "core/cluster_model.h"
#include "core/fleet.h"

namespace tracebed {

class RunRecords {
 public:
  // Both outlive this.
  RunRecords(Ledger& ledger, StepContext& context)
      : cluster_(ledger.model()), context_(context), fragmentation_(ledger) {}

  // Fills in the record of a job that is submitted now. `tasks`: how many it has.
  void job_submitted(ApplicationId id, const Job& job, std::uint32_t tasks, JobRecord& record);
  // The job was given a container.
  void allocated(JobRecord& record);
  void attempt_ended(ContainerId id, const Container& container, const ContainerState& state,
                     ContainerEnd end, const ContainerAccount& account);
  void job_ended(JobRecord& record, JobOutcome outcome, const std::string& diagnostics,
                 LeafId leaf);
  // If the cluster changed since the last one. `jobs_open`: submitted and not ended.
  void sample(std::size_t jobs_open);

  // True if preemption keeps the run from ever completing anything.
  bool is_livelocked() const { return livelock_.is_reached(); }

 private:
  const ClusterModel& cluster_;
  StepContext& context_;
  std::uint32_t jobs_waiting_ = 0;  // open ones without a container so far
  PreemptionLivelock livelock_;
  Fragmentation fragmentation_;
};

}  // namespace tracebed
