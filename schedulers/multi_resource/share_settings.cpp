#include "schedulers/multi_resource/share_settings.h"

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include "core/settings.h"

namespace tracebed {
namespace {

using Weights = decltype(ShareSettings::weights);

std::optional<std::int64_t> weight_of(std::string_view text) {
  constexpr double one = 1'000;
  double weight = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, weight);
  if (text.empty() || error != std::errc() || stop != end) return std::nullopt;
  if (!(weight >= 1 / one && weight <= one)) return std::nullopt;
  return std::llround(weight * one);
}

// "NAME=WEIGHT,…", no name twice; nothing is no weights.
std::optional<Weights> read_weights(std::string_view text) {
  Weights weights;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view pair = text.substr(0, comma);
    const std::size_t sign = pair.rfind('=');
    if (sign == std::string_view::npos || sign == 0) return std::nullopt;
    const auto weight = weight_of(pair.substr(sign + 1));
    if (!weight || !weights.emplace(pair.substr(0, sign), *weight).second) return std::nullopt;
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
    if (text.empty()) return std::nullopt;  // a comma promises another
  }
  return weights;
}

constexpr SettingDescription groups_setting{"groups", "user",
                                            "jobs of one `user`, or of one `queue`, are a group"};
constexpr SettingDescription weights_setting{
    "weights", "", "weights of groups, as in \"alice=2,bob=0.5\"; others weigh 1"};

ShareSettings::Groups read_groups(SettingReader& reader) {
  return reader.choice("groups", {"user", "queue"}) == 0 ? ShareSettings::Groups::by_user
                                                         : ShareSettings::Groups::by_queue;
}

Status add_weights(const SchedulerParameters& parameters, std::string_view scheduler,
                   ShareSettings& settings) {
  const auto given = parameters.settings.find("weights");
  if (given == parameters.settings.end()) return success();
  const std::optional<Weights> weights = read_weights(given->second);
  if (!weights) {
    return Error{"scheduler " + std::string(scheduler) +
                     ", setting weights: expected names with weights from 0.001 to 1000, such as "
                     "\"alice=2,bob=0.5\", got \"" +
                     given->second + "\"",
                 "weights"};
  }
  settings.weights = *weights;
  return success();
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
       "a node of which this part of any resource is allocated takes no task, 0.001 to 1 (θ)"},
  };
  return all;
}

Result<ShareSettings> read_mfs_settings(const SchedulerParameters& parameters) {
  SettingReader reader("scheduler mfs", mfs_setting_descriptions(), parameters.settings);
  ShareSettings settings;
  settings.groups = read_groups(reader);
  settings.skips = reader.choice("order", {"strict", "skip"}) == 1;
  settings.needs_more = reader.choice("fit", {"at_least", "more"}) == 1;
  settings.gives_several = reader.choice("tasks_per_heartbeat", {"one", "several"}) == 1;
  settings.utilisation_max_milli =
      std::lround(1'000 * reader.fraction("utilisation_max", 0.001, 1));
  if (const Status status = reader.status(); !status) return status.error();
  if (const Status status = add_weights(parameters, "mfs", settings); !status) {
    return status.error();
  }
  return settings;
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
  };
  return all;
}

Result<ShareSettings> read_drf_settings(const SchedulerParameters& parameters) {
  SettingReader reader("scheduler drf", drf_setting_descriptions(), parameters.settings);
  ShareSettings settings;
  settings.policy = static_cast<DivisionPolicy>(reader.choice("policy", {"drf", "asset", "ceei"}));
  settings.job_order = JobOrder::by_submission;
  settings.groups = read_groups(reader);
  settings.skips = reader.choice("order", {"skip", "strict"}) == 0;
  settings.gives_several = true;
  // No threshold: who does not need a resource gets tasks where it is exhausted.
  settings.utilisation_max_milli = 1'001;
  if (const Status status = reader.status(); !status) return status.error();
  if (const Status status = add_weights(parameters, "drf", settings); !status) {
    return status.error();
  }
  return settings;
}

}  // namespace tracebed
