#include "traces/parts/job_kinds.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

#include "traces/parts/rounding.h"
#include "traces/parts/trace_rows.h"

namespace tracebed {
namespace {

constexpr std::array<JobKindRow, 6> kinds = {{{"grep", &TraceRules::grep},
                                              {"kmeans", &TraceRules::kmeans},
                                              {"pagerank", &TraceRules::pagerank},
                                              {"sort", &TraceRules::sort},
                                              {"terasort", &TraceRules::terasort},
                                              {"wordcount", &TraceRules::wordcount}}};

// Seconds for 10^6 bytes are microseconds for one.
bool set_costs(Work& work, double cpu_microseconds, double wait_microseconds, const MixRules& rules,
               const Resources& demand) {
  const auto startup = static_cast<double>(rules.startup.count());
  const auto threads = static_cast<double>(
      rules.threads == TaskThreads::one ? 1
                                        : std::max<std::int64_t>(1, demand.milli_vcores() / 1000));
  const double cpu = startup + cpu_microseconds * threads;
  // Less than a core holds a thread up; more than one do not help it.
  const double vcores = std::clamp(static_cast<double>(demand.milli_vcores()), 1.0, 1000.0) / 1000;
  const double cores = rules.cpu_limit == CpuLimit::core ? 1 : vcores;
  const double duration = (startup + cpu_microseconds) / cores + wait_microseconds;
  const auto most = static_cast<double>(trace_microseconds_max);
  if (!(duration < most && cpu < most)) return false;
  work.cpu_time = microseconds(nearest_whole(cpu));
  work.duration = std::max(microseconds(nearest_whole(duration)), microseconds(1));
  return true;
}

std::int64_t part_of(std::int64_t bytes, double ratio) {
  constexpr std::int64_t most = std::int64_t{1} << 62;
  const double product = static_cast<double>(bytes) * ratio;
  return product < static_cast<double>(most) ? nearest_whole(product) : most;
}

}  // namespace

std::span<const JobKindRow> job_kinds() {
  return kinds;
}

const JobCosts* find_job_kind(const TraceRules& rules, std::string_view name) {
  for (const JobKindRow& kind : kinds) {
    if (kind.name == name) return &(rules.*kind.costs);
  }
  return nullptr;
}

std::string job_kind_names() {
  std::vector<std::string_view> names;
  for (const JobKindRow& kind : kinds) names.push_back(kind.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::int64_t shuffled_by(const JobCosts& costs, std::int64_t input_bytes) {
  return part_of(input_bytes, costs.map_output);
}

std::int64_t written_by(const JobCosts& costs, std::int64_t shuffle_bytes) {
  return part_of(shuffle_bytes, costs.output);
}

bool set_map_costs(Work& work, const JobCosts& costs, const MixRules& rules,
                   const Resources& demand) {
  const auto bytes = static_cast<double>(work.input_bytes);
  return set_costs(work, bytes * costs.map_cpu, bytes * costs.map_wait, rules, demand);
}

bool set_reduce_costs(Work& work, const JobCosts& costs, const MixRules& rules,
                      const Resources& demand) {
  const auto bytes = static_cast<double>(work.shuffle_bytes);
  return set_costs(work, costs.reduce_base * 1e6 + bytes * costs.reduce_cpu,
                   bytes * costs.reduce_wait, rules, demand);
}

}  // namespace tracebed
