// The placement policies as they are registered.
#include "schedulers/entries/differences.h"
#include "schedulers/entries/entries.h"
#include "schedulers/parts/entry_settings.h"
#include "schedulers/placement/placement.h"

namespace tracebed {
namespace {

using Rule = PlacementSettings::Rule;

template <Rule rule>
Result<std::unique_ptr<Scheduler>> make_placement(const SchedulerEntry& entry,
                                                  const SchedulerParameters& parameters) {
  SettingReader reader = reader_of(entry, parameters);
  PlacementSettings settings;
  settings.rule = rule;
  settings.seed = parameters.seed;
  if (rule != Rule::random) {
    settings.share =
        reader.choice("share", {"sum", "dominant"}) == 0 ? UsedShare::sum : UsedShare::dominant;
  }
  settings.locality = reader.choice("locality", {"ignore", "prefer"}) == 0
                          ? PlacementSettings::Locality::ignore
                          : PlacementSettings::Locality::prefer;
  if (const Status status = reader.status(); !status) return status.error();
  return Result<std::unique_ptr<Scheduler>>(std::make_unique<PlacementScheduler>(settings));
}

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
