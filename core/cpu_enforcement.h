// How the vcores of a container are enforced while its processes run.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace tracebed {

enum class CpuEnforcement : std::uint8_t {
  // At most as many as it has, also while cores are idle: a quota of CPU time (YARN's
  // strict-resource-usage, Kubernetes' limits).
  quota,
  // In proportion to what it has while its machine's cores are short, and what is idle beside:
  // a weight (YARN's default, Kubernetes' requests, Docker's --cpu-shares). One that has none
  // has the weight of its whole machine.
  weight,
};
inline constexpr std::array<std::string_view, 2> cpu_enforcement_names{"quota", "weight"};

constexpr std::string_view name(CpuEnforcement enforcement) {
  return cpu_enforcement_names[static_cast<std::size_t>(enforcement)];
}

}  // namespace tracebed
