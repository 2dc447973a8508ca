#include "schedulers/yarn/capacity/preemption/preemption_settings.h"

#include <array>

#include "core/quantity_text.h"

namespace tracebed {
namespace {

// Empty: as capacity-scheduler.xml says, or Hadoop's default.
constexpr SettingDescription from_file(std::string_view name, std::string_view meaning) {
  return {name, "", meaning};
}

constexpr std::array preemption_descriptions{
    from_file("preemption.enabled",
              "whether containers are preempted for queues below their guarantee; default: the "
              "file's, else false (yarn.resourcemanager.scheduler.monitor.enable)"),
    preemption_delivery_setting,
    from_file("preemption.observe_only",
              "only report which containers would be preempted; default: the file's, else false"),
    from_file("preemption.monitoring_interval",
              "milliseconds between two rounds; default: the file's, else 3000"),
    from_file(
        "preemption.max_wait_before_kill",
        "milliseconds that a master has to release a container; default: the file's, else 15000"),
    from_file(
        "preemption.total_preemption_per_round",
        "maximum fraction of the cluster preempted in one round; default: the file's, else 0.1"),
    from_file("preemption.max_ignored_over_capacity",
              "fraction of its guarantee by which a queue may exceed it without preemption; as the "
              "file says, else 0.1"),
    from_file("preemption.natural_termination_factor",
              "fraction of the excess preempted in one round, since containers also end by "
              "themselves; default: the file's, else 0.2"),
    from_file("preemption.underutilized-preemption.enabled",
              "with the queue order priority-utilization, preempt queues of lower priority for "
              "reservations of a queue below its guarantee; default: the file's "
              "(yarn.scheduler.capacity.ordering-policy.priority-utilization.…), else false"),
    from_file("preemption.underutilized-preemption.reserved-container-delay-ms",
              "milliseconds that a reservation waits before such preemption; default: the file's, "
              "else 60000"),
    from_file("preemption.underutilized-preemption.allow-move-reservation",
              "allow such preemption to move the reservation to another node; default: the file's, "
              "else false"),
    from_file("preemption.select_based_on_reserved_containers",
              "first preempt on nodes that are reserved; default: the file's, else false"),
    from_file("preemption.additional_res_balance_based_on_reserved_containers",
              "count reserved resources as demand, and do not wait for containers that end by "
              "themselves; default: the file's, else false"),
    from_file("preemption.conservative-drf",
              "stop once enough was preempted in one dimension; default: the file's, else false"),
    from_file(
        "preemption.preemption-to-balance-queue-after-satisfied.enabled",
        "also balance what queues use above their guarantees; default: the file's, else false"),
    from_file(
        "preemption.preemption-to-balance-queue-after-satisfied.max-wait-before-kill",
        "milliseconds that a master has to release a container then; default: the file's, else "
        "300000"),
    from_file("preemption.intra-queue-preemption.enabled",
              "also preempt between applications of a queue; default: the file's, else false"),
    from_file("preemption.intra-queue-preemption.minimum-threshold",
              "queues that use less than this fraction of their guarantee are exempt; as the file "
              "says, else 0.5"),
    from_file("preemption.intra-queue-preemption.max-allowable-limit",
              "maximum fraction of its guarantee preempted within a queue; default: the file's, "
              "else 0.2"),
    from_file("preemption.intra-queue-preemption.preemption-order-policy",
              "priority_first, or userlimit_first: users within their limit are not preempted for "
              "other users; default: the file's, else userlimit_first"),
    from_file("preemption.intra-queue-preemption.conservative-drf",
              "the same within a queue; default: the file's, else true"),
};

constexpr std::string_view setting_prefix = "preemption.";
constexpr std::string_view switch_key = "enabled";
// These stand with the order of queues.
constexpr std::string_view priority_keys = "underutilized-preemption.";
constexpr std::string_view priority_prefix =
    "yarn.scheduler.capacity.ordering-policy.priority-utilization.";
constexpr std::int64_t wait_max = std::int64_t{1} << 40;
constexpr double factor_max = 1e6;

std::string property_of(std::string_view key) {
  if (key == switch_key) return std::string(preemption_switch);
  const bool is_of_order = key.starts_with(priority_keys);
  return std::string(is_of_order ? priority_prefix : preemption_prefix) + std::string(key);
}

class PreemptionLoader {
 public:
  explicit PreemptionLoader(PropertyReader& file) : file_(file) {}

  void flag(std::string_view key, bool& value) { value = file_.flag(property_of(key), value); }
  void part(std::string_view key, float& value) {
    value = file_.fraction(property_of(key), value, 0, 1);
  }
  void factor(std::string_view key, double& value, double high) {
    value = file_.number(property_of(key), value, 0, high);
  }
  void time(std::string_view key, Duration& value, std::int64_t least = 1) {
    value = milliseconds(file_.integer(property_of(key), value / milliseconds(1), least, wait_max));
  }
  void order(std::string_view key, bool& is_user_limit_first) {
    const std::string word = file_.word(property_of(key), "");
    if (word.empty()) return;
    is_user_limit_first = word == "userlimit_first";
    if (!is_user_limit_first && word != "priority_first") {
      file_.fail(property_of(key), "userlimit_first or priority_first");
    }
  }

 private:
  PropertyReader& file_;
};

void load(PreemptionLoader source, PreemptionSettings& settings) {
  source.flag(switch_key, settings.is_enabled);
  source.flag("observe_only", settings.only_observes);
  source.time("monitoring_interval", settings.interval);
  source.time("max_wait_before_kill", settings.wait_before_kill);
  source.part("total_preemption_per_round", settings.part_per_round);
  source.factor("max_ignored_over_capacity", settings.ignored_over_capacity, factor_max);
  source.factor("natural_termination_factor", settings.natural_termination, 1);
  source.flag("underutilized-preemption.enabled", settings.selects_by_priority);
  source.time("underutilized-preemption.reserved-container-delay-ms",
              settings.reserved_wait_before_priority, 0);
  source.flag("underutilized-preemption.allow-move-reservation", settings.moves_reservations);
  source.flag("select_based_on_reserved_containers", settings.selects_for_reserved);
  source.flag("additional_res_balance_based_on_reserved_containers", settings.counts_reserved);
  source.flag("conservative-drf", settings.is_conservative);
  source.flag("preemption-to-balance-queue-after-satisfied.enabled",
              settings.balances_beyond_guarantee);
  source.time("preemption-to-balance-queue-after-satisfied.max-wait-before-kill",
              settings.wait_before_kill_beyond_guarantee);
  source.flag("intra-queue-preemption.enabled", settings.is_enabled_within_queues);
  source.part("intra-queue-preemption.minimum-threshold", settings.least_used_within_queues);
  source.part("intra-queue-preemption.max-allowable-limit", settings.most_taken_within_queues);
  source.order("intra-queue-preemption.preemption-order-policy", settings.spares_users_below_limit);
  source.flag("intra-queue-preemption.conservative-drf", settings.is_conservative_within_queues);
}

std::string delay_text(Duration duration) {
  return number_text(to_seconds(duration)) + " s";
}
std::string delivery_text(PreemptionDelivery delivery) {
  switch (delivery) {
    case PreemptionDelivery::contract:
      return "contract: requested, and killed at the deadline if still needed";
    case PreemptionDelivery::hadoop:
      return "hadoop: notified once, and killed if still selected after the wait";
    case PreemptionDelivery::kill:
      break;
  }
  return "kill: at once";
}

}  // namespace

std::span<const SettingDescription> preemption_setting_descriptions() {
  return preemption_descriptions;
}

void add_preemption_settings(const SettingValues& given, const std::string& subject,
                             HadoopProperties& properties) {
  for (const SettingDescription& setting : preemption_descriptions) {
    const auto found = given.find(setting.name);
    if (setting.name == preemption_delivery_setting.name || found == given.end()) continue;
    if (found->second.empty()) continue;
    properties.override_with(property_of(setting.name.substr(setting_prefix.size())), found->second,
                             subject + ", setting " + found->first, found->first);
  }
}

PreemptionSettings read_preemption_properties(PropertyReader& properties) {
  PreemptionSettings settings;
  load(PreemptionLoader(properties), settings);
  return settings;
}

std::vector<Figure> explain_preemption(const PreemptionSettings& settings) {
  const std::string is_off =
      settings.is_enabled ? "" : "off, as " + std::string(preemption_switch) + " is not true";
  const auto part = [](double value) { return Ratio{value}; };
  std::vector<Figure> figures = {
      {"preemption", "Preemption",
       settings.is_enabled ? settings.only_observes ? "observes only" : "on" : "off", is_off},
      {"preemption_delivery", "Preemption Delivery", delivery_text(settings.delivery)},
      {"preemption_interval", "Preemption Interval", settings.interval},
      {"wait_before_kill", "Wait Before Kill", settings.wait_before_kill},
      {"preemption_per_round", "Preemption Per Round", part(settings.part_per_round)},
      {"ignored_over_capacity", "Ignored Over Capacity", part(settings.ignored_over_capacity)},
      {"natural_termination_factor", "Natural Termination Factor", settings.natural_termination},
      {"preempts_by_priority", "Preempts For Queues Of Higher Priority",
       settings.selects_by_priority ? "after " + delay_text(settings.reserved_wait_before_priority)
                                    : "no"},
      {"preempts_for_reserved", "Preempts For Reserved Containers", settings.selects_for_reserved},
      {"counts_reserved", "Counts Reserved As Wanted", settings.counts_reserved},
      {"is_conservative", "Conservative With Several Resources", settings.is_conservative},
      {"balances_beyond_guarantees", "Balances Beyond Guarantees",
       settings.balances_beyond_guarantee
           ? "waits " + delay_text(settings.wait_before_kill_beyond_guarantee)
           : "no"},
      {"preempts_within_queues", "Preempts Within Queues", settings.is_enabled_within_queues}};
  if (!settings.is_enabled_within_queues) return figures;
  figures.insert(figures.end(),
                 {{"least_used_within_queues", "Within Queues, Least Used",
                   part(settings.least_used_within_queues)},
                  {"most_taken_within_queues", "Within Queues, Most Taken",
                   part(settings.most_taken_within_queues)},
                  {"order_within_queues", "Within Queues, Order",
                   settings.spares_users_below_limit ? "userlimit_first" : "priority_first"},
                  {"is_conservative_within_queues", "Within Queues, Conservative",
                   settings.is_conservative_within_queues}});
  return figures;
}

}  // namespace tracebed
