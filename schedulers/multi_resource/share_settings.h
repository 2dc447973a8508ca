// The settings of the schedulers that serve whoever has the least share: MFS and DRF.
#pragma once

#include <cstdint>
#include <vector>

#include "core/scheduler_parameters.h"
#include "schedulers/multi_resource/least_share_first.h"
#include "schedulers/multi_resource/share_order.h"
#include "schedulers/parts/named_weights.h"

namespace tracebed {

// What the next task goes by: a group's share, by one of two measures, over its weight; or over its
// weight times what it would have in a competitive equilibrium from equal incomes.
enum class DivisionPolicy : std::uint8_t { dominant, asset, market };

struct ShareSettings {
  enum class Groups : std::uint8_t { by_user, by_queue };
  DivisionPolicy policy = DivisionPolicy::dominant;
  JobOrder job_order = JobOrder::by_share;  // within a group
  Groups groups = Groups::by_user;
  // Of groups; 1 if it is not named.
  NamedWeights weights;
  ServingRules serving;

  ShareMeasure measure() const {
    return policy == DivisionPolicy::asset ? ShareMeasure::aggregate : ShareMeasure::dominant;
  }
};

const std::vector<SettingDescription>& mfs_setting_descriptions();
Result<ShareSettings> read_mfs_settings(const SchedulerParameters& parameters);

const std::vector<SettingDescription>& drf_setting_descriptions();
Result<ShareSettings> read_drf_settings(const SchedulerParameters& parameters);

}  // namespace tracebed
