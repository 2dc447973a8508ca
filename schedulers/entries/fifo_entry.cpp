// FIFO as it is registered.
#include "schedulers/entries/allocation_keys.h"
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
  return {
      .name = "fifo",
      .summary =
          "YARN's FifoScheduler: applications in order of submission, on each node's heartbeat as "
          "much as the node holds.",
      .source = "Apache Hadoop, resourcemanager.scheduler.fifo.FifoScheduler",
      .settings =
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
            "group, named as the user"}},
      .make = make_fifo,
      .info_form = SchedulerInfoForm::fifo,
      .yarn_site = {.class_name = "FifoScheduler", .keys = with_allocation_keys({})}};
}

}  // namespace tracebed
