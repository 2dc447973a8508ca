#include "coordinator/cli/run_flags.h"

namespace tracebed {

std::vector<Override> overrides_of(const RunFlags& flags) {
  std::vector<Override> overrides;
  const auto add = [&](const std::string& key, const std::string& value) {
    if (!value.empty()) overrides.push_back({"--" + key, key, value});
  };
  add("world", flags.world);
  add("seed", flags.seed);
  add("repetitions", flags.repetitions);
  if (flags.paranoid) add("paranoid", "true");
  if (flags.ignore_unsupported) {
    overrides.push_back({"--ignore-unsupported", "ignore_unsupported", "true"});
  }
  if (!flags.parallel.empty()) {
    overrides.push_back({"--parallel", "virtual.parallel", flags.parallel});
  }
  if (flags.quick) {
    overrides.push_back({"--quick", "repetitions", "1"});
    overrides.push_back({"--quick", "compare.noise", "false"});
  }
  if (flags.noise) overrides.push_back({"--noise", "compare.noise", "true"});
  for (const std::string& setting : flags.settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw CLI::ValidationError("--set", "expected KEY=VALUE, got " + setting);
    }
    const std::string key = setting.substr(0, equals);
    overrides.push_back({"--set " + key, key, setting.substr(equals + 1)});
  }
  return overrides;
}

}  // namespace tracebed
