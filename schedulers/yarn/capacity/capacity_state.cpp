#include "schedulers/yarn/capacity/capacity_state.h"

#include <algorithm>

#include "schedulers/yarn/capacity/application_lifetimes.h"

namespace tracebed {

using ApplicationStage = RunningApplication::Stage;

CapacityState::CapacityState(CapacitySettings settings)
    : settings_(std::make_unique<CapacitySettings>(std::move(settings))),
      tree_(std::make_unique<QueueTree>(*settings_)) {
  tree_->recompute(partitions_);
}

const std::string& CapacityState::user_name(UserId user) const {
  static const std::string nobody;
  return user.is_valid() ? settings_->names->users.name(user) : nobody;
}

const Resources& CapacityState::limit_of_user(const RunningApplication& application,
                                              PartitionIndex partition) const {
  const RunningQueue& queue = (*tree_)[application.leaf];
  const QueueUse& use = queue.uses[partition];
  return queue.leaf->users.limit(*application.leaf_user, partition, use.basis,
                                 settings_->semantics.divides_limit_among_users, use.used);
}

Resources CapacityState::shared_limit_of_user(const RunningApplication& application,
                                              PartitionIndex partition) const {
  const RunningQueue& queue = (*tree_)[application.leaf];
  const QueueUse& use = queue.uses[partition];
  return queue.leaf->users.shared_limit(*application.leaf_user, partition, use.basis,
                                        settings_->semantics.divides_limit_among_users, use.used);
}

// ---- the cluster ----

void CapacityState::node_added(const Node& node) {
  node_removed(node.id);
  partitions_.add(node);
  if (node.id.index() >= size_of_.size()) size_of_.resize(node.id.index() + 1);
  size_of_[node.id.index()] = node.capacity;
  ++node_sizes_[node.capacity];
  are_figures_old_ = true;
  make_room_for_partitions();
}

void CapacityState::node_removed(NodeId node) {
  if (node.index() >= size_of_.size() || size_of_[node.index()].is_zero()) return;
  if (reservation(node) != nullptr) unreserve(node);
  partitions_.remove(node);
  const auto size = node_sizes_.find(size_of_[node.index()]);
  if (--size->second == 0) node_sizes_.erase(size);
  size_of_[node.index()] = Resources();
  are_figures_old_ = true;
}

// Where use is counted by partition, one that is new has no place yet.
void CapacityState::make_room_for_partitions() {
  if (partitions_.size() == (*tree_)[0].uses.size()) return;
  tree_->recompute(partitions_);
  are_figures_old_ = true;
}

bool CapacityState::refresh_figures() {
  if (!are_figures_old_) return false;
  are_figures_old_ = false;
  tree_->recompute(partitions_);
  ++version_of_created_;  // room in a queue may be another
  return true;
}

Resources CapacityState::maximum_allocation() const {
  Resources maximum = settings_->maximum_allocation;
  for (const auto& [size, nodes] : node_sizes_) {
    for (std::size_t d = 0; d < size.dimensions_used(); ++d) {
      if (settings_->maximum_allocation[d] == 0 && size[d] > maximum[d]) maximum[d] = size[d];
    }
  }
  return maximum;
}

// ---- created queues ----

void CapacityState::add_queues(PlannedQueues planned) {
  for (CapacityQueue& queue : planned.queues) {
    add_created(settings_->configuration, std::move(queue));
  }
  tree_->follow_created();
  are_figures_old_ = true;
  ++version_of_created_;
}

void CapacityState::set_capacity(QueueIndex leaf, const std::string& label,
                                 const ConfiguredCapacity& capacity) {
  settings_->configuration.queues[leaf].partitions[label].capacity = capacity;
  are_figures_old_ = true;
  ++version_of_created_;
}

void CapacityState::remove_queues(const std::set<std::string, std::less<>>& paths,
                                  const ClusterModel& cluster) {
  CapacitySettings settings = *settings_;
  remove_created(settings.configuration, paths);
  adopt(std::move(settings), cluster);
}

// ---- applications ----

RunningApplication& CapacityState::add_application(ApplicationId id, const Application& application,
                                                   QueueIndex leaf_index) {
  const CapacityQueue& queue = tree_->configured(leaf_index);
  RunningApplication& added = applications_.emplace_at(id);
  added.id = id;
  added.leaf = leaf_index;
  added.user = application.user;
  added.submitted = application.submitted;
  added.end_of_life = ApplicationLifetimes::end_of_life(queue, application.submitted);
  // The workload states no priority as 0.
  added.priority = std::min(
      application.priority == 0 ? queue.default_application_priority : application.priority,
      settings_->maximum_application_priority);
  // A master that is hosted elsewhere counts with the minimum allocation (FiCaSchedulerApp).
  const bool is_unmanaged = application.master_demand.is_zero();
  added.master = is_unmanaged ? settings_->minimum_allocation : application.master_demand;
  added.master_partition = is_unmanaged
                               ? default_partition
                               : partitions_.index_of(default_label_of(*settings_, queue, true));
  make_room_for_partitions();
  const auto weight = queue.user_weights.find(user_name(application.user));
  LeafState& state = leaf(leaf_index);
  LeafUser& user =
      state.users.add(application.user, weight == queue.user_weights.end() ? 1 : weight->second,
                      partitions_.size());
  added.leaf_user = &user;
  ++user.applications;
  state.held.insert(id);
  tree_->visit_up(leaf_index, [&](QueueIndex each) { ++(*tree_)[each].applications; });
  if (queue.is_created) ++version_of_created_;
  return added;
}

void CapacityState::set_stage(RunningApplication& application, ApplicationStage stage) {
  LeafState& state = leaf(application.leaf);
  LeafUser& user = *application.leaf_user;
  const ApplicationStage before = application.stage;
  if (before == stage) return;
  if (before == ApplicationStage::active) end_wanting(application);
  state.users.change_stage(user, [&](LeafUser& changed) {
    changed.waiting += (stage == ApplicationStage::waiting ? 1U : 0U) -
                       (before == ApplicationStage::waiting ? 1U : 0U);
    changed.active += (stage == ApplicationStage::active ? 1U : 0U) -
                      (before == ApplicationStage::active ? 1U : 0U);
  });
  const auto count_masters = [&](const Resources& amount) {
    (*tree_)[application.leaf].uses[application.master_partition].masters += amount;
    user.uses[application.master_partition].masters += amount;
  };
  if (before == ApplicationStage::held) state.held.erase(application.id);
  if (before == ApplicationStage::waiting) {
    state.waiting.erase(waiting_rank(application));
    state.waiting_masters.leave(application.master_kind, LineKey());
  }
  if (before == ApplicationStage::active) {
    state.active.erase(application.id);
    count_masters(Resources() - application.master);
  }
  application.stage = stage;
  if (stage == ApplicationStage::held) state.held.insert(application.id);
  if (stage == ApplicationStage::waiting) {
    state.waiting.insert(waiting_rank(application));
    application.master_kind = state.waiting_masters.join(application.master, LineKey());
  }
  if (stage == ApplicationStage::active) {
    state.active.insert(application.id);
    count_masters(application.master);
    begin_wanting(application);
  }
}

void CapacityState::remove_application(ApplicationId id) {
  RunningApplication& application = applications_[id];
  while (!application.all_asks.empty()) close_ask(application.all_asks.back());
  for (PartitionIndex p = 0; p < application.used.size(); ++p) {
    if (application.used[p].is_zero()) continue;
    charge(application, p, Resources() - application.used[p], 0);
  }
  const int containers = static_cast<int>(application.containers);
  tree_->charge(application.leaf, default_partition, Resources(), -containers);
  set_stage(application, ApplicationStage::held);
  LeafState& state = leaf(application.leaf);
  state.held.erase(id);
  tree_->visit_up(application.leaf, [&](QueueIndex each) { --(*tree_)[each].applications; });
  if (tree_->configured(application.leaf).is_created) ++version_of_created_;
  if (--application.leaf_user->applications == 0) state.users.remove(application.user);
  applications_.erase(id);
}

// ---- containers ----

void CapacityState::charge_queues(const RunningApplication& application, PartitionIndex partition,
                                  const Resources& amount, int containers) {
  tree_->charge(application.leaf, partition, amount, containers);
  leaf(application.leaf)
      .users.charge(*application.leaf_user, partition, amount, configuration().calculator,
                    partitions_.resources(partition));
}

void CapacityState::charge(RunningApplication& application, PartitionIndex partition,
                           const Resources& amount, int containers) {
  charge_queues(application, partition, amount, containers);
  if (application.used.size() <= partition) application.used.resize(partition + 1);
  application.used[partition] += amount;
  application.used_in_all += amount;
  application.containers =
      static_cast<std::uint32_t>(static_cast<int>(application.containers) + containers);
  update_rank(application);
}

void CapacityState::reserve(NodeId node, OpenAsk& ask, TraceTime since) {
  if (node.index() >= reservations_.size()) reservations_.resize(node.index() + 1);
  reservations_[node.index()] = Reservation{ask.application, ask.id, ask.demand, since};
  ++reservation_count_;
  ask.reserved_on.insert(std::lower_bound(ask.reserved_on.begin(), ask.reserved_on.end(), node),
                         node);
  ask.rereservations = 0;
  RunningApplication& application = applications_[ask.application];
  const PartitionIndex partition = partitions_.of(node);
  charge_queues(application, partition, ask.demand, 1);
  tree_->reserve(application.leaf, partition, ask.demand);
  ++application.containers;
  if (partition == default_partition) application.reserved += ask.demand;
}

void CapacityState::unreserve(NodeId node) {
  const Reservation reservation = *reservations_[node.index()];
  reservations_[node.index()].reset();
  --reservation_count_;
  const Resources less = Resources() - reservation.resources;
  RunningApplication& application = applications_[reservation.application];
  std::erase(asks_[reservation.ask].reserved_on, node);
  const PartitionIndex partition = partitions_.of(node);
  charge_queues(application, partition, less, -1);
  tree_->reserve(application.leaf, partition, less);
  --application.containers;
  if (partition == default_partition) application.reserved += less;
}

}  // namespace tracebed
