// The Capacity scheduler as it is registered.
#include <array>

#include "schedulers/entries/allocation_keys.h"
#include "schedulers/entries/differences.h"
#include "schedulers/entries/entries.h"
#include "schedulers/hadoop1/explain/explain_slots.h"
#include "schedulers/parts/java_int.h"
#include "schedulers/yarn/capacity/capacity_scheduler.h"
#include "schedulers/yarn/capacity/explain.h"
#include "schedulers/yarn/capacity/placement/read_mapping_rules.h"
#include "schedulers/yarn/capacity/preemption/preemption_settings.h"
#include "schedulers/yarn/capacity/tuned_properties.h"
#include "schedulers/yarn/capacity/updated_file.h"
#include "schedulers/yarn/configuration/absolute_amounts.h"
#include "schedulers/yarn/configuration/allocation_properties.h"
#include "schedulers/yarn/configuration/preemption_properties.h"
#include "schedulers/yarn/configuration/property_reader.h"
#include "schedulers/yarn/configuration/property_tables.h"

namespace tracebed {
namespace {

using MadeCapacity = Result<std::unique_ptr<Scheduler>>;

MadeCapacity make_capacity(const SchedulerEntry&, const SchedulerParameters& parameters) {
  Result<CapacitySettings> settings = read_capacity_settings(parameters);
  if (!settings) return settings.error();
  return MadeCapacity(std::make_unique<CapacityScheduler>(std::move(settings).value()));
}

constexpr std::array capacity_keys{
    YarnSiteKey{"yarn.cluster.max-application-priority", "maximum_application_priority"},
    YarnSiteKey{"yarn.acl.enable", "acls", YarnSiteKey::Form::boolean, YarnSiteKey::Match::name,
                false, "false"},
    YarnSiteKey{"yarn.node-labels.am.default-node-label-expression", "master_label",
                YarnSiteKey::Form::text},
    YarnSiteKey{preemption_switch, "preemption.enabled", YarnSiteKey::Form::text,
                YarnSiteKey::Match::name, true},
    YarnSiteKey{preemption_prefix, "preemption.", YarnSiteKey::Form::text,
                YarnSiteKey::Match::settings_below, true},
};

std::vector<std::string> unread_by_capacity(const SchedulerFile& file) {
  HadoopProperties properties;
  if (!properties.add(file.root)) return {};
  const auto loaded =
      read_capacity_configuration(properties, file.dimensions, generation_of(file.settings));
  return loaded ? loaded->review.sentences() : std::vector<std::string>();
}

// CapacitySchedulerConfiguration.getMinimumAllocation and getMaximumAllocation, which Hadoop 2
// reads the sizes of containers with.
Result<std::vector<FileSetting>> settings_of_capacity_file(const SchedulerFile& file) {
  std::vector<FileSetting> stated;
  if (generation_of(file.settings) == YarnGeneration::hadoop_3) return stated;
  HadoopProperties properties;
  if (const Status added = properties.add(file.root); !added) return added.error();
  PropertyReader reader(properties);
  for (const AllocationProperty& property : allocation_properties) {
    if (!reader.has(property.name)) continue;
    const std::int64_t amount = reader.integer(property.name, 0, 0, java_int_max);
    stated.push_back({std::string(property.setting),
                      std::to_string(amount * yarn_unit(property.dimension)),
                      properties.place(property.name)});
  }
  if (const Status status = reader.status(); !status) return status.error();
  return stated;
}

std::vector<ContainedFile> contained_by_capacity(const XmlElement& root) {
  HadoopProperties properties;
  if (!properties.add(root) || !needs_rules_file(properties)) return {};
  return {{std::string(rules_file_property), std::string(rules_contents_property)}};
}

// The sizes of containers that limits are counted in, and all of preemption.
std::vector<std::string_view> explained_settings() {
  std::vector<std::string_view> names{"minimum_allocation_mib", "minimum_allocation_milli_vcores",
                                      "semantics"};
  for (const SettingDescription& setting : preemption_setting_descriptions()) {
    names.push_back(setting.name);
  }
  return names;
}

Result<ExplainedFile> explain_capacity(const SchedulerFile& file,
                                       std::span<const ExplainedMachines> machines) {
  Result<std::vector<FileSetting>> stated = settings_of_capacity_file(file);
  if (!stated) return stated.error();
  SettingValues settings = file.settings;
  for (const FileSetting& each : *stated) settings.try_emplace(each.name, each.value);
  SettingReader reader("scheduler capacity", capacity_setting_descriptions(), settings);
  constexpr std::int64_t amount_max = std::int64_t{1} << 40;
  const std::int64_t minimum_mib = reader.integer("minimum_allocation_mib", 1, amount_max);
  const std::int64_t minimum_vcores =
      reader.integer("minimum_allocation_milli_vcores", 0, amount_max);
  const YarnGeneration generation = generation_of(settings);
  const PreemptionDelivery delivery = read_preemption_delivery(reader);
  if (const Status status = reader.status(); !status) return status.error();
  HadoopProperties properties;
  if (const Status added = properties.add(file.root); !added) return added.error();
  add_preemption_settings(settings, "scheduler capacity", properties);
  auto loaded = read_capacity_configuration(properties, file.dimensions, generation);
  if (!loaded) return loaded.error();
  loaded->configuration.preemption.delivery = delivery;
  const ExplainedCluster cluster{total_of(machines), Resources(minimum_vcores, minimum_mib),
                                 file.dimensions};
  return ExplainedFile{explain(loaded->configuration, cluster, generation),
                       loaded->review.sentences()};
}

std::string changed_by_vcores(const SchedulerParameters& parameters, const ClusterScale& scale) {
  const auto enabled = parameters.settings.find("preemption.enabled");
  const auto file = parameters.documents.find("config");
  const bool takes_back = enabled != parameters.settings.end() && enabled->second == "true";
  if (scale.cpu == 1 || !takes_back || file == parameters.documents.end()) return {};
  HadoopProperties properties;
  if (!properties.add(file->second)) return {};
  const auto calculator = properties.find("yarn.scheduler.capacity.resource-calculator");
  if (!calculator || calculator->find("DominantResourceCalculator") == std::string::npos) return {};
  return "PREEMPTION IS LESS THAN CONFIGURED, or none: with the dominant resource calculator it "
         "counts whole vcores, as in Hadoop, and scale.cpu divides the machines' vcores; scale "
         "time and memory instead, or use the default calculator";
}

}  // namespace

SchedulerEntry capacity_entry() {
  const auto settings = capacity_setting_descriptions();
  return {.name = "capacity",
          .summary =
              "YARN's CapacityScheduler: a tree of queues with guaranteed and maximum capacities, "
              "and limits for users and application masters.",
          .source = "Apache Hadoop, resourcemanager.scheduler.capacity.CapacityScheduler",
          .settings = {settings.begin(), settings.end()},
          .make = make_capacity,
          .imitated = "YARN",
          .differences = capacity_differences(),
          .info_form = SchedulerInfoForm::capacity,
          .yarn_site = {.class_name = "CapacityScheduler",
                        .keys = with_allocation_keys(capacity_keys),
                        .overriding_file = "config"},
          .explainer = FileExplainer{.settings = explained_settings(),
                                     .is_own_file =
                                         [](const XmlElement& root) {
                                           return root.name == "configuration" &&
                                                  !is_slot_queues_file(root);
                                         },
                                     .amounts = {"guaranteed", "maximum_resources"},
                                     .warnings = "capacity_warnings",
                                     .explain = explain_capacity},
          .settings_of_file = settings_of_capacity_file,
          .unread = unread_by_capacity,
          .contained_files = contained_by_capacity,
          .properties = known_capacity_properties(),
          .absolute_amounts = absolute_amounts,
          .changed_by_scale = changed_by_vcores,
          .master_share = capacity_master_share(),
          .mutable_file = MutableFile{"config", updated_capacity_file}};
}

}  // namespace tracebed
