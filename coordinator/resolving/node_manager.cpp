#include "coordinator/resolving/node_manager.h"

#include <algorithm>
#include <array>

#include "schedulers/yarn/configuration/hadoop_properties.h"
#include "schedulers/yarn/configuration/property_reader.h"

namespace tracebed {
namespace {

constexpr std::array settings{
    SettingDescription{"virtual_memory_check", "false",
                       "true: kill containers whose virtual memory exceeds virtual_memory_ratio "
                       "times their memory (yarn.nodemanager.vmem-check-enabled, true in YARN)"},
    SettingDescription{"virtual_memory_ratio", "2.1",
                       "limit of a container's virtual memory, as a multiple of its memory "
                       "(yarn.nodemanager.vmem-pmem-ratio)"},
    SettingDescription{
        "virtual_memory_factor", "1",
        "virtual memory of a task, as a multiple of the memory that it touches, since no trace "
        "records it; with 1, no task that fits its container is killed"},
    SettingDescription{"look_ms", "3000",
                       "trace time between two checks of a machine's containers "
                       "(yarn.nodemanager.container-monitor.interval-ms)"},
};

// Others are no matter of containers' memory.
constexpr std::array<std::string_view, 4> prefixes{
    "yarn.nodemanager.container-monitor.", "yarn.nodemanager.elastic-memory-control.",
    "yarn.nodemanager.vmem-", "yarn.nodemanager.pmem-"};
constexpr std::string_view check_property = "yarn.nodemanager.vmem-check-enabled";
constexpr std::string_view ratio_property = "yarn.nodemanager.vmem-pmem-ratio";
constexpr std::string_view monitor_property = "yarn.nodemanager.container-monitor.enabled";
constexpr std::string_view interval_property = "yarn.nodemanager.container-monitor.interval-ms";
constexpr std::string_view any_interval_property = "yarn.nodemanager.resource-monitor.interval-ms";
constexpr std::string_view physical_property = "yarn.nodemanager.pmem-check-enabled";
constexpr float ratio_min = 1;
constexpr float ratio_max = 1'000'000;
constexpr std::int64_t look_ms_max = 1'000'000'000;

}  // namespace

std::span<const SettingDescription> node_manager_settings() {
  return settings;
}

Result<VirtualMemoryCheck> read_node_manager(const SettingValues& values) {
  SettingReader reader("node managers", settings, values);
  VirtualMemoryCheck check;
  const bool is_on = reader.choice("virtual_memory_check", {"false", "true"}) == 1;
  const double ratio = reader.fraction("virtual_memory_ratio", ratio_min, ratio_max);
  check.ratio = is_on ? ratio : 0;
  check.factor = reader.fraction("virtual_memory_factor", 1, ratio_max);
  check.interval = reader.milliseconds_of("look_ms", 1, look_ms_max);
  if (const Status status = reader.status(); !status) return status.error();
  return check;
}

Result<NodeManagerSite> read_node_manager_site(const XmlElement& root) {
  HadoopProperties properties;
  if (const Status status = properties.add(root); !status) return status.error();
  PropertyReader reader(properties);
  NodeManagerSite site;
  const bool is_monitored = reader.flag(monitor_property, true);
  const bool is_checked = reader.flag(check_property, true);
  site.settings.push_back({"virtual_memory_check", is_monitored && is_checked ? "true" : "false",
                           properties.place(is_monitored ? check_property : monitor_property)});
  if (reader.has(ratio_property)) {
    reader.fraction(ratio_property, 0, ratio_min, ratio_max);
    site.settings.push_back({"virtual_memory_ratio", reader.text(ratio_property, ""),
                             properties.place(ratio_property)});
  }
  const std::string_view interval =
      reader.has(interval_property) ? interval_property : any_interval_property;
  if (reader.has(interval)) {
    site.settings.push_back({"look_ms", std::to_string(reader.integer(interval, 0, 1, look_ms_max)),
                             properties.place(interval)});
  }
  if (!reader.flag(physical_property, true)) {
    site.remarks.push_back(properties.place(physical_property) +
                           ": is ignored: no container can exceed its memory");
  }
  if (const Status status = reader.status(); !status) return status.error();
  for (const std::string& name : reader.unread()) {
    const bool is_ours = std::any_of(prefixes.begin(), prefixes.end(), [&](std::string_view start) {
      return name.starts_with(start);
    });
    if (!is_ours) continue;
    site.remarks.push_back(properties.place(name) + ": is unknown here and is ignored");
  }
  return site;
}

}  // namespace tracebed
