// The XML files that a scheduler's settings name: read, checked, and stored with the run. A
// scheduler's files are described in its entry; for a name that is not registered, these functions
// know none, and the error is reported when the scheduler is made.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "coordinator/config/experiment.h"
#include "core/fleet.h"
#include "core/names.h"
#include "core/result.h"
#include "core/scheduler_parameters.h"
#include "core/xml_element.h"
#include "report/file_list.h"
#include "schedulers/registry.h"

namespace tracebed {

// In addition to the settings that a scheduler describes itself, those that yarn-site.xml can state
// may come from such a file.
inline constexpr const char* yarn_site_setting = "yarn_site";

// What a scheduler is made with in addition to its own settings and files.
struct SchedulerSurroundings {
  std::uint64_t seed = 1;
  const Names& names;  // outlives the scheduler, and may grow while it lives
  ResourceDimensions dimensions;
};

// Whether a setting of the scheduler of this name names an XML file.
bool is_xml_setting(const SchedulerRegistry& schedulers, std::string_view scheduler,
                    std::string_view key);

using Documents = std::map<std::string, XmlElement, std::less<>>;

// The root elements of the files that the choice's settings name. A relative path starts at the
// choice's folder; a value that begins with "<" is the XML itself. Throws InputError, which begins
// with the setting's place, for a file that cannot be read or is not allowed.
Documents read_documents(const SchedulerRegistry& schedulers, const SchedulerChoice& choice);

// The choice with the settings of its yarn-site.xml, if it has one; given settings are not
// replaced. The result names no yarn-site.xml. Throws InputError.
SchedulerChoice with_yarn_site(const SchedulerRegistry& schedulers, const SchedulerChoice& choice);

// The settings and files of the choice as texts, as they are logged for a refresh of a running
// scheduler; and back, for the scheduler. The first throws InputError, the second fails.
SchedulerConfiguration configuration_of(const SchedulerRegistry& schedulers,
                                        const SchedulerChoice& choice);
Result<SchedulerParameters> read_configuration(const SchedulerConfiguration& configuration,
                                               const SchedulerSurroundings& surroundings);

// What in a complete choice has another meaning under these factors, a sentence each.
std::vector<std::string> changed_by_scale(const SchedulerRegistry& schedulers,
                                          const SchedulerChoice& complete,
                                          const ScaleChoice& scale);

// Everything in the choice's files that is ignored, a sentence each.
std::vector<std::string> passed_over(const SchedulerRegistry& schedulers,
                                     const SchedulerChoice& choice,
                                     const ResourceDimensions& dimensions);

// Rejects files with absolute amounts for a cluster that is divided: how to divide a queue's "8192
// mb" depends on which of the factors its cluster is meant to be divided by. Throws InputError.
void check_is_scalable(const SchedulerRegistry& schedulers, const SchedulerChoice& choice,
                       const ScaleChoice& scale);

// Copies the files into the run's folder, below "scheduler-files", under names that distinguish
// different contents. Returns the choice with the copies' paths, relative to the folder, so that
// the run can be decided again without the originals. The copies are added to `kept`. Throws
// EnvironmentError.
SchedulerChoice keep_files(const SchedulerRegistry& schedulers, const SchedulerChoice& choice,
                           const std::filesystem::path& run, std::vector<ListedFile>& kept);

}  // namespace tracebed
