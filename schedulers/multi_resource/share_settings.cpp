#include "schedulers/multi_resource/share_settings.h"

#include <cmath>
#include <string_view>
#include <utility>

#include "core/settings.h"

namespace tracebed {
namespace {

constexpr SettingDescription groups_setting{"groups", "user",
                                            "jobs of one `user`, or of one `queue`, are a group"};
constexpr SettingDescription weights_setting{
    "weights", "", "weights of groups, as in \"alice=2,bob=0.5\"; others weigh 1"};

ShareSettings::Groups read_groups(SettingReader& reader) {
  return reader.choice("groups", {"user", "queue"}) == 0 ? ShareSettings::Groups::by_user
                                                         : ShareSettings::Groups::by_queue;
}

Result<ShareSettings> with_weights(ShareSettings settings, const SchedulerParameters& parameters,
                                   std::string_view scheduler) {
  Result<NamedWeights> weights = read_named_weights(parameters, scheduler, "alice=2,bob=0.5");
  if (!weights) return weights.error();
  settings.weights = std::move(weights).value();
  return settings;
}

}  // namespace

const std::vector<SettingDescription>& mfs_setting_descriptions() {
  static const std::vector<SettingDescription> all{
      groups_setting,
      weights_setting,
      {"order", "strict",
       "a job that has the least share and no room: `strict`: the node waits for it; `skip`: the "
       "next job is tried"},
      {"fit", "at_least",
       "what of each resource must be free: `at_least` the demand, or `more` than it"},
      {"tasks_per_heartbeat", "one", "`one` task, or `several`"},
      {"utilisation_max", "1.0",
       "a node of which this part of any resource is in use takes no task, 0.001 to 1 (θ)"},
      {"utilisation", "allocated",
       "what of a node is in use: what is `allocated`, or of vcores and memory what its last "
       "heartbeat `measured`, with what was allocated since"},
      node_delay_setting,
      rack_delay_setting,
  };
  return all;
}

Result<ShareSettings> read_mfs_settings(const SchedulerParameters& parameters) {
  SettingReader reader("scheduler mfs", mfs_setting_descriptions(), parameters.settings);
  ShareSettings settings;
  settings.groups = read_groups(reader);
  settings.serving.skips = reader.choice("order", {"strict", "skip"}) == 1;
  settings.serving.needs_more = reader.choice("fit", {"at_least", "more"}) == 1;
  settings.serving.gives_several = reader.choice("tasks_per_heartbeat", {"one", "several"}) == 1;
  settings.serving.utilisation_max_milli =
      std::lround(1'000 * reader.fraction("utilisation_max", 0.001, 1));
  settings.serving.is_utilisation_measured =
      reader.choice("utilisation", {"allocated", "measured"}) == 1;
  settings.serving.delays = read_map_delays(reader);
  if (const Status status = reader.status(); !status) return status.error();
  return with_weights(std::move(settings), parameters, "mfs");
}

const std::vector<SettingDescription>& drf_setting_descriptions() {
  static const std::vector<SettingDescription> all{
      {"policy", "drf",
       "whose share is the least: `drf`: of the resource that a group uses the largest part of; "
       "`asset`: of all resources together; `ceei`: of the resource as in drf, as a part of what "
       "the group would have in a competitive equilibrium from equal incomes"},
      groups_setting,
      weights_setting,
      {"order", "skip",
       "a group that has the least share and no room on the node: `skip`: the next job is tried; "
       "`strict`: the node waits for it"},
      node_delay_setting,
      rack_delay_setting,
  };
  return all;
}

Result<ShareSettings> read_drf_settings(const SchedulerParameters& parameters) {
  SettingReader reader("scheduler drf", drf_setting_descriptions(), parameters.settings);
  ShareSettings settings;
  settings.policy = static_cast<DivisionPolicy>(reader.choice("policy", {"drf", "asset", "ceei"}));
  settings.job_order = JobOrder::by_submission;
  settings.groups = read_groups(reader);
  settings.serving.skips = reader.choice("order", {"skip", "strict"}) == 0;
  settings.serving.gives_several = true;
  // No threshold: who does not need a resource gets tasks where it is exhausted.
  settings.serving.utilisation_max_milli = no_utilisation_max;
  settings.serving.delays = read_map_delays(reader);
  if (const Status status = reader.status(); !status) return status.error();
  return with_weights(std::move(settings), parameters, "drf");
}

}  // namespace tracebed
