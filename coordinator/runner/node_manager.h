// What an experiment's [node_manager] table says of the looks at containers' memory, and what
// yarn-site.xml says of the same (conf.YarnConfiguration).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "coordinator/config/experiment.h"
#include "core/result.h"
#include "core/settings.h"
#include "core/virtual_memory.h"
#include "core/xml_element.h"

namespace tracebed {

std::span<const SettingDescription> node_manager_settings();
Result<VirtualMemoryCheck> read_node_manager(const SettingValues& values);

struct NodeManagerSite {
  // Where a setting stands: "FILE:LINE: PROPERTY", or the property alone for a default of YARN's.
  std::vector<Setting> settings;
  std::vector<std::string> remarks;  // what is not followed
};
// With YARN's own defaults, by which virtual memory is checked.
Result<NodeManagerSite> read_node_manager_site(const XmlElement& root);

}  // namespace tracebed
