#include "agents/launcher/cpu_binding.h"

#include <cerrno>
#include <string>
#include <vector>

#include "core/input_error.h"
#include "system/files.h"

namespace tracebed::launcher {

std::optional<cpu_set_t> bound_cpus(std::int64_t milli_vcores, std::size_t first,
                                    const cpu_set_t& usable) {
  std::vector<std::size_t> cpus;
  for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &usable)) cpus.push_back(cpu);
  }
  const auto wanted = static_cast<std::size_t>((milli_vcores + 999) / 1'000);
  if (wanted >= cpus.size()) return std::nullopt;
  cpu_set_t bound;
  CPU_ZERO(&bound);
  for (std::size_t i = 0; i < wanted; ++i) CPU_SET(cpus[(first + i) % cpus.size()], &bound);
  return bound;
}

cpu_set_t usable_cpus() {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  if (sched_getaffinity(0, sizeof(cpus), &cpus) != 0) {
    throw EnvironmentError("the CPUs of this process cannot be read: " + error_text(errno));
  }
  return cpus;
}

}  // namespace tracebed::launcher
