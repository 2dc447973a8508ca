// Detects a livelock of preemption: containers are preempted again and again, and none of them
// completes anything. Two queues can do this to each other without end, as with Hadoop's
// schedulers, where a job needs more than its queue's share at once and begins anew whenever it
// loses a container.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>

#include "core/ids.h"
#include "core/workload.h"

namespace tracebed {

class PreemptionLivelock {
 public:
  // How often one container's work is lost before the run counts as one that never ends. The
  // monitor of Hadoop's CapacityScheduler runs every fifteen seconds, so this takes days.
  static constexpr std::uint32_t losses_max = 10'000;

  // A container was preempted or given up for another, and its work was lost: of the task, or of
  // the job's master.
  void lost(ApplicationId application, bool is_master, TaskRef task) {
    const std::uint32_t losses = ++losses_[{application, is_master, task.stage, task.index}];
    if (losses >= losses_max) is_reached_ = true;
  }
  // A task succeeded or kept a part of its work, or a job was submitted or ended.
  void moved_on() {
    if (losses_.empty()) return;
    losses_.clear();
    is_reached_ = false;
  }
  bool is_reached() const { return is_reached_; }

 private:
  // Since the run last made progress.
  std::map<std::tuple<ApplicationId, bool, std::uint32_t, std::uint32_t>, std::uint32_t> losses_;
  bool is_reached_ = false;
};

}  // namespace tracebed
