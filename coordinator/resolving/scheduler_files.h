// The XML files of schedulers: which settings name one, how they are logged for a refresh, and how
// they are stored with the run.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "coordinator/config/experiment.h"
#include "coordinator/resolving/resolved_scheduler.h"
#include "core/fleet.h"
#include "core/result.h"
#include "core/scheduler_parameters.h"
#include "report/file_list.h"
#include "schedulers/registry.h"

namespace tracebed {

// Whether a setting of the scheduler of this name names an XML file; false for an unknown name.
bool is_xml_setting(const SchedulerRegistry& schedulers, std::string_view scheduler,
                    std::string_view key);
// Whether this one does: an empty value names none.
bool names_xml_file(const SchedulerEntry& entry, const Setting& setting);

// Puts the properties before those of the file, which then replace them. Throws InputError, which
// begins with the setting's place, if its text cannot say so.
void layer_under(const std::vector<XmlElement>& properties, const Setting& setting,
                 NamedFile& file);

// Adds the files that a scheduler's file names to it, as properties: its text then says all that
// its copy needs to say. `setting` is what names the file; relative paths in it start where it is.
// Throws InputError, which begins with the setting's place, for one that cannot be read or is not
// allowed.
void take_in_files(const SchedulerEntry& entry, const FileFolder& folder, const Setting& setting,
                   NamedFiles& files, NamedFile& file);

// Settings and files as texts, as they are logged for a refresh of a running scheduler; and back,
// for the scheduler. The second fails with a sentence.
SchedulerConfiguration configuration_of(const ResolvedScheduler& scheduler);
Result<SchedulerParameters> read_configuration(const SchedulerConfiguration& configuration,
                                               const SchedulerSurroundings& surroundings);

// Copies the files into the run's folder, below "scheduler-files", under names that distinguish
// different contents. Returns the scheduler with the copies' paths, relative to the folder, so that
// the run can be decided again without the originals. The copies are added to `kept`. Throws
// EnvironmentError.
ResolvedScheduler keep_files(ResolvedScheduler scheduler, const std::filesystem::path& run,
                             std::vector<ListedFile>& kept);

// Writes the file that this setting names, whose text was changed in a run, into the run's folder,
// under a name of its own that is the setting's from then on; an earlier one is replaced. Throws
// EnvironmentError.
ListedFile keep_rewritten_file(ResolvedScheduler& scheduler, std::string_view setting,
                               const std::filesystem::path& run);

}  // namespace tracebed
