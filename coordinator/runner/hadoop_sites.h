// The Hadoop files that an experiment names in addition to its schedulers' own: mapred-site.xml in
// [masters], yarn-site.xml in [node_manager].
#pragma once

#include <span>
#include <string>
#include <vector>

#include "coordinator/config/experiment.h"
#include "core/settings.h"
#include "core/virtual_memory.h"

namespace tracebed {

inline constexpr std::string_view mapred_site_setting = "mapred_site";
inline constexpr std::string_view node_manager_site_setting = "yarn_site";

// The settings of [masters] in addition to the masters' own.
std::span<const SettingDescription> mapred_site_settings();

struct SitedExperiment {
  Experiment experiment;  // names none of these files any more
  // A sentence for each property that is ignored.
  std::vector<std::string> remarks;
};

// Applies the files if the experiment itself has no value, and divides masters' settings whose
// names end in _mib or _milli_vcores as the workload is. Throws InputError.
SitedExperiment with_hadoop_sites(const Experiment& experiment);

// For an experiment that names no file. Throws InputError.
VirtualMemoryCheck chosen_memory_check(const Experiment& experiment);

}  // namespace tracebed
