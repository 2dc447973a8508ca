#include "agents/cgroups/limits.h"

#include <algorithm>

#include "core/check.h"

namespace tracebed {

std::int64_t memory_limit_bytes(const CgroupLimits& limits) {
  TRACEBED_CHECK(limits.memory_mib > 0, "a container has a memory limit");
  return std::max(limits.memory_mib, memory_floor_mib) << 20;
}

CpuQuota cpu_quota(std::int64_t milli_vcores) {
  TRACEBED_CHECK(milli_vcores > 0, "a container has a CPU limit");
  constexpr std::int64_t quota_min_us = 1'000;
  const std::int64_t quota_us = milli_vcores * default_cpu_period_us / 1'000;
  if (quota_us >= quota_min_us) return {quota_us, default_cpu_period_us};
  return {quota_min_us, quota_min_us * 1'000 / milli_vcores};
}

std::int64_t cpu_weight(const CgroupLimits& limits, const CpuWeightRange& range) {
  const std::int64_t all = limits.milli_vcores_of_all;
  TRACEBED_CHECK(limits.milli_vcores > 0 && all > 0, "a weight is a part of all vcores");
  const std::int64_t part = std::min(limits.milli_vcores, all);
  return std::max(range.least, (part * range.most + all / 2) / all);
}

}  // namespace tracebed
