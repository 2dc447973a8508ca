// The experiment's choices by name, turned into schedulers and job masters by the rooms that define
// the names.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "applications/hosting/master_faults.h"
#include "coordinator/config/experiment.h"
#include "coordinator/engine/master_factory.h"
#include "coordinator/engine/relocation.h"
#include "coordinator/runner/scheduler_files.h"
#include "core/fleet.h"
#include "core/names.h"
#include "core/scheduler.h"
#include "schedulers/registry.h"

namespace tracebed {

using NamedTexts = std::vector<std::pair<std::string, std::string>>;

// Both throw InputError, whose message begins with the place of the wrong setting.
std::unique_ptr<Scheduler> make_chosen_scheduler(const SchedulerRegistry& schedulers,
                                                 const SchedulerChoice& choice,
                                                 const SchedulerSurroundings& surroundings);
MasterFactory make_chosen_masters(const std::vector<Setting>& settings, std::uint64_t seed);
// The same masters, to be run in containers.
MasterHost make_chosen_master_host(const std::vector<Setting>& settings, std::uint64_t seed,
                                   Duration heartbeat_interval, const MasterFaults& faults);

// The choice with all settings that the scheduler has; those not given are taken from its
// yarn-site.xml, if it has one, else they are defaults. Amounts are stated at the size of the
// trace, as everything in an experiment is, so settings whose names end in _milli_vcores or _mib
// are divided as the workload is; those in files are not, and are refused by check_is_scalable. The
// choice must be one that can be made.
SchedulerChoice complete_choice(const SchedulerRegistry& schedulers, const SchedulerChoice& choice,
                                const ScaleChoice& scale);
// Likewise for the given settings of job masters. Throws InputError for an invalid one.
std::vector<Setting> scaled_master_settings(std::vector<Setting> settings,
                                            const ScaleChoice& scale);
std::vector<Setting> complete_master_settings(const std::vector<Setting>& settings);
// The relocate policy of these settings; empty if it is off. Throws InputError.
std::optional<RelocationOptions> chosen_relocation(const std::vector<Setting>& settings);
// The policy's entries in a run record, among the masters' settings: none if it is off.
NamedTexts relocation_to_record(const std::vector<Setting>& settings);
// Removes them from a run record's settings again.
std::vector<Setting> take_relocation(NamedTexts& recorded, const std::string& place);

// How long a run of the experiment may be quiet before it is given up
// (ReplayOptions::give_up_after).
Duration chosen_give_up_time(const Experiment& experiment);

NamedTexts to_record(const std::vector<Setting>& settings);

// From a run record. `place` begins the messages.
std::vector<Setting> settings_of_record(const NamedTexts& recorded, const std::string& place);

}  // namespace tracebed
