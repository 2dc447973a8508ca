// A container's limits in the kernel's terms.
#pragma once

#include <cstdint>

namespace tracebed {

struct CgroupLimits {
  std::int64_t milli_vcores = 0;  // thousandths of a CPU; positive
  std::int64_t memory_mib = 0;    // anonymous memory, page cache and the kernel's own; positive
  std::int64_t pids = 0;          // processes and threads; positive
  // Thousandths of the CPUs that all containers beside it share: it gets a weight by its part of
  // them, and no quota of its own. 0: a quota.
  std::int64_t milli_vcores_of_all = 0;
};

// The smallest memory limit that is set. Below it the kernel has no room to start a process at all
// (page tables, stacks and the first pages of a static program are charged), so a smaller container
// could never start; scaled-down traces request such containers.
inline constexpr std::int64_t memory_floor_mib = 4;

// The limit that is set for the requested memory: at least the floor.
std::int64_t memory_limit_bytes(const CgroupLimits& limits);

// `quota_us` of CPU time in each period of `period_us`. The period is the kernel's default of
// 100 ms; as the kernel takes no quota below 1,000 us and no period above 1 s, fewer than 10
// milli-vcores get a longer period. 1 milli-vcore is the least that can be expressed, exactly.
struct CpuQuota {
  std::int64_t quota_us = 0;
  std::int64_t period_us = 0;
  bool operator==(const CpuQuota&) const = default;
};
inline constexpr std::int64_t default_cpu_period_us = 100'000;

CpuQuota cpu_quota(std::int64_t milli_vcores);

// The ranges of cpu.shares (version 1) and cpu.weight (version 2). Only the ratios of weights
// count, so a container that has all vcores gets the largest weight: containers of few vcores then
// keep their ratios where weights are rounded.
struct CpuWeightRange {
  std::int64_t least = 0;
  std::int64_t most = 0;
};
inline constexpr CpuWeightRange cpu_shares_range{2, 262'144};
inline constexpr CpuWeightRange cpu_weight_range{1, 10'000};

// Of limits with vcores of all.
std::int64_t cpu_weight(const CgroupLimits& limits, const CpuWeightRange& range);

}  // namespace tracebed
