#include "schedulers/registry.h"

#include <string>

#include "schedulers/hadoop1/capacity/slot_capacity.h"
#include "schedulers/hadoop1/fair/slot_fair.h"
#include "schedulers/hadoop1/slot_fifo.h"
#include "schedulers/hpc/fcfs.h"
#include "schedulers/placement/placement.h"
#include "schedulers/yarn/capacity/capacity_scheduler.h"
#include "schedulers/yarn/fair/fair_scheduler.h"
#include "schedulers/yarn/fifo.h"

namespace tracebed {
namespace {

using Made = Result<std::unique_ptr<Scheduler>>;

SettingReader reader_of(const SchedulerEntry& entry, const SchedulerParameters& parameters) {
  return SettingReader("scheduler " + std::string(entry.name), entry.settings, parameters.settings);
}

Made make_fcfs(const SchedulerEntry& entry, const SchedulerParameters& parameters) {
  const SettingReader reader = reader_of(entry, parameters);
  if (const Status status = reader.status(); !status) return status.error();
  return Made(std::make_unique<FcfsScheduler>());
}

Made make_fifo(const SchedulerEntry& entry, const SchedulerParameters& parameters) {
  SettingReader reader = reader_of(entry, parameters);
  FifoSettings settings;
  settings.calculator =
      ResourceCalculator(reader.choice("resource_calculator", {"memory", "dominant"}) == 0
                             ? ResourceCalculator::Kind::memory
                             : ResourceCalculator::Kind::dominant);
  constexpr std::int64_t amount_max = std::int64_t{1} << 40;
  settings.minimum_allocation =
      Resources(reader.integer("minimum_allocation_milli_vcores", 0, amount_max),
                reader.integer("minimum_allocation_mib", 0, amount_max));
  settings.maximum_allocation =
      Resources(reader.integer("maximum_allocation_milli_vcores", 0, amount_max),
                reader.integer("maximum_allocation_mib", 0, amount_max));
  if (const Status status = reader.status(); !status) return status.error();
  const auto setting = [&](std::string_view name, const char* otherwise) {
    const auto found = parameters.settings.find(name);
    return found == parameters.settings.end() ? std::string(otherwise) : found->second;
  };
  settings.submitters = QueueAcl(setting("acl_submit_applications", "*"));
  const std::string text = setting("groups", "");
  Result<UserGroups> groups = UserGroups::parse(text);
  if (!groups) {
    return Error{"scheduler fifo, setting groups: " + groups.error().message + ", got \"" + text +
                 "\""};
  }
  settings.groups = std::move(*groups);
  settings.names = parameters.names;
  return Made(std::make_unique<FifoScheduler>(settings));
}

Made make_capacity(const SchedulerEntry&, const SchedulerParameters& parameters) {
  Result<CapacitySettings> settings = read_capacity_settings(parameters);
  if (!settings) return settings.error();
  return Made(std::make_unique<CapacityScheduler>(std::move(settings).value()));
}

Made make_fair(const SchedulerEntry&, const SchedulerParameters& parameters) {
  auto made = FairScheduler::make(parameters);
  if (!made) return made.error();
  return Made(std::move(made).value());
}

Made make_placement(PlacementSettings::Rule rule, const SchedulerEntry& entry,
                    const SchedulerParameters& parameters) {
  SettingReader reader = reader_of(entry, parameters);
  PlacementSettings settings;
  settings.rule = rule;
  settings.seed = parameters.seed;
  if (rule != PlacementSettings::Rule::random) {
    settings.share = reader.choice("share", {"sum", "dominant"}) == 0
                         ? PlacementSettings::Share::sum
                         : PlacementSettings::Share::dominant;
  }
  settings.locality = reader.choice("locality", {"ignore", "prefer"}) == 0
                          ? PlacementSettings::Locality::ignore
                          : PlacementSettings::Locality::prefer;
  if (const Status status = reader.status(); !status) return status.error();
  return Made(std::make_unique<PlacementScheduler>(settings));
}

template <PlacementSettings::Rule rule>
Made make_with_rule(const SchedulerEntry& entry, const SchedulerParameters& parameters) {
  return make_placement(rule, entry, parameters);
}

Made make_slot_capacity(const SchedulerEntry&, const SchedulerParameters& parameters) {
  Result<SlotCapacitySettings> settings = read_slot_capacity_settings(parameters);
  if (!settings) return settings.error();
  return Made(
      std::make_unique<SlotCapacityScheduler>(std::move(settings).value(), parameters.names));
}

Made make_slot_fair(const SchedulerEntry&, const SchedulerParameters& parameters) {
  auto made = SlotFairScheduler::make(parameters);
  if (!made) return made.error();
  return Made(std::move(made).value());
}

Made make_slot_fifo(const SchedulerEntry&, const SchedulerParameters& parameters) {
  const Result<SlotFifoSettings> settings = read_slot_fifo_settings(parameters);
  if (!settings) return settings.error();
  return Made(std::make_unique<SlotFifoScheduler>(*settings));
}

constexpr SettingDescription share_setting{
    "share", "sum",
    "how used a node is: `sum` of the used shares of all dimensions, or the `dominant` one"};
constexpr SettingDescription locality_setting{
    "locality", "ignore",
    "whether to `ignore` where a task's input is, or to `prefer` its nodes, then its racks"};

std::vector<SchedulerEntry> make_entries() {
  using Rule = PlacementSettings::Rule;
  return {
      {"binpack",
       "Each unit goes to the fullest node that has room for it; what does not fit is passed over.",
       "Docker Swarm, scheduler/strategy; Du et al., section 3.2",
       {share_setting, locality_setting},
       make_with_rule<Rule::binpack>},
      {"capacity",
       "YARN's CapacityScheduler: a tree of queues with guarantees and maxima, and limits of users "
       "and of application masters.",
       "Apache Hadoop, resourcemanager.scheduler.capacity.CapacityScheduler",
       {capacity_setting_descriptions().begin(), capacity_setting_descriptions().end()},
       make_capacity},
      {"fair",
       "YARN's FairScheduler: a tree of queues that share by weights and minimum shares, each by a "
       "policy of its own.",
       "Apache Hadoop, resourcemanager.scheduler.fair.FairScheduler", fair_setting_descriptions(),
       make_fair},
      {"fcfs",
       "First come, first served: the head of the line waits until all its units fit at once.",
       "Feitelson and Rudolph 1995, space sharing without backfilling",
       {},
       make_fcfs},
      {"fifo",
       "YARN's FifoScheduler: applications in order of submission, on each node's heartbeat as "
       "much as the node holds.",
       "Apache Hadoop, resourcemanager.scheduler.fifo.FifoScheduler",
       {{"resource_calculator", "memory",
         "what is compared with the minimum allocation: `memory`, or the `dominant` share"},
        {"minimum_allocation_mib", "1024",
         "containers have a multiple of it, and a node with less memory free gets nothing "
         "(yarn.scheduler.minimum-allocation-mb)"},
        {"minimum_allocation_milli_vcores", "1000",
         "with the dominant calculator: likewise for thousandths of a core "
         "(yarn.scheduler.minimum-allocation-vcores)"},
        {"maximum_allocation_mib", "0",
         "larger asks are refused; 0: those larger than every node, as a trace's tasks may be "
         "above YARN's own default of 8192 (yarn.scheduler.maximum-allocation-mb)"},
        {"maximum_allocation_milli_vcores", "0",
         "likewise for thousandths of a core; YARN's own default is 4 cores "
         "(yarn.scheduler.maximum-allocation-vcores)"},
        {"acl_submit_applications", "*",
         "who may submit: users, a blank, groups, each between commas; `*` for everybody"},
        {"groups", "",
         "the users' groups, USER=GROUP+GROUP with commas between; who is not listed has one "
         "group, "
         "named as the user"}},
       make_fifo},
      {"random",
       "Each unit goes to any node that has room for it, with equal chances.",
       "Docker Swarm, scheduler/strategy; Du et al., section 3.2",
       {locality_setting},
       make_with_rule<Rule::random>},
      {"slot_capacity",
       "Hadoop 1's Capacity Scheduler: queues with parts of the map and reduce slots, as it was in "
       "0.20.0, 0.20.2 and 1.x.",
       "Apache Hadoop 0.20.0, 0.20.2 and 1.2.1, org.apache.hadoop.mapred.CapacityTaskScheduler",
       slot_capacity_setting_descriptions(), make_slot_capacity},
      {"slot_fair",
       "Hadoop 1's Fair Scheduler: pools share map and reduce slots, by ratio (1.x) or by deficit "
       "(0.20).",
       "Apache Hadoop 0.20.2 and 1.2.1, org.apache.hadoop.mapred.FairScheduler",
       slot_fair_setting_descriptions(), make_slot_fair},
      {"slot_fifo",
       "Hadoop 1's first scheduler: jobs by priority and submission, in map and reduce slots.",
       "Apache Hadoop 0.20.2, org.apache.hadoop.mapred.JobQueueTaskScheduler",
       slot_fifo_setting_descriptions(), make_slot_fifo},
      {"spread",
       "Each unit goes to the least used node that has room for it; what does not fit is passed "
       "over.",
       "Docker Swarm, scheduler/strategy; Du et al., section 3.2",
       {share_setting, locality_setting},
       make_with_rule<Rule::spread>},
  };
}

}  // namespace

std::span<const SchedulerEntry> builtin_schedulers() {
  static const std::vector<SchedulerEntry> entries = make_entries();
  return entries;
}

const SchedulerEntry* find_scheduler(std::string_view name) {
  for (const SchedulerEntry& entry : builtin_schedulers()) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

Result<std::unique_ptr<Scheduler>> make_scheduler(std::string_view name,
                                                  const SchedulerParameters& parameters) {
  const SchedulerEntry* entry = find_scheduler(name);
  if (entry != nullptr) return entry->make(*entry, parameters);
  std::string message = "there is no scheduler \"" + std::string(name) + "\"";
  const char* separator = "; there are ";
  for (const SchedulerEntry& known : builtin_schedulers()) {
    message += separator + std::string(known.name);
    separator = ", ";
  }
  return Error{message};
}

}  // namespace tracebed
