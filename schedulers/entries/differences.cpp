#include "schedulers/entries/differences.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <string_view>

#include "schedulers/yarn/configuration/preemption_properties.h"

namespace tracebed {
namespace {

using Touched = std::function<bool(const DifferingRun&)>;

std::string_view setting_of(const DifferingRun& run, std::string_view name) {
  const auto found = run.parameters.settings.find(name);
  return found == run.parameters.settings.end() ? std::string_view() : found->second;
}

Touched is_set(std::string_view name, std::string_view value) {
  return [=](const DifferingRun& run) { return setting_of(run, name) == value; };
}
Touched is_given(std::string_view name) {
  return [=](const DifferingRun& run) { return !setting_of(run, name).empty(); };
}
Touched is_not_set(std::string_view name, std::string_view value) {
  return [=](const DifferingRun& run) { return setting_of(run, name) != value; };
}
Touched both(const Touched& one, const Touched& other) {
  return [=](const DifferingRun& run) { return one(run) && other(run); };
}
Touched either(const Touched& one, const Touched& other) {
  return [=](const DifferingRun& run) { return one(run) || other(run); };
}

bool has_gangs(const DifferingRun& run) {
  return run.has_gangs;
}
bool has_further_resources(const DifferingRun& run) {
  return run.parameters.dimensions.size() > 2;
}
// No run of a trace has what it is about.
bool never_touched(const DifferingRun&) {
  return false;
}

const XmlElement* config_of(const DifferingRun& run) {
  const auto found = run.parameters.documents.find("config");
  return found == run.parameters.documents.end() ? nullptr : &found->second;
}

// The file has a property whose name contains `name` and whose value contains `value`.
Touched has_property(std::string_view name, std::string_view value = {}) {
  return [=](const DifferingRun& run) {
    const XmlElement* config = config_of(run);
    if (config == nullptr) return false;
    return std::any_of(config->children.begin(), config->children.end(),
                       [&](const XmlElement& property) {
                         const XmlElement* of_name = property.child("name");
                         const XmlElement* of_value = property.child("value");
                         return of_name != nullptr && of_value != nullptr &&
                                of_name->text.find(name) != std::string::npos &&
                                of_value->text.find(value) != std::string::npos;
                       });
  };
}

bool has_maximum_above_all(const DifferingRun& run) {
  const XmlElement* config = config_of(run);
  if (config == nullptr) return false;
  return std::any_of(
      config->children.begin(), config->children.end(), [](const XmlElement& property) {
        const XmlElement* name = property.child("name");
        const XmlElement* value = property.child("value");
        if (name == nullptr || value == nullptr || !name->text.ends_with(".maximum-capacity")) {
          return false;
        }
        double percent = 0;
        const char* const begin = value->text.data();
        return std::from_chars(begin, begin + value->text.size(), percent).ec == std::errc() &&
               percent > 100;
      });
}

bool has_element_below(const XmlElement& above, std::string_view name) {
  return std::any_of(above.children.begin(), above.children.end(), [&](const XmlElement& element) {
    return element.name == name || has_element_below(element, name);
  });
}
// The file has an element of this name on any level.
Touched has_element(std::string_view name) {
  return [=](const DifferingRun& run) {
    const XmlElement* config = config_of(run);
    return config != nullptr && has_element_below(*config, name);
  };
}

Touched negated(const Touched& one) {
  return [=](const DifferingRun& run) { return !one(run); };
}

// A switch of a setting, or where that is not given of a property.
Touched is_on(std::string_view setting, std::string_view property) {
  return either(is_set(setting, "true"),
                both(negated(is_given(setting)), has_property(property, "true")));
}

}  // namespace

std::vector<Difference> fifo_differences() {
  const Touched by_memory = is_set("resource_calculator", "memory");
  return {{"container-vcores", by_memory},
          {"available-vcores", by_memory},
          {"fifo-further-resources", both(by_memory, has_further_resources)},
          {"fifo-calculator", is_set("resource_calculator", "dominant")},
          {"fifo-one-size", never_touched},
          {"fifo-gangs", has_gangs},
          {"fifo-gang-sizes", has_gangs}};
}

std::vector<Difference> capacity_differences() {
  const Touched has_any_form = has_property("legacy-queue-mode.enabled", "false");
  const Touched by_dominant = has_property("resource-calculator", "DominantResourceCalculator");
  const Touched by_memory = negated(by_dominant);
  const Touched preempts = is_on("preemption.enabled", preemption_switch);
  const Touched within_queues = both(preempts, is_on("preemption.intra-queue-preemption.enabled",
                                                     "intra-queue-preemption.enabled"));
  const Touched maps = either(has_property("queue-mappings"), has_property("mapping-rule"));
  const Touched maps_by_json =
      either(has_property("mapping-rule-format", "json"), has_property("mapping-rule-json"));
  return {{"container-vcores", by_memory},
          {"available-vcores", by_memory},
          {"capacity-every-dimension", by_dominant},
          {"capacity-further-resources", both(by_memory, has_further_resources)},
          {"capacity-one-size", never_touched},
          {"capacity-gangs", has_gangs},
          {"capacity-nodes-without-rack", never_touched},
          {"capacity-one-too-many", within_queues},
          {"capacity-waiting-gangs", both(preempts, has_gangs)},
          {"capacity-equal-users", within_queues},
          {"capacity-priority-order", has_property("ordering-policy", "priority-utilization")},
          {"capacity-moved-reservation",
           negated(has_property("reservations-continue-look-all-nodes", "false"))},
          {"capacity-lists-without-site",
           both(is_set("acls", "true"), either(has_property("acl_submit_applications"),
                                               has_property("acl_administer_queue")))},
          {"capacity-maximum-above-all", has_maximum_above_all},
          {"capacity-turns-after-refresh", has_any_form},
          {"capacity-list-values", has_any_form},
          {"capacity-managed-applications", has_property("leaf-queue-template.")},
          {"capacity-managed-own-properties", has_property("leaf-queue-template.")},
          {"capacity-managed-same-time", has_property("leaf-queue-template.")},
          {"capacity-created-weights", has_property("auto-queue-creation-v2.")},
          {"capacity-application-names", maps},
          {"capacity-rule-keys", maps_by_json}};
}

std::vector<Difference> fair_differences() {
  const Touched preempts = is_set("preemption.enabled", "true");
  const Touched names_groups = either(
      is_given("groups"), either(has_element("aclSubmitApps"),
                                 either(has_element("aclAdministerApps"), has_element("rule"))));
  return {{"available-vcores"},
          {"fair-increment"},
          {"fair-one-size", never_touched},
          {"fair-gangs", has_gangs},
          {"fair-groups", names_groups},
          {"fair-rest-of-amounts", never_touched},  // such files are refused
          {"fair-same-time"},
          {"fair-nothing-over-nothing"},
          {"fair-no-memory-wanted"},
          {"fair-victims-newest", preempts},
          {"fair-needless-victims", preempts},
          {"fair-promised-room", preempts},
          {"fair-level-of-room", preempts},
          {"fair-lacked-minimum", both(preempts, has_element("minResources"))},
          {"fair-looks", preempts}};
}

bool has_map_delays(const DifferingRun& run) {
  const auto is_delay = [&](std::string_view name) {
    const std::string_view value = setting_of(run, name);
    return !value.empty() && value != "0";
  };
  return is_delay("locality_delay_of_node_ms") || is_delay("locality_delay_of_rack_ms");
}

std::vector<Difference> slot_fifo_differences() {
  return {{"slots-room"},
          {"slot-fifo-priority"},
          {"slot-fifo-padding"},
          {"delay-wait", has_map_delays}};
}

std::vector<Difference> slot_capacity_differences() {
  return {{"slots-room"},
          {"slot-capacity-initialisation"},
          {"slot-capacity-ties"},
          {"slot-capacity-gangs", has_gangs},
          {"slot-capacity-kill-order", is_set("generation", "0.20.0")}};
}

std::vector<Difference> slot_fair_differences() {
  const Touched by_deficits = is_set("generation", "0.20");
  const Touched by_ratios = is_set("generation", "1.x");
  return {{"slots-room"},
          {"slot-fair-speculation"},
          {"slot-fair-no-maps", by_deficits},
          {"slot-fair-starvation-record", both(by_ratios, is_set("preemption", "false"))},
          {"slot-fair-heartbeats-at-once", by_ratios},
          {"slot-fair-waits-for-place", by_ratios}};
}

std::vector<Difference> mfs_differences() {
  return {{"mfs-jobs-without-task"},
          {"mfs-exact-fit", is_set("fit", "at_least")},
          {"delay-wait", has_map_delays}};
}

std::vector<Difference> drf_differences() {
  return {
      {"drf-demands"}, {"drf-next-group", is_set("order", "skip")}, {"delay-wait", has_map_delays}};
}

std::vector<Difference> hdrf_differences() {
  return {{"hdrf-exhausted"}, {"hdrf-jobs-of-inner-queues"}, {"delay-wait", has_map_delays}};
}

std::vector<Difference> tetris_differences() {
  return {{"tetris-estimates", is_not_set("work_weight", "0")},
          {"tetris-dimensions"},
          {"tetris-none-of-the-first", is_not_set("fairness", "0")},
          {"tetris-barriers", is_not_set("barrier", "1")}};
}

std::vector<Difference> dbd_differences() {
  return {{"dbd-cut-off"},
          {"dbd-order", is_not_set("order", "sorted")},
          {"dbd-cover", is_not_set("cover", "always")},
          {"dbd-fractions"},
          {"dbd-continued", is_set("short_of_room", "partial")}};
}

std::vector<Difference> slot_dynamic_priority_differences() {
  return {{"slots-room"},
          {"slot-bids-budget", is_given("budgets")},
          {"slot-bids-everybody"},
          {"delay-wait", has_map_delays}};
}

std::vector<Difference> slot_soft_deadline_differences() {
  return {{"slots-room"},
          {"slot-deadline-phases"},
          {"slot-deadline-missed"},
          {"delay-wait", has_map_delays}};
}

std::vector<Difference> slot_hard_deadline_differences() {
  return {{"slots-room"}, {"slot-deadline-costs"}, {"delay-wait", has_map_delays}};
}

std::vector<Difference> spread_differences() {
  return {{"spread-percent"}, {"spread-no-demand"}};
}

std::vector<Difference> packing_differences() {
  return {{"packing-node-for-item"}, {"packing-weights"}};
}

std::vector<Difference> weighted_priorities_differences() {
  return {{"kubernetes-ties"},
          {"kubernetes-fewer-nodes", is_not_set("percentage_of_nodes", "100")}};
}

std::vector<Difference> monolithic_differences() {
  return {{"concurrent-no-delay"}};
}

std::vector<Difference> shared_state_differences() {
  return {{"concurrent-no-delay"}, {"concurrent-again-by-policy"}};
}

std::vector<Difference> two_level_differences() {
  return {{"concurrent-no-delay"}, {"concurrent-whole-nodes"}};
}

}  // namespace tracebed
