// A scheduler of an experiment, resolved: its files read once, and all its settings, as the
// experiment, its files or its defaults have them, in this order of precedence.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "coordinator/config/experiment.h"
#include "coordinator/resolving/named_files.h"
#include "core/names.h"
#include "core/resources.h"
#include "core/scheduler.h"
#include "schedulers/registry.h"
#include "schedulers/yarn/configuration/yarn_site.h"

namespace tracebed {

// In addition to the settings that a scheduler describes itself, those that yarn-site.xml can state
// may come from such a file.
inline constexpr const char* yarn_site_setting = "yarn_site";

struct ResolvedScheduler {
  std::string name;
  std::string label;
  std::string where;                      // of the scheduler in the experiment
  const SchedulerEntry* entry = nullptr;  // never null once resolved; of the registry
  // All that the entry describes, in its order.
  std::vector<Setting> settings;
  // Of the settings that name one, by their keys.
  std::map<std::string, NamedFile, std::less<>> files;
  FileFolder folder;  // where paths of further files start
  // Of a machine, which limit what it places there in this experiment; resolve() sets them.
  LimitedDimensions limits;
  // What is ignored in its files, and what scaling changes: a sentence each.
  std::vector<std::string> remarks;
  // Of its yarn-site.xml: lies under its file with the queues, and under those of refreshes.
  SiteLayer layer = {};
};

// What a scheduler is made with in addition to its own settings and files.
struct SchedulerSurroundings {
  std::uint64_t seed = 1;
  const Names& names;  // outlives the scheduler, and may grow while it lives
  ResourceDimensions dimensions;
  Duration heartbeat{};  // of the cluster's nodes; zero: nobody says
};

// Those of an experiment's schedulers.
SchedulerSurroundings surroundings_of(const ExperimentTables& experiment, std::uint64_t seed,
                                      const Names& names);

// All further functions throw InputError, which begins with the place of the setting that it is
// about.

// Reads files; whether the settings' values are good is found by make_scheduler. `schedulers`
// outlives the result.
ResolvedScheduler resolve_scheduler(const SchedulerRegistry& schedulers,
                                    const SchedulerChoice& choice,
                                    const ResourceDimensions& dimensions, NamedFiles& files);
// The same of a scheduler alone.
ResolvedScheduler resolve_scheduler(const SchedulerRegistry& schedulers,
                                    const SchedulerChoice& choice,
                                    const ResourceDimensions& dimensions);

// The names of its entry's differences that settings, files and jobs touch.
std::vector<std::string> differences_of(const ResolvedScheduler& scheduler,
                                        const ResourceDimensions& dimensions, bool has_gangs);

std::unique_ptr<Scheduler> make_scheduler(const ResolvedScheduler& scheduler,
                                          const SchedulerSurroundings& surroundings);

// Divides amounts as the workload is divided. The scheduler must be one that can be made. Refuses
// files with absolute amounts for a cluster that is divided: how to divide a queue's "8192 mb"
// depends on which of the factors its cluster is meant to be divided by.
void scale_scheduler(ResolvedScheduler& scheduler, const ScaleChoice& scale);

// The scheduler with another value of one setting, which is not scaled; a file is read, and refused
// as by scale_scheduler.
ResolvedScheduler with_setting(ResolvedScheduler scheduler, const Setting& setting,
                               const ScaleChoice& scale);

// What the file that with_update changes has, by name; empty where there is none.
std::vector<std::pair<std::string, std::string>> mutable_properties(
    const ResolvedScheduler& scheduler);

// The scheduler with other properties in its file, whose text is rewritten; refused as by
// scale_scheduler. Its parts that are files of their own stay: none is read. An InputError does not
// begin with a place.
ResolvedScheduler with_update(ResolvedScheduler scheduler, const ConfigurationUpdate& update,
                              const ScaleChoice& scale, const ResourceDimensions& dimensions);

}  // namespace tracebed
