// What the alive nodes could hold if they were empty, to tell an ask that waits for room from one
// that waits for a machine.
#pragma once

#include <cstdint>
#include <vector>

#include "core/scheduler.h"

namespace tracebed {

class AliveCapacity {
 public:
  // To be called for every event of every decide(). Returns true if a node came or went.
  bool see(const ClusterModel& cluster, const SchedulerEvent& event);

  // Units of `demand` that fit on all alive nodes together when nothing runs on them.
  std::int64_t units(const Resources& demand) const;

 private:
  // Machines are bought in batches, so there are few kinds.
  struct Kind {
    Resources capacity;
    std::int64_t nodes = 0;
  };
  void count(const Resources& capacity, std::int64_t change);

  LimitedDimensions limits_;  // the model's
  std::vector<Kind> kinds_;
  std::vector<Resources> counted_;  // by node: the capacity it is counted with, zero if not alive
};

}  // namespace tracebed
