// The placement policies as they are registered.
#include <string>

#include "schedulers/entries/differences.h"
#include "schedulers/entries/entries.h"
#include "schedulers/parts/entry_settings.h"
#include "schedulers/parts/named_weights.h"
#include "schedulers/placement/placement.h"

namespace tracebed {
namespace {

using Rule = PlacementSettings::Rule;

PlacementSettings settings_of(Rule rule, const SchedulerParameters& parameters,
                              SettingReader& reader) {
  PlacementSettings settings;
  settings.rule = rule;
  settings.seed = parameters.seed;
  settings.locality = reader.choice("locality", {"ignore", "prefer"}) == 0
                          ? PlacementSettings::Locality::ignore
                          : PlacementSettings::Locality::prefer;
  return settings;
}

template <Rule rule>
Result<std::unique_ptr<Scheduler>> make_placement(const SchedulerEntry& entry,
                                                  const SchedulerParameters& parameters) {
  SettingReader reader = reader_of(entry, parameters);
  PlacementSettings settings = settings_of(rule, parameters, reader);
  if (rule != Rule::random) {
    settings.share =
        reader.choice("share", {"sum", "dominant"}) == 0 ? UsedShare::sum : UsedShare::dominant;
  }
  if (const Status status = reader.status(); !status) return status.error();
  return Result<std::unique_ptr<Scheduler>>(std::make_unique<PlacementScheduler>(settings));
}

template <Rule rule>
Result<std::unique_ptr<Scheduler>> make_packing(const SchedulerEntry& entry,
                                                const SchedulerParameters& parameters) {
  SettingReader reader = reader_of(entry, parameters);
  PlacementSettings settings = settings_of(rule, parameters, reader);
  if (const Status status = reader.status(); !status) return status.error();
  const auto weights = read_named_weights(parameters, entry.name, "vcores=1,memory=0.5");
  if (!weights) return weights.error();
  for (const auto& [name, weight] : weights.value()) {
    const std::size_t d = parameters.dimensions.find(name);
    if (d < parameters.dimensions.size()) {
      settings.weights.at(d) = weight;
      continue;
    }
    std::string known;
    for (std::size_t i = 0; i < parameters.dimensions.size(); ++i) {
      known += (i == 0 ? "" : ", ") + parameters.dimensions.name(i);
    }
    return Error{"scheduler " + std::string(entry.name) +
                     ", setting weights: expected resources of the run, " + known + ", got \"" +
                     name + "\"",
                 "weights"};
  }
  return Result<std::unique_ptr<Scheduler>>(std::make_unique<PlacementScheduler>(settings));
}

constexpr std::string_view packing_source =
    "Panigrahy et al., Heuristics for Vector Bin Packing, 2011";
constexpr SettingDescription packing_weights_setting{
    "weights", "", "weights of resources, as in \"vcores=1,memory=0.5\"; others weigh 1"};
constexpr std::string_view placement_source =
    "Docker Swarm, scheduler/strategy; Du et al., section 3.2";
constexpr SettingDescription share_setting{
    "share", "sum",
    "utilisation of a node: `sum` of the used shares of all dimensions with the unit, or the "
    "`dominant` one before it"};
constexpr SettingDescription locality_setting{
    "locality", "ignore",
    "`ignore` the location of a task's input, or `prefer` its nodes, then its racks"};

}  // namespace

SchedulerEntry binpack_entry() {
  return {.name = "binpack",
          .summary =
              "Each unit goes to the fullest node that has room for it; units that fit nowhere are "
              "skipped.",
          .source = placement_source,
          .settings = {share_setting, locality_setting},
          .make = make_placement<Rule::binpack>,
          .imitated = "Docker Swarm",
          .differences = spread_differences()};
}

SchedulerEntry dot_product_entry() {
  return {.name = "dot_product",
          .summary =
              "Each unit goes to the node with the largest dot product of what is free there and "
              "what it demands.",
          .source = packing_source,
          .settings = {packing_weights_setting, locality_setting},
          .make = make_packing<Rule::dot_product>,
          .imitated = "Panigrahy et al. (2011)",
          .differences = packing_differences()};
}

SchedulerEntry l2_norm_entry() {
  return {.name = "l2_norm",
          .summary =
              "Each unit goes to the node with room where what would be left free has the least L2 "
              "norm.",
          .source = packing_source,
          .settings = {packing_weights_setting, locality_setting},
          .make = make_packing<Rule::l2_norm>,
          .imitated = "Panigrahy et al. (2011)",
          .differences = packing_differences()};
}

SchedulerEntry random_entry() {
  return {.name = "random",
          .summary = "Each unit goes to a random node that has room for it.",
          .source = placement_source,
          .settings = {locality_setting},
          .make = make_placement<Rule::random>,
          .draws = "random placement"};
}

SchedulerEntry spread_entry() {
  return {.name = "spread",
          .summary =
              "Each unit goes to the least used node that has room for it; units that fit nowhere "
              "are skipped.",
          .source = placement_source,
          .settings = {share_setting, locality_setting},
          .make = make_placement<Rule::spread>,
          .imitated = "Docker Swarm",
          .differences = spread_differences()};
}

}  // namespace tracebed
