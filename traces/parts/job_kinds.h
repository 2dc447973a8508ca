// The cost table: what MapReduce jobs of a kind take, for traces that tell only what kind a job is
// and how much it reads. All experiments use this one; its figures are rules (kind.KIND.FIGURE), so
// each can be set, and those that were used are recorded with the run.
//
// A task lasts its start, the CPU time of one of its threads on at most one core, and the waits for
// its own disk: all of that while nothing else uses machine and disk. It has one thread, or one for
// each of its vcores (mix.threads), which compute side by side after the start. In a run with
// storage the same bytes pass modelled or real disks and links along with the work, so a task lasts
// longer only if these give them later than it would take them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/resources.h"
#include "core/workload.h"
#include "traces/parts/rules.h"

namespace tracebed {

struct JobKindRow {
  std::string_view name;
  JobCosts TraceRules::*costs = nullptr;
};
// In the order of their names.
std::span<const JobKindRow> job_kinds();
// Null if there is none of that name.
const JobCosts* find_job_kind(const TraceRules& rules, std::string_view name);
// "grep, sort, …"
std::string job_kind_names();

// The bytes that maps keep for the reduces, of `input_bytes` that they read; and that reduces
// write, of `shuffle_bytes` that they fetch. Jobs without reduces write what maps would keep. At
// most 2^62.
std::int64_t shuffled_by(const JobCosts& costs, std::int64_t input_bytes);
std::int64_t written_by(const JobCosts& costs, std::int64_t shuffle_bytes);

// Sets duration and CPU time of a task from the bytes in `work` and from the vcores of `demand`.
// False, with `work` undefined, if it would take more than 10^12 s.
bool set_map_costs(Work& work, const JobCosts& costs, const MixRules& rules,
                   const Resources& demand);
bool set_reduce_costs(Work& work, const JobCosts& costs, const MixRules& rules,
                      const Resources& demand);

}  // namespace tracebed
