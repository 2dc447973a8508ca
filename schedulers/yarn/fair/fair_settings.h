// The Fair Scheduler's settings outside its allocation file: the keys yarn.scheduler.fair.* of
// yarn-site.xml (FairSchedulerConfiguration), and the differences between Hadoop 2.0 and Hadoop 3.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/resources.h"
#include "core/result.h"
#include "core/settings.h"
#include "core/time.h"
#include "schedulers/parts/preemption_delivery.h"
#include "schedulers/yarn/configuration/user_groups.h"
#include "schedulers/yarn/container_sizes.h"

namespace tracebed {

struct FairSettings {
  Resources minimum_allocation{1000, 1024};
  Resources increment_allocation{1000, 1024};
  Resources maximum_allocation;  // zero in a dimension: no limit but the nodes' size
  // Asks of at least this many increments may reserve a node.
  double reservation_increments = 2.0;
  double reservable_nodes = 0.05;  // of the nodes, for one application

  bool user_as_default_queue = true;
  bool allow_undeclared_pools = true;
  bool size_based_weight = false;

  bool assign_multiple = false;
  bool dynamic_max_assign = true;
  std::int64_t max_assign = -1;  // not positive: without limit

  // A part of the cluster's nodes; negative: asks do not wait for places.
  double locality_threshold_node = -1;
  double locality_threshold_rack = -1;
  bool continuous_scheduling = false;
  Duration continuous_scheduling_sleep = milliseconds(5);
  // With continuous scheduling; negative: asks do not wait for places.
  Duration locality_delay_node = milliseconds(-1);
  Duration locality_delay_rack = milliseconds(-1);

  // How often demands and shares are updated; zero: whenever they change.
  Duration update_interval = milliseconds(500);

  UserGroups groups;
  bool ignores_unsupported = false;  // takes files with what is not obeyed
  ResourceDimensions dimensions;     // of the run, by their names

  struct Preemption {
    bool is_enabled = false;
    PreemptionDelivery delivery = PreemptionDelivery::contract;
    float cluster_utilization_threshold = 0.8F;  // more must be used, of memory or vcores
    bool masters = true;                         // masters may be preempted too
    std::map<std::string, bool, std::less<>> masters_of_queues;  // otherwise in these leaves
    Duration wait_before_kill = seconds(15);
    Duration wait_before_next_check = seconds(10);
    Duration node_heartbeat = seconds(1);

    bool takes_masters(const std::string& leaf) const {
      const auto own = masters_of_queues.find(leaf);
      return own == masters_of_queues.end() ? masters : own->second;
    }
  };
  Preemption preemption;

  // ---- differences between the generations ----
  // Containers have a multiple of the increment; otherwise of the minimum.
  bool sizes_by_increment = true;
  // The maxima of a queue's ancestors apply to it too.
  bool ancestors_bind = true;
  // Queues inherit timeouts, thresholds and largest containers; otherwise only access lists.
  bool queues_inherit = true;
  // Whether a parent's policy limits those below it, or only fifo is for leaves.
  bool parents_limit_policies = true;
  // A rule nestedUserQueue decides about every application if the rule in it names a queue for
  // each; otherwise it never does.
  bool nested_rules_decide = true;
  // A share is at most the demand, and a queue divides at most the demand below it; otherwise the
  // demand does not count.
  bool demand_caps_shares = false;
  // Size-based weights are log2(1 + demand); otherwise log2(demand).
  bool size_weight_adds_one = true;
  enum class WeightAdjuster : std::uint8_t {
    none,
    young,  // three times in the first five minutes (Hadoop 1: NewJobWeightBooster)
    old,    // three times after five minutes (the YARN analysis, section 6.3.2)
  };
  WeightAdjuster weight_adjuster = WeightAdjuster::none;
  // Queues that rank the same are ordered by their earliest application; otherwise by name.
  bool queue_ties_by_submission = false;
  bool removes_queues = true;  // those created on demand, once they are empty
};

// Of the containers that it allocates.
ContainerLimits container_limits(const FairSettings& settings);

const std::vector<SettingDescription>& fair_setting_descriptions();

// Fails with a sentence that names the setting, what was expected and what was found.
Result<FairSettings> read_fair_settings(const SettingValues& values,
                                        Duration heartbeat_of_run = Duration::zero());

}  // namespace tracebed
