#include "schedulers/yarn/capacity/capacity_settings.h"

#include <array>
#include <limits>

#include "core/text.h"
#include "schedulers/yarn/capacity/capacity_prefix.h"
#include "schedulers/yarn/configuration/letter_case.h"

namespace tracebed {
namespace {

constexpr const char* capacity_subject = "scheduler capacity";
constexpr std::string_view state_key = ".state";
constexpr std::string_view delay_property = "yarn.scheduler.capacity.node-locality-delay";

constexpr std::array own_descriptions{
    SettingDescription{"config", "", "path of a capacity-scheduler.xml, which defines the queues",
                       true},
    SettingDescription{"minimum_allocation_mib", "1024",
                       "container memory is a multiple of it, limits are counted in it, and nodes "
                       "with less free memory are skipped (yarn.scheduler.minimum-allocation-mb)"},
    SettingDescription{"minimum_allocation_milli_vcores", "1000",
                       "with the dominant calculator: the same in thousandths of a core "
                       "(yarn.scheduler.minimum-allocation-vcores)"},
    SettingDescription{"maximum_allocation_mib", "0",
                       "larger asks are refused; 0: those larger than every node, as a trace's "
                       "tasks may be above YARN's own default of 8192 "
                       "(yarn.scheduler.maximum-allocation-mb)"},
    SettingDescription{"maximum_allocation_milli_vcores", "0",
                       "likewise for thousandths of a core; YARN's own default is 4 cores "
                       "(yarn.scheduler.maximum-allocation-vcores)"},
    SettingDescription{"maximum_application_priority", "0",
                       "maximum application priority; higher ones are lowered to it "
                       "(yarn.cluster.max-application-priority)"},
    SettingDescription{
        "acls", "true",
        "whether the access control lists of queues are enforced: `true` or "
        "`false`; a yarn-site.xml without yarn.acl.enable switches them off, as in YARN"},
    SettingDescription{"groups", "",
                       "groups of users, for these lists and for queue mappings: USER=GROUP+GROUP, "
                       "separated by commas, the primary one first; a user who is not listed has "
                       "one group of the same name"},
    ignore_unsupported_description,
    SettingDescription{"non_exclusive_labels", "",
                       "node labels, separated by commas, whose nodes also serve asks without a "
                       "label while there is no demand with it (YARN: exclusive=false)"},
    SettingDescription{"master_label", "",
                       "node label of containers of masters, where these run in containers; none: "
                       "the queue's default label (yarn.node-labels.am.default-node-label-"
                       "expression)"},
    SettingDescription{"semantics", "hadoop-3",
                       "release whose formulas apply: `hadoop-3` or `hadoop-2.0`; each of the "
                       "following overrides it"},
    SettingDescription{"application_master_limit", "semantics",
                       "limit that keeps applications pending: the masters' `resources` "
                       "(hadoop-3), or their `count` (hadoop-2.0)"},
    SettingDescription{"user_limit", "semantics",
                       "minimum share of a user: by the use of `active-users` (hadoop-3), or an "
                       "equal share among `users` (hadoop-2.0)"},
    SettingDescription{
        "applications_per_user", "semantics",
        "`capped` by the queue's maximum capacity (hadoop-3), or `uncapped` (hadoop-2.0)"},
    SettingDescription{"default_node_locality_delay", "semantics",
                       "missed opportunities, unless the file sets them: `40` (hadoop-3), or `-1`, "
                       "none (hadoop-2.0)"},
    SettingDescription{
        "off_switch_delay", "semantics",
        "missed opportunities before an off-switch allocation: by a `factor` of requested names "
        "and units (hadoop-3), or the number of requested `hosts` (hadoop-2.0)"},
    SettingDescription{
        "removable_queues", "semantics",
        "queues that a refresh may remove: `stopped` ones (hadoop-3), or `none` (hadoop-2.0)"},
};

const std::vector<SettingDescription>& all_descriptions() {
  static const std::vector<SettingDescription> all = [] {
    std::vector<SettingDescription> list(own_descriptions.begin(), own_descriptions.end());
    const auto preemption = preemption_setting_descriptions();
    list.insert(list.end(), preemption.begin(), preemption.end());
    return list;
  }();
  return all;
}

// The semantics' choice, unless the setting makes its own: `third` is that of hadoop-3, `second`
// that of 2.0.
bool is_second(SettingReader& reader, bool by_semantics, std::string_view name,
               std::string_view third, std::string_view second) {
  const std::size_t choice = reader.choice(name, {"semantics", third, second});
  return choice == 0 ? by_semantics : choice == 2;
}

Status read_lists(const SettingValues& values, CapacitySettings& settings) {
  const auto master_label = values.find("master_label");
  if (master_label != values.end()) settings.master_label = trimmed(master_label->second);
  const auto labels = values.find("non_exclusive_labels");
  if (labels != values.end()) {
    const std::vector<std::string> names = split_list(labels->second);
    settings.shared_labels.insert(names.begin(), names.end());
  }
  const auto text = values.find("groups");
  if (text == values.end()) return success();
  Result<UserGroups> groups = UserGroups::parse(text->second);
  if (!groups) {
    return Error{"setting groups: " + groups.error().message + ", got \"" + text->second + "\"",
                 "groups"};
  }
  settings.groups = std::move(*groups);
  return success();
}

// What `config` states, with what the settings state in its place.
struct ConfigChoices {
  bool ignores_unsupported = false;
  bool delays_by_default = true;  // asks wait for their nodes, unless the file says how long
};
Status read_queues(const SchedulerParameters& parameters, const XmlElement& config,
                   ConfigChoices choices, CapacitySettings& settings) {
  HadoopProperties properties;
  if (const Status status = properties.add(config); !status) return status;
  add_preemption_settings(parameters.settings, capacity_subject, properties);
  auto loaded = read_capacity_configuration(properties, parameters.dimensions,
                                            generation_of(parameters.settings));
  if (!loaded) return loaded.error();
  if (const Status status = refuse(loaded->review.unobeyed);
      !choices.ignores_unsupported && !status) {
    return status;
  }
  settings.configuration = std::move(loaded->configuration);
  if (!choices.delays_by_default && !properties.find(delay_property)) {
    settings.configuration.node_locality_delay = -1;
  }
  for (const auto& [name, property] : properties.all()) {
    if (!name.starts_with(capacity_prefix) || !name.ends_with(state_key)) continue;
    if (!equal_but_for_case(trimmed(properties.find(name).value_or("")), "STOPPED")) continue;
    settings.stopped_paths.insert(name.substr(
        capacity_prefix.size(), name.size() - capacity_prefix.size() - state_key.size()));
  }
  for (const CapacityQueue& queue : settings.configuration.queues) {
    const Status status = check_maximum_allocation(settings, queue, properties);
    if (!status) return status;
  }
  settings.generation = generation_of(parameters.settings);
  settings.templates = QueueTemplates(properties);
  return success();
}

}  // namespace

Status check_maximum_allocation(const CapacitySettings& settings, const CapacityQueue& queue,
                                const HadoopProperties& properties) {
  for (std::size_t d = 0; d < 2; ++d) {
    const std::int64_t own = queue.maximum_allocation[d];
    const std::int64_t of_file = settings.configuration.maximum_allocation[d];
    const std::int64_t most = of_file > 0 ? of_file : settings.maximum_allocation[d];
    if (most == 0 || own <= most) continue;
    const std::string name = std::string(capacity_prefix) + queue.path + ".maximum-allocation";
    const char* part = d == Resources::memory_dimension ? "-mb" : "-vcores";
    return Error{properties.place(properties.find(name) ? name : name + part) +
                 ": expected at most the scheduler's maximum allocation of " +
                 std::to_string(most / yarn_unit(d)) + ", got " +
                 std::to_string(own / yarn_unit(d))};
  }
  return success();
}

Resources maximum_allocation_of(const CapacitySettings& settings, const CapacityQueue& queue) {
  Resources maximum = settings.maximum_allocation;
  for (const Resources& each :
       {settings.configuration.maximum_allocation, queue.maximum_allocation}) {
    for (std::size_t d = 0; d < each.dimensions_used(); ++d) {
      if (each[d] > 0 && (maximum[d] == 0 || each[d] < maximum[d])) maximum[d] = each[d];
    }
  }
  return maximum;
}

YarnGeneration generation_of(const SettingValues& settings) {
  const auto found = settings.find("semantics");
  const bool is_old = found != settings.end() && found->second == "hadoop-2.0";
  return is_old ? YarnGeneration::hadoop_2 : YarnGeneration::hadoop_3;
}

const std::string& default_label_of(const CapacitySettings& settings, const CapacityQueue& queue,
                                    bool is_master) {
  return is_master && !settings.master_label.empty() ? settings.master_label : queue.default_label;
}

ContainerLimits container_limits(const CapacitySettings& settings) {
  return {.calculator = settings.configuration.calculator,
          .minimum = settings.minimum_allocation,
          .step = settings.minimum_allocation,
          .maximum = settings.maximum_allocation};
}

std::span<const SettingDescription> capacity_setting_descriptions() {
  return all_descriptions();
}

Result<CapacitySettings> read_capacity_settings(const SchedulerParameters& parameters) {
  SettingReader reader(capacity_subject, all_descriptions(), parameters.settings);
  constexpr std::int64_t amount_max = std::int64_t{1} << 40;
  CapacitySettings settings;
  settings.minimum_allocation = {reader.integer("minimum_allocation_milli_vcores", 0, amount_max),
                                 reader.integer("minimum_allocation_mib", 1, amount_max)};
  settings.maximum_allocation = {reader.integer("maximum_allocation_milli_vcores", 0, amount_max),
                                 reader.integer("maximum_allocation_mib", 0, amount_max)};
  settings.maximum_application_priority = static_cast<std::int32_t>(
      reader.integer("maximum_application_priority", 0, std::numeric_limits<std::int32_t>::max()));
  settings.enforces_acls = reader.choice("acls", {"true", "false"}) == 0;
  const bool is_old = reader.choice("semantics", {"hadoop-3", "hadoop-2.0"}) == 1;
  CapacitySemantics& semantics = settings.semantics;
  semantics.counts_active_applications =
      is_second(reader, is_old, "application_master_limit", "resources", "count");
  semantics.divides_limit_among_users =
      is_second(reader, is_old, "user_limit", "active-users", "users");
  semantics.uncaps_applications_of_user =
      is_second(reader, is_old, "applications_per_user", "capped", "uncapped");
  ConfigChoices choices;
  choices.delays_by_default = !is_second(reader, is_old, "default_node_locality_delay", "40", "-1");
  semantics.delays_off_switch_by_hosts =
      is_second(reader, is_old, "off_switch_delay", "factor", "hosts");
  semantics.keeps_queues_for_ever =
      is_second(reader, is_old, "removable_queues", "stopped", "none");
  const PreemptionDelivery delivery = read_preemption_delivery(reader);
  choices.ignores_unsupported = reader.choice(ignore_unsupported_setting, {"false", "true"}) == 1;
  if (const Status status = reader.status(); !status) return status.error();
  if (const Status status = read_lists(parameters.settings, settings); !status) {
    return Error{std::string(capacity_subject) + ", " + status.error().message,
                 status.error().setting};
  }
  if (const Status status = check_allocation_range(capacity_subject, settings.minimum_allocation,
                                                   settings.maximum_allocation);
      !status) {
    return status.error();
  }
  const auto document = parameters.documents.find("config");
  if (document == parameters.documents.end()) {
    return Error{std::string(capacity_subject) +
                     ", setting config: expected the path of a capacity-scheduler.xml, got none",
                 "config"};
  }
  if (parameters.names == nullptr) {
    return Error{std::string(capacity_subject) +
                 ": expected the names of users and queues, got none"};
  }
  settings.names = parameters.names;
  settings.dimensions = parameters.dimensions;
  if (const Status status = read_queues(parameters, document->second, choices, settings); !status) {
    return about("config", status.error());
  }
  settings.configuration.preemption.delivery = delivery;
  return settings;
}

}  // namespace tracebed
