// FIFO as it is registered.
#include "schedulers/entries/allocation_keys.h"
#include "schedulers/entries/differences.h"
#include "schedulers/entries/entries.h"
#include "schedulers/parts/entry_settings.h"
#include "schedulers/yarn/fifo.h"

namespace tracebed {
namespace {

using MadeFifo = Result<std::unique_ptr<Scheduler>>;

MadeFifo make_fifo(const SchedulerEntry& entry, const SchedulerParameters& parameters) {
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
    return Error{
        "scheduler fifo, setting groups: " + groups.error().message + ", got \"" + text + "\"",
        "groups"};
  }
  settings.groups = std::move(*groups);
  settings.names = parameters.names;
  return MadeFifo(std::make_unique<FifoScheduler>(settings));
}

}  // namespace

SchedulerEntry fifo_entry() {
  return {.name = "fifo",
          .summary =
              "YARN's FifoScheduler: applications in order of submission; each node is filled on "
              "its heartbeat.",
          .source = "Apache Hadoop, resourcemanager.scheduler.fifo.FifoScheduler",
          .settings =
              {{"resource_calculator", "memory",
                "what a node's room is counted in: `memory`, as in YARN, or all resources "
                "(`dominant`: the minimum allocation is compared with the dominant share)"},
               {"minimum_allocation_mib", "1024",
                "container memory is a multiple of it, and nodes with less free memory are skipped "
                "(yarn.scheduler.minimum-allocation-mb)"},
               {"minimum_allocation_milli_vcores", "1000",
                "the same in thousandths of a core, with the dominant calculator "
                "(yarn.scheduler.minimum-allocation-vcores)"},
               {"maximum_allocation_mib", "0",
                "larger asks are refused; 0: only asks larger than every node are, since tasks of "
                "a trace may exceed YARN's default of 8192 (yarn.scheduler.maximum-allocation-mb)"},
               {"maximum_allocation_milli_vcores", "0",
                "the same in thousandths of a core; YARN's default is 4 cores "
                "(yarn.scheduler.maximum-allocation-vcores)"},
               {"acl_submit_applications", "*",
                "users and groups that may submit: users separated by commas, a blank, groups "
                "separated by commas; `*` for everybody"},
               {"groups", "",
                "groups of users: USER=GROUP+GROUP, separated by commas; a user who is not listed "
                "has one group of the same name"}},
          .make = make_fifo,
          .imitated = "YARN",
          .differences = fifo_differences(),
          .info_form = SchedulerInfoForm::fifo,
          .yarn_site = {.class_name = "FifoScheduler", .keys = with_allocation_keys({})}};
}

}  // namespace tracebed
