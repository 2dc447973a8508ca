// The XML files that a scheduler's settings name: read, judged, and kept with the run. What there
// is to know of a scheduler's files stands in its entry; of a name that is not registered nothing
// is known, which is told where the scheduler is made.
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

// Beside the settings that a scheduler describes itself, those that yarn-site.xml can state may
// come from such a file.
inline constexpr const char* yarn_site_setting = "yarn_site";

// What a scheduler is made with besides its own settings and files.
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
// with the setting's place, for a file that cannot be read or may not be.
Documents read_documents(const SchedulerRegistry& schedulers, const SchedulerChoice& choice);

// The choice with what its yarn-site.xml says as settings, where it has one; settings that are
// given stay as they are. It names no yarn-site.xml any more. Throws InputError.
SchedulerChoice with_yarn_site(const SchedulerRegistry& schedulers, const SchedulerChoice& choice);

// The settings and files of the choice as texts, as they are logged when a scheduler is told them
// while it runs; and back, for the scheduler. The first throws InputError, the second fails.
SchedulerConfiguration configuration_of(const SchedulerRegistry& schedulers,
                                        const SchedulerChoice& choice);
Result<SchedulerParameters> read_configuration(const SchedulerConfiguration& configuration,
                                               const SchedulerSurroundings& surroundings);

// What of a complete choice means something else under these factors, a sentence each.
std::vector<std::string> changed_by_scale(const SchedulerRegistry& schedulers,
                                          const SchedulerChoice& complete,
                                          const ScaleChoice& scale);

// Everything in the choice's files that is not followed, a sentence each.
std::vector<std::string> passed_over(const SchedulerRegistry& schedulers,
                                     const SchedulerChoice& choice,
                                     const ResourceDimensions& dimensions);

// Refuses files with absolute amounts for a cluster that is divided: what a queue's "8192 mb" would
// become of depends on which of the factors its cluster is meant to be divided by. Throws
// InputError.
void check_is_scalable(const SchedulerRegistry& schedulers, const SchedulerChoice& choice,
                       const ScaleChoice& scale);

// Copies the files into the run's folder, below "scheduler-files", under names that tell different
// contents apart. Returns the choice with the copies' paths, relative to the folder, so that the
// run can be decided again when the originals are gone. The copies are added to `kept`. Throws
// EnvironmentError.
SchedulerChoice keep_files(const SchedulerRegistry& schedulers, const SchedulerChoice& choice,
                           const std::filesystem::path& run, std::vector<ListedFile>& kept);

}  // namespace tracebed
