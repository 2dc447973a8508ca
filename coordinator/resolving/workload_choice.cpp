#include "coordinator/resolving/workload_choice.h"

#include <fmt/format.h>

#include "core/input_error.h"
#include "traces/format.h"

namespace tracebed {

ScaleFactors scale_factors(const ScaleChoice& choice, std::uint64_t seed) {
  ScaleFactors factors;
  factors.time = choice.time;
  factors.cpu = choice.cpu;
  factors.memory = choice.memory;
  factors.data = choice.data;
  factors.machines = choice.machines;
  factors.thin = choice.thin;
  factors.stretch = choice.stretch;
  factors.tasks = choice.tasks;
  const auto refuse_both = [&](const char* factor) {
    throw InputError(fmt::format("{}: expected keep_load = \"{}\" or a factor {}, got both",
                                 choice.where, factor, factor));
  };
  using KeepLoad = ScaleChoice::KeepLoad;
  if (choice.keep_load == KeepLoad::thin && choice.thin != 1) refuse_both("thin");
  if (choice.keep_load == KeepLoad::stretch && choice.stretch != 1) refuse_both("stretch");
  factors.seed = seed;
  if (const Status status = check_scale(factors); !status) {
    throw InputError(fmt::format("{}: {}", choice.where, status.error().message));
  }
  return factors;
}

TraceOptions trace_options(const TraceChoice& choice, const std::vector<Setting>& rules,
                           const ResourceDimensions& dimensions) {
  TraceOptions options;
  options.dimensions = dimensions;
  if (!choice.format.empty()) options.format = choice.format;
  if (const Status status = check_format(options.format); !status) {
    throw InputError(fmt::format("{}: {}", choice.format_where, status.error().message));
  }
  options.skip_bad = choice.skip_bad_lines;
  for (const Setting& setting : rules) {
    const Status status = set_rule(options.rules, setting.key, setting.value);
    if (!status) throw InputError(fmt::format("{}: {}", setting.where, status.error().message));
  }
  return options;
}

}  // namespace tracebed
