// The settings of an experiment's [node_manager] table for checks of containers' memory, and the
// same from yarn-site.xml (conf.YarnConfiguration).
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
  // The place of a setting is "FILE:LINE: PROPERTY", or the property alone for a default of YARN's.
  std::vector<Setting> settings;
  std::vector<std::string> remarks;  // properties that are ignored
};
// With YARN's own defaults, by which virtual memory is checked.
Result<NodeManagerSite> read_node_manager_site(const XmlElement& root);

}  // namespace tracebed
