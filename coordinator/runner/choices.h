// The experiment's choices by name, made into schedulers and job masters by the rooms that know the
// names.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "coordinator/config/experiment.h"
#include "coordinator/engine/master_factory.h"
#include "core/scheduler.h"

namespace tracebed {

using NamedTexts = std::vector<std::pair<std::string, std::string>>;

// Both throw InputError, whose message begins with the place of the wrong setting.
std::unique_ptr<Scheduler> make_chosen_scheduler(const SchedulerChoice& choice, std::uint64_t seed);
MasterFactory make_chosen_masters(const std::vector<Setting>& settings, std::uint64_t seed);

// For the run record: every setting there is, those not given with their defaults.
NamedTexts effective_settings(const SchedulerChoice& choice);
NamedTexts effective_master_settings(const std::vector<Setting>& settings);

// From a run record again. `place` begins the messages.
std::vector<Setting> settings_of_record(const NamedTexts& recorded, const std::string& place);

}  // namespace tracebed
