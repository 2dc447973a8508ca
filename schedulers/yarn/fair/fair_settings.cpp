#include "schedulers/yarn/fair/fair_settings.h"

#include <optional>
#include <string_view>

#include "core/text.h"
#include "schedulers/known_properties.h"
#include "schedulers/parts/assumed_heartbeat.h"

namespace tracebed {
namespace {

constexpr std::int64_t amount_max = std::int64_t{1} << 40;
constexpr std::int64_t milliseconds_max = 1'000'000'000;
constexpr double setting_max = 1'000;

}  // namespace

ContainerLimits container_limits(const FairSettings& settings) {
  return {
      .calculator = ResourceCalculator(ResourceCalculator::Kind::dominant),
      .minimum = settings.minimum_allocation,
      .step =
          settings.sizes_by_increment ? settings.increment_allocation : settings.minimum_allocation,
      .maximum = settings.maximum_allocation,
  };
}

namespace {

// Each difference between the generations is a setting of its own.
std::vector<SettingDescription> generation_descriptions() {
  return {
      {"container_step", "semantics",
       "container sizes are multiples of the `increment`, or of the `minimum` (hadoop-2.0)"},
      {"ancestor_limits", "semantics",
       "whether the maximum resources of its ancestors apply to a queue: `bind`, or `ignore` "
       "(hadoop-2.0)"},
      {"inheritance", "semantics",
       "settings that queues inherit: `all` that can be inherited, or only `acls` (hadoop-2.0)"},
      {"nested_user_queue", "semantics",
       "whether a placement rule nestedUserQueue around one that names a queue for every "
       "application `decides`, so that no rule may follow, or lets applications `pass` "
       "(hadoop-2.0)"},
      {"queue_policies", "semantics",
       "policies that a queue may have: those that the policy of its `parent` allows, so no drf "
       "below fair, or all that its `depth` does, fifo on leaves alone (hadoop-2.0)"},
      {"share_ceiling", "semantics",
       "limit of a fair share: the `maximum` resources, or the `demand`, too (hadoop-2.0)"},
      {"size_weight", "semantics",
       "size-based weight: log2 of the demand `plus_one`, or `plain` (hadoop-2.0)"},
      {"weight_adjuster", "none",
       "applications with three times the weight: `new` ones (in their first five minutes), `old` "
       "ones (after them), or `none`"},
      {"queue_ties", "semantics",
       "order of queues that rank equal: by `name`, or by `submission` (hadoop-2.0)"},
      {"queue_removal", "semantics",
       "when queues created on demand are removed: when `empty`, or `never` (hadoop-2.0)"},
  };
}

}  // namespace

const std::vector<SettingDescription>& fair_setting_descriptions() {
  static const std::vector<SettingDescription> descriptions = [] {
    std::vector<SettingDescription> list{
        {"config", "",
         "path of the allocation file (fair-scheduler.xml); none: no queue is declared, and "
         "user_as_default_queue and allow_undeclared_pools determine the queues",
         true},
        {"preemption.enabled", "false",
         "whether containers are preempted for starving applications "
         "(yarn.scheduler.fair.preemption)"},
        preemption_delivery_setting,
        {"preemption.cluster_utilization_threshold", "0.8",
         "fraction of the cluster's memory or vcores in use above which containers are preempted; "
         "from 1 on none are (yarn.scheduler.fair.preemption.cluster-utilization-threshold)"},
        {"preemption.masters", "true",
         "whether masters may be preempted (yarn.scheduler.fair.am.preemption)"},
        {"preemption.masters_of_queues", "",
         "exceptions for leaf queues: QUEUE=true or QUEUE=false, separated by commas "
         "(yarn.scheduler.fair.am.preemption.QUEUE)"},
        {"preemption.wait_before_kill_ms", "15000",
         "time between the notification of a preempted container and its kill "
         "(yarn.scheduler.fair.waitTimeBeforeKill)"},
        {"preemption.wait_before_next_check_ms", "10000",
         "time beyond that and four heartbeats in which an application that was helped does not "
         "count as starving (yarn.scheduler.fair.waitTimeBeforeNextStarvationCheck)"},
        {"preemption.node_heartbeat_ms", "0",
         "heartbeat interval that is assumed there; 0: that of the cluster's nodes "
         "(yarn.resourcemanager.nodemanagers.heartbeat-interval-ms)"},
        {"semantics", "hadoop-3",
         "`hadoop-3` or `hadoop-2.0`: determines the settings below whose value is `semantics`"},
        {"minimum_allocation_mib", "1024",
         "minimum container memory; continuous scheduling skips nodes with less free "
         "(yarn.scheduler.minimum-allocation-mb)"},
        {"minimum_allocation_milli_vcores", "1000",
         "the same in thousandths of a core (yarn.scheduler.minimum-allocation-vcores)"},
        {"increment_allocation_mib", "1024",
         "increment of container memory (yarn.resource-types.memory-mb.increment-allocation)"},
        {"increment_allocation_milli_vcores", "1000",
         "the same in thousandths of a core (yarn.resource-types.vcores.increment-allocation)"},
        {"maximum_allocation_mib", "0",
         "larger asks are refused; 0: those larger than every node, as a trace's tasks may be "
         "above "
         "YARN's own default of 8192 (yarn.scheduler.maximum-allocation-mb)"},
        {"maximum_allocation_milli_vcores", "0",
         "likewise for thousandths of a core; YARN's own default is 4 cores "
         "(yarn.scheduler.maximum-allocation-vcores)"},
        {"reservation_increments", "2.0",
         "minimum size of an ask, in increments, for which a node may be reserved "
         "(yarn.scheduler.reservation-threshold.increment-multiple)"},
        {"reservable_nodes", "0.05",
         "fraction of the nodes that one application may reserve, 0 to 1 "
         "(yarn.scheduler.fair.reservable-nodes)"},
        {"user_as_default_queue", "true",
         "without placement rules: whether the default queue is the one named like the user "
         "(yarn.scheduler.fair.user-as-default-queue)"},
        {"allow_undeclared_pools", "true",
         "without placement rules: whether queues are created on demand "
         "(yarn.scheduler.fair.allow-undeclared-pools)"},
        {"groups", "",
         "groups of users: USER=GROUP+GROUP, separated by commas, the primary one first; a user "
         "who "
         "is not listed has one group of the same name"},
        ignore_unsupported_description,
        {"size_based_weight", "false",
         "whether the weight of applications depends on their demand "
         "(yarn.scheduler.fair.sizebasedweight)"},
        {"assign_multiple", "false",
         "whether one heartbeat may assign several containers "
         "(yarn.scheduler.fair.assignmultiple)"},
        {"dynamic_max_assign", "true",
         "with assign_multiple: assign up to half of the free resources of the node "
         "(yarn.scheduler.fair.dynamic.max.assign)"},
        {"max_assign", "-1",
         "with assign_multiple and without dynamic_max_assign: maximum containers per heartbeat, "
         "-1: "
         "no limit (yarn.scheduler.fair.max.assign)"},
        {"locality_threshold_node", "-1",
         "fraction of the nodes whose offers are declined before a rack-local one is accepted, -1: "
         "none (yarn.scheduler.fair.locality.threshold.node)"},
        {"locality_threshold_rack", "-1",
         "the same before an off-switch one (yarn.scheduler.fair.locality.threshold.rack)"},
        {"continuous_scheduling", "false",
         "whether nodes are offered between heartbeats too "
         "(yarn.scheduler.fair.continuous-scheduling-enabled)"},
        {"continuous_scheduling_sleep_ms", "5",
         "time between two rounds of continuous scheduling "
         "(yarn.scheduler.fair.continuous-scheduling-sleep-ms)"},
        {"locality_delay_node_ms", "-1",
         "with continuous scheduling: how long to wait for a node-local offer, -1: not at all "
         "(yarn.scheduler.fair.locality-delay-node-ms)"},
        {"locality_delay_rack_ms", "-1",
         "the same for a rack-local offer (yarn.scheduler.fair.locality-delay-rack-ms)"},
        {"update_interval_ms", "500",
         "interval between updates of demands and fair shares, 0: at every change "
         "(yarn.scheduler.fair.update-interval-ms)"},
    };
    const auto of_generations = generation_descriptions();
    list.insert(list.end(), of_generations.begin(), of_generations.end());
    return list;
  }();
  return descriptions;
}

namespace {

// QUEUE=true and QUEUE=false with commas between; none if it is something else.
std::optional<std::map<std::string, bool, std::less<>>> parse_switches(std::string_view text) {
  std::map<std::string, bool, std::less<>> switches;
  for (const std::string& entry : split_list(text)) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string::npos) return std::nullopt;
    const std::string name(trimmed(std::string_view(entry).substr(0, equals)));
    const std::string_view value = trimmed(std::string_view(entry).substr(equals + 1));
    if (name.empty() || (value != "true" && value != "false")) return std::nullopt;
    if (!switches.emplace(name, value == "true").second) return std::nullopt;
  }
  return switches;
}

FairSettings::Preemption read_preemption(SettingReader& reader, Duration heartbeat_of_run) {
  // FairSchedulerConfiguration.getPreemptionUtilizationThreshold takes any number.
  constexpr double threshold_max = 1e9;
  FairSettings::Preemption preemption;
  preemption.is_enabled = reader.choice("preemption.enabled", {"false", "true"}) == 1;
  preemption.delivery = read_preemption_delivery(reader);
  preemption.cluster_utilization_threshold = static_cast<float>(
      reader.fraction("preemption.cluster_utilization_threshold", -threshold_max, threshold_max));
  preemption.masters = reader.choice("preemption.masters", {"false", "true"}) == 1;
  preemption.wait_before_kill =
      reader.milliseconds_of("preemption.wait_before_kill_ms", 0, milliseconds_max);
  preemption.wait_before_next_check =
      reader.milliseconds_of("preemption.wait_before_next_check_ms", 0, milliseconds_max);
  preemption.node_heartbeat = assumed_heartbeat(reader, "preemption.node_heartbeat_ms",
                                                heartbeat_of_run, preemption.node_heartbeat);
  return preemption;
}

void read_generation(SettingReader& reader, FairSettings& settings) {
  const bool is_old = reader.choice("semantics", {"hadoop-3", "hadoop-2.0"}) == 1;
  // True for the second choice, which is Hadoop 2.0's.
  const auto old_way = [&](std::string_view name, std::string_view today, std::string_view old) {
    const std::size_t choice = reader.choice(name, {"semantics", today, old});
    return choice == 0 ? is_old : choice == 2;
  };
  settings.sizes_by_increment = !old_way("container_step", "increment", "minimum");
  settings.ancestors_bind = !old_way("ancestor_limits", "bind", "ignore");
  settings.queues_inherit = !old_way("inheritance", "all", "acls");
  settings.nested_rules_decide = !old_way("nested_user_queue", "decides", "pass");
  settings.parents_limit_policies = !old_way("queue_policies", "parent", "depth");
  settings.demand_caps_shares = old_way("share_ceiling", "maximum", "demand");
  settings.size_weight_adds_one = !old_way("size_weight", "plus_one", "plain");
  settings.weight_adjuster = static_cast<FairSettings::WeightAdjuster>(
      reader.choice("weight_adjuster", {"none", "new", "old"}));
  settings.queue_ties_by_submission = old_way("queue_ties", "name", "submission");
  settings.removes_queues = !old_way("queue_removal", "empty", "never");
}

}  // namespace

Result<FairSettings> read_fair_settings(const SettingValues& values, Duration heartbeat_of_run) {
  SettingReader reader("scheduler fair", fair_setting_descriptions(), values);
  const auto flag = [&](std::string_view name) {
    return reader.choice(name, {"false", "true"}) == 1;
  };
  const auto amounts = [&](std::string_view milli_vcores, std::string_view mib) {
    return Resources(reader.integer(milli_vcores, 0, amount_max),
                     reader.integer(mib, 0, amount_max));
  };
  FairSettings settings;
  settings.minimum_allocation =
      amounts("minimum_allocation_milli_vcores", "minimum_allocation_mib");
  settings.increment_allocation =
      amounts("increment_allocation_milli_vcores", "increment_allocation_mib");
  settings.maximum_allocation =
      amounts("maximum_allocation_milli_vcores", "maximum_allocation_mib");
  settings.reservation_increments = reader.fraction("reservation_increments", 0, setting_max);
  settings.reservable_nodes = reader.fraction("reservable_nodes", 0, 1);
  settings.user_as_default_queue = flag("user_as_default_queue");
  settings.allow_undeclared_pools = flag("allow_undeclared_pools");
  settings.ignores_unsupported = flag(ignore_unsupported_setting);
  settings.size_based_weight = flag("size_based_weight");
  settings.assign_multiple = flag("assign_multiple");
  settings.dynamic_max_assign = flag("dynamic_max_assign");
  settings.max_assign = reader.integer("max_assign", -1, amount_max);
  settings.locality_threshold_node = reader.fraction("locality_threshold_node", -1, setting_max);
  settings.locality_threshold_rack = reader.fraction("locality_threshold_rack", -1, setting_max);
  settings.continuous_scheduling = flag("continuous_scheduling");
  settings.continuous_scheduling_sleep =
      reader.milliseconds_of("continuous_scheduling_sleep_ms", 1, milliseconds_max);
  settings.locality_delay_node =
      reader.milliseconds_of("locality_delay_node_ms", -1, milliseconds_max);
  settings.locality_delay_rack =
      reader.milliseconds_of("locality_delay_rack_ms", -1, milliseconds_max);
  settings.update_interval = reader.milliseconds_of("update_interval_ms", 0, milliseconds_max);
  read_generation(reader, settings);
  settings.preemption = read_preemption(reader, heartbeat_of_run);
  if (const Status status = reader.status(); !status) return status.error();
  if (const Status status = check_allocation_range("scheduler fair", settings.minimum_allocation,
                                                   settings.maximum_allocation);
      !status) {
    return status.error();
  }
  const auto masters = values.find("preemption.masters_of_queues");
  if (masters != values.end()) {
    auto switches = parse_switches(masters->second);
    if (!switches) {
      return Error{
          "scheduler fair, setting preemption.masters_of_queues: expected QUEUE=true or "
          "QUEUE=false, separated by commas, each queue once, got \"" +
              masters->second + "\"",
          masters->first};
    }
    settings.preemption.masters_of_queues = std::move(*switches);
  }
  const auto text = values.find("groups");
  if (text == values.end()) return settings;
  Result<UserGroups> groups = UserGroups::parse(text->second);
  if (!groups) {
    return Error{"scheduler fair, setting groups: " + groups.error().message + ", got \"" +
                     text->second + "\"",
                 text->first};
  }
  settings.groups = std::move(*groups);
  return settings;
}

}  // namespace tracebed
