#include "coordinator/cli/run_flags.h"

#include <chrono>
#include <fmt/chrono.h>
#include <fmt/format.h>

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

std::filesystem::path default_output(const std::string& name) {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  const std::string base = fmt::format("runs/{}-{:%Y%m%d-%H%M%S}", name, fmt::localtime(now));
  std::filesystem::path folder = base;
  for (int i = 2; std::filesystem::exists(folder); ++i) folder = fmt::format("{}-{}", base, i);
  return folder;
}

}  // namespace tracebed
