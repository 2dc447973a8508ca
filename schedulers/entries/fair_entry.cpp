// The Fair Scheduler as it is registered.
#include <array>

#include "schedulers/entries/allocation_keys.h"
#include "schedulers/entries/differences.h"
#include "schedulers/entries/entries.h"
#include "schedulers/hadoop1/explain/explain_slots.h"
#include "schedulers/yarn/configuration/absolute_amounts.h"
#include "schedulers/yarn/configuration/property_tables.h"
#include "schedulers/yarn/fair/explain_fair.h"
#include "schedulers/yarn/fair/fair_scheduler.h"
#include "schedulers/yarn/fair/tuned_allocations.h"

namespace tracebed {
namespace {

using MadeFair = Result<std::unique_ptr<Scheduler>>;

MadeFair make_fair(const SchedulerEntry&, const SchedulerParameters& parameters) {
  auto made = FairScheduler::make(parameters);
  if (!made) return made.error();
  return MadeFair(std::move(made).value());
}

using FairForm = YarnSiteKey::Form;

constexpr std::array fair_keys{
    YarnSiteKey{"yarn.resource-types.memory-mb.increment-allocation", "increment_allocation_mib"},
    YarnSiteKey{"yarn.resource-types.vcores.increment-allocation",
                "increment_allocation_milli_vcores", FairForm::thousands},
    YarnSiteKey{"yarn.scheduler.increment-allocation-mb", "increment_allocation_mib"},
    YarnSiteKey{"yarn.scheduler.increment-allocation-vcores", "increment_allocation_milli_vcores",
                FairForm::thousands},
    YarnSiteKey{"yarn.scheduler.fair.user-as-default-queue", "user_as_default_queue",
                FairForm::boolean},
    YarnSiteKey{"yarn.scheduler.fair.allow-undeclared-pools", "allow_undeclared_pools",
                FairForm::boolean},
    YarnSiteKey{"yarn.scheduler.fair.sizebasedweight", "size_based_weight", FairForm::boolean},
    YarnSiteKey{"yarn.scheduler.fair.assignmultiple", "assign_multiple", FairForm::boolean},
    YarnSiteKey{"yarn.scheduler.fair.dynamic.max.assign", "dynamic_max_assign", FairForm::boolean},
    YarnSiteKey{"yarn.scheduler.fair.max.assign", "max_assign"},
    YarnSiteKey{"yarn.scheduler.fair.locality.threshold.node", "locality_threshold_node",
                FairForm::fraction},
    YarnSiteKey{"yarn.scheduler.fair.locality.threshold.rack", "locality_threshold_rack",
                FairForm::fraction},
    YarnSiteKey{"yarn.scheduler.fair.locality-delay-node-ms", "locality_delay_node_ms"},
    YarnSiteKey{"yarn.scheduler.fair.locality-delay-rack-ms", "locality_delay_rack_ms"},
    YarnSiteKey{"yarn.scheduler.fair.continuous-scheduling-enabled", "continuous_scheduling",
                FairForm::boolean},
    YarnSiteKey{"yarn.scheduler.fair.continuous-scheduling-sleep-ms",
                "continuous_scheduling_sleep_ms"},
    YarnSiteKey{"yarn.scheduler.fair.update-interval-ms", "update_interval_ms"},
    YarnSiteKey{"yarn.scheduler.fair.reservable-nodes", "reservable_nodes", FairForm::fraction},
    YarnSiteKey{"yarn.scheduler.reservation-threshold.increment-multiple", "reservation_increments",
                FairForm::fraction},
    YarnSiteKey{"yarn.scheduler.fair.preemption", "preemption.enabled", FairForm::boolean},
    YarnSiteKey{"yarn.scheduler.fair.preemption.cluster-utilization-threshold",
                "preemption.cluster_utilization_threshold", FairForm::fraction},
    YarnSiteKey{"yarn.scheduler.fair.am.preemption", "preemption.masters", FairForm::boolean},
    YarnSiteKey{"yarn.scheduler.fair.am.preemption.", "preemption.masters_of_queues",
                FairForm::boolean, YarnSiteKey::Match::queues_below},
    YarnSiteKey{"yarn.scheduler.fair.waitTimeBeforeKill", "preemption.wait_before_kill_ms"},
    YarnSiteKey{"yarn.scheduler.fair.waitTimeBeforeNextStarvationCheck",
                "preemption.wait_before_next_check_ms"},
};

std::vector<std::string> unread_by_fair(const SchedulerFile& file) {
  const Result<FairSettings> settings = read_fair_settings(file.settings);
  if (!settings) return {};
  const auto read = read_fair_allocations(file.root, file.dimensions, form_of(*settings));
  return read ? read->review.sentences() : std::vector<std::string>();
}

Result<ExplainedFile> explain_fair(const SchedulerFile& file,
                                   std::span<const ExplainedMachines> machines) {
  const Result<FairSettings> settings = read_fair_settings(file.settings);
  if (!settings) return settings.error();
  const auto allocations = read_fair_allocations(file.root, file.dimensions, form_of(*settings));
  if (!allocations) return allocations.error();
  return ExplainedFile{explain(*allocations, total_of(machines), file.dimensions),
                       allocations->review.sentences()};
}

}  // namespace

SchedulerEntry fair_entry() {
  return {.name = "fair",
          .summary =
              "YARN's FairScheduler: a tree of queues that share by weights and minimum shares, "
              "each with its own policy.",
          .source = "Apache Hadoop, resourcemanager.scheduler.fair.FairScheduler",
          .settings = fair_setting_descriptions(),
          .make = make_fair,
          .imitated = "YARN",
          .differences = fair_differences(),
          .info_form = SchedulerInfoForm::fair,
          .yarn_site = {.class_name = "FairScheduler", .keys = with_allocation_keys(fair_keys)},
          .explainer =
              FileExplainer{
                  .settings = {"semantics", "inheritance", "nested_user_queue", "queue_policies"},
                  .is_own_file =
                      [](const XmlElement& root) {
                        return root.name == "allocations" && !is_pools_file(root);
                      },
                  .amounts = {"minimum", "maximum", "steady_fair_share"},
                  .explain = explain_fair},
          .unread = unread_by_fair,
          .properties = known_fair_properties(),
          .absolute_amounts = absolute_amounts,
          .master_share = fair_master_share()};
}

}  // namespace tracebed
