#include "schedulers/yarn/capacity/capacity_refresh.h"

#include <algorithm>

#include "schedulers/yarn/capacity/binding_amounts.h"
#include "schedulers/yarn/capacity/capacity_scheduler.h"

namespace tracebed {
namespace {

const CapacityQueue* find_path(const CapacityConfiguration& configuration,
                               const std::string& path) {
  for (const CapacityQueue& queue : configuration.queues) {
    if (queue.path == path) return &queue;
  }
  return nullptr;
}

// A queue that has applications is draining at most.
std::string state_text(const CapacityQueue& queue, std::uint32_t applications) {
  if (applications > 0) {
    const std::string count = std::to_string(applications);
    return "has " + count + (applications == 1 ? " application" : " applications");
  }
  return queue.state == CapacityQueueState::running ? "is running" : "is draining";
}

// AbstractLeafQueue.reinitialize. What the scheduler's own maximum becomes is checked nowhere but
// in the leaves that have it.
Status check_maximum(const CapacityState& state, const CapacityQueue& old,
                     const CapacitySettings& settings, const CapacityQueue& now) {
  const Resources before = maximum_allocation_of(state.settings(), old);
  const Resources after = maximum_allocation_of(settings, now);
  const auto refused = [&](const std::string& told) {
    return Error{"queue " + old.path + ": its maximum allocation cannot be lowered: masters were " +
                 told};
  };
  bool is_lower = false;
  for (std::size_t d = 0; d < std::max(before.dimensions_used(), after.dimensions_used()); ++d) {
    if (after[d] > 0 && before[d] == 0) return refused("told that there is none");
    is_lower |= after[d] > 0 && after[d] < before[d];
  }
  if (!is_lower) return success();
  const BindingAmounts lowered = BindingAmounts::by_maximum(settings, before, after);
  return refused("told " + lowered.text(before) + ", and not " + lowered.text(after));
}

}  // namespace

Status check_refresh(const CapacityState& state, const CapacitySettings& settings) {
  // CapacityScheduler.initScheduler reads it, reinitialize does not.
  if (settings.configuration.calculator.kind() != state.configuration().calculator.kind()) {
    return Error{
        "yarn.scheduler.capacity.resource-calculator cannot be changed while the "
        "scheduler runs: expected that of the start"};
  }
  const QueueTree& tree = state.tree();
  for (QueueIndex i = 0; i < tree.size(); ++i) {
    const CapacityQueue& old = tree.configured(i);
    const CapacityQueue* now = find_path(settings.configuration, old.path);
    const std::uint32_t applications = tree[i].applications;
    const bool is_stopped =
        applications == 0 &&
        (old.state == CapacityQueueState::stopped || settings.stopped_paths.contains(old.path) ||
         (now != nullptr && now->state == CapacityQueueState::stopped));
    if (now == nullptr) {
      if (settings.semantics.keeps_queues_for_ever) {
        return Error{"queue " + old.path + " cannot be taken out while the scheduler runs"};
      }
      if (!is_stopped) {
        return Error{"queue " + old.path + " cannot be taken out: expected it to be stopped, but " +
                     "it " + state_text(old, applications)};
      }
    } else if (old.is_leaf() && !now->is_leaf() && !is_stopped) {
      return Error{"queue " + old.path + " cannot be given queues of its own: expected it to be " +
                   "stopped, but it " + state_text(old, applications)};
    }
  }
  for (QueueIndex i = 0; i < tree.size(); ++i) {
    const CapacityQueue& old = tree.configured(i);
    const CapacityQueue* now = find_path(settings.configuration, old.path);
    if (now == nullptr || !old.is_leaf() || !now->is_leaf()) continue;
    const Status status = check_maximum(state, old, settings, *now);
    if (!status) return status;
  }
  return success();
}

Status CapacityScheduler::reconfigure(const SchedulerParameters& parameters,
                                      const ClusterModel& cluster) {
  Result<CapacitySettings> settings = read_capacity_settings(parameters);
  if (!settings) return settings.error();
  if (const Status status = check_refresh(state_, *settings); !status) return status;
  state_.adopt(std::move(*settings), cluster);
  sizes_.set_limits(container_limits(state_.settings()));
  admission_.start_all();
  preemption_.note_change();
  return success();
}

void CapacityState::adopt(CapacitySettings settings, const ClusterModel& cluster) {
  std::vector<ApplicationId> active;
  std::vector<AskId> asks;
  applications_.for_each([&](ApplicationId id, const RunningApplication& application) {
    if (application.stage == RunningApplication::Stage::active) active.push_back(id);
    asks.insert(asks.end(), application.all_asks.begin(), application.all_asks.end());
  });
  for (const ApplicationId id : active) end_wanting(applications_[id]);

  const std::unique_ptr<CapacitySettings> old_settings = std::move(settings_);
  const std::unique_ptr<QueueTree> old = std::move(tree_);
  settings_ = std::make_unique<CapacitySettings>(std::move(settings));
  tree_ = std::make_unique<QueueTree>(*settings_);
  std::map<QueueIndex, QueueIndex> moved;
  for (QueueIndex from = 0; from < old->size(); ++from) {
    const CapacityQueue* queue = find_path(configuration(), old->configured(from).path);
    if ((*old)[from].leaf == nullptr || queue == nullptr || !queue->is_leaf()) continue;
    const auto to = static_cast<QueueIndex>(queue - configuration().queues.data());
    tree_->carry_over(*old, from, to);
    moved[from] = to;
  }
  applications_.for_each([&](ApplicationId id, const RunningApplication&) {
    RunningApplication& application = applications_[id];
    application.leaf = moved.at(application.leaf);
    const auto& weights = tree_->configured(application.leaf).user_weights;
    const auto weight = weights.find(user_name(application.user));
    application.leaf_user->weight = weight == weights.end() ? 1 : weight->second;
  });
  tree_->recompute(partitions_);
  for (const ApplicationId id : active) begin_wanting(applications_[id]);
  // Default labels and the maximum allocation may be others now.
  for (const AskId id : asks) {
    if (cluster.asks.contains(id)) follow_ask(cluster, id);
  }
}

}  // namespace tracebed
