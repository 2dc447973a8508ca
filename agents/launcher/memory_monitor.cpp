#include "agents/launcher/memory_monitor.h"

#include "agents/launcher/process_files.h"
#include "core/mebibyte.h"
#include "core/virtual_memory.h"

namespace tracebed::launcher {
namespace {

std::int64_t mapped_mib(pid_t process) {
  return (read_process_use(process).virtual_bytes + mebibyte - 1) / mebibyte;
}

}  // namespace

void MemoryMonitor::add(std::uint32_t container, pid_t process, const MemoryLimit& limit) {
  if (limit.virtual_mib <= 0) return;
  const Watched watched{process, limit, 0};
  watched_[container] = watched;
  look_after(std::chrono::steady_clock::now(), container, watched);
}

void MemoryMonitor::look_after(Time time, std::uint32_t container, const Watched& watched) {
  const std::chrono::microseconds interval = watched.limit.interval;
  const auto looks_before = time.time_since_epoch() / interval;
  looks_.push({Time(interval * (looks_before + 1)), container});
}

std::optional<MemoryMonitor::Time> MemoryMonitor::next_look() const {
  return looks_.empty() ? std::nullopt : std::optional(looks_.top().at);
}

std::vector<MemoryMonitor::Excess> MemoryMonitor::look(Time now) {
  std::vector<Excess> found;
  while (!looks_.empty() && looks_.top().at <= now) {
    const std::uint32_t container = looks_.top().container;
    looks_.pop();
    const auto place = watched_.find(container);
    if (place == watched_.end()) continue;
    Watched& watched = place->second;
    const std::int64_t mapped = mapped_mib(watched.process);
    const int survived = looks_survived(mapped, watched.limit.virtual_mib);
    if (survived < 0 || watched.looks++ < survived) {
      look_after(now, container, watched);
    } else {
      found.push_back({container, mapped, watched.limit.virtual_mib});
      watched_.erase(place);
    }
  }
  return found;
}

}  // namespace tracebed::launcher
