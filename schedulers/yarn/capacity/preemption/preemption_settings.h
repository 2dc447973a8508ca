// The settings of the Capacity scheduler's preemption: the properties that Hadoop reads for
// ProportionalCapacityPreemptionPolicy from capacity-scheduler.xml, and before it from
// yarn-site.xml, each also a setting of an experiment, which overrides both files.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/scheduler_view.h"
#include "core/settings.h"
#include "core/time.h"
#include "schedulers/parts/preemption_delivery.h"
#include "schedulers/yarn/configuration/preemption_properties.h"
#include "schedulers/yarn/configuration/property_reader.h"

namespace tracebed {

struct PreemptionSettings {
  bool is_enabled = false;
  PreemptionDelivery delivery = PreemptionDelivery::contract;
  bool only_observes = false;  // what would be chosen is shown, nothing is preempted
  Duration interval = seconds(3);
  Duration wait_before_kill = seconds(15);
  // 32 bits or 64 as in the original, since products are rounded.
  float part_per_round = 0.1F;  // of the cluster
  double ignored_over_capacity = 0.1;
  double natural_termination = 0.2;
  // Queues of higher priority take room for what they have reserved for
  // reserved_wait_before_priority.
  bool selects_by_priority = false;
  Duration reserved_wait_before_priority = seconds(60);
  bool moves_reservations = false;  // to nodes where that would help
  bool selects_for_reserved = false;
  bool counts_reserved = false;  // what is reserved counts as demand, without damping
  bool is_conservative = false;  // takes nothing once enough was taken in some dimension

  // Between queues that have their guarantees.
  bool balances_beyond_guarantee = false;
  Duration wait_before_kill_beyond_guarantee = seconds(300);

  // Within a leaf.
  bool is_enabled_within_queues = false;
  float least_used_within_queues = 0.5F;  // of the guarantee; below it a leaf is skipped
  float most_taken_within_queues = 0.2F;  // of the guarantee, in a round
  bool spares_users_below_limit = true;   // userlimit_first, otherwise priority_first
  bool is_conservative_within_queues = true;
};

std::span<const SettingDescription> preemption_setting_descriptions();

// Overrides the files' properties with the settings that are given and not empty. `subject` is
// whose settings they are, for messages.
void add_preemption_settings(const SettingValues& given, const std::string& subject,
                             HadoopProperties& properties);
// Reads the properties, with Hadoop's defaults, except the delivery.
PreemptionSettings read_preemption_properties(PropertyReader& properties);

// As a queue tells them.
std::vector<Figure> explain_preemption(const PreemptionSettings& settings);

}  // namespace tracebed
