#include "coordinator/resolving/fault_choice.h"

namespace tracebed {

TaskFaults task_faults(const FaultChoice& faults, std::uint64_t seed) {
  return {.ignored_checkpoints = faults.ignored_checkpoints,
          .exceeded_memory = faults.exceeded_memory,
          .seed = seed};
}

MasterFaults master_faults(const FaultChoice& chosen, std::uint64_t seed) {
  MasterFaults faults{.seed = seed};
  faults.part(MasterFault::repeats) = chosen.repeated_answers;
  faults.part(MasterFault::is_late) = chosen.late_answers;
  faults.part(MasterFault::answers_for_others) = chosen.foreign_answers;
  faults.part(MasterFault::says_garbage) = chosen.garbage_answers;
  faults.part(MasterFault::dies) = chosen.crashes_during_preemption;
  return faults;
}

}  // namespace tracebed
