// The Hadoop files that an experiment names in addition to its schedulers' own: mapred-site.xml in
// [masters], yarn-site.xml in [node_manager].
#pragma once

#include <span>
#include <string>
#include <vector>

#include "coordinator/config/experiment.h"
#include "core/settings.h"

namespace tracebed {

class NamedFiles;

inline constexpr std::string_view mapred_site_setting = "mapred_site";
inline constexpr std::string_view node_manager_site_setting = "yarn_site";

// The settings of [masters] in addition to the masters' own.
std::span<const SettingDescription> mapred_site_settings();

// Replaces the names of the files by what they state, where the experiment itself has no value.
// Returns a sentence for each property that is ignored. Throws InputError, which begins with the
// place of the setting that names the file.
std::vector<std::string> follow_hadoop_sites(Experiment& experiment, NamedFiles& files);

}  // namespace tracebed
