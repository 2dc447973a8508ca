#include "schedulers/yarn/capacity/capacity_state.h"

#include <algorithm>
#include <cmath>

#include "core/check.h"

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

// ---- applications ----

RunningApplication& CapacityState::add_application(ApplicationId id, const Application& application,
                                                   QueueIndex leaf_index) {
  const CapacityQueue& queue = tree_->configured(leaf_index);
  RunningApplication& added = applications_.emplace_at(id);
  added.id = id;
  added.leaf = leaf_index;
  added.user = application.user;
  added.submitted = application.submitted;
  // The workload states no priority as 0.
  added.priority = std::min(
      application.priority == 0 ? queue.default_application_priority : application.priority,
      settings_->maximum_application_priority);
  // A master that is hosted elsewhere counts with the minimum allocation (FiCaSchedulerApp).
  const bool is_unmanaged = application.master_demand.is_zero();
  added.master = is_unmanaged ? settings_->minimum_allocation : application.master_demand;
  added.master_partition =
      is_unmanaged ? default_partition : partitions_.index_of(queue.default_label);
  const auto weight = queue.user_weights.find(user_name(application.user));
  LeafState& state = leaf(leaf_index);
  LeafUser& user =
      state.users.add(application.user, weight == queue.user_weights.end() ? 1 : weight->second,
                      partitions_.size());
  added.leaf_user = &user;
  ++user.applications;
  state.held.insert(id);
  tree_->visit_up(leaf_index, [&](QueueIndex each) { ++(*tree_)[each].applications; });
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
  if (--application.leaf_user->applications == 0) state.users.remove(application.user);
  applications_.erase(id);
}

ApplicationRank CapacityState::rank_of(const RunningApplication& application) const {
  const CapacityQueue& queue = tree_->configured(application.leaf);
  if (queue.application_order == CapacityQueue::ApplicationOrder::fifo) {
    return waiting_rank(application);
  }
  // FairOrderingPolicy.
  auto use = static_cast<double>(application.used_in_all.memory_mib());
  if (queue.has_size_based_weight) {
    const auto demand = use + static_cast<double>(application.pending_memory);
    const double weight = std::log1p(demand) / std::log(2.0);
    use = weight > 0 ? use / weight : 0;
  }
  return {use, to_microseconds(application.submitted), application.id};
}

ApplicationRank CapacityState::waiting_rank(const RunningApplication& application) const {
  return {-static_cast<double>(application.priority), 0, application.id};
}

void CapacityState::update_rank(RunningApplication& application) {
  const CapacityQueue& queue = tree_->configured(application.leaf);
  if (queue.application_order == CapacityQueue::ApplicationOrder::fifo) return;
  if (application.stage != ApplicationStage::active || application.wanted_in_all == 0) return;
  leave_line(application);
  enter_line(application);
}

namespace {

auto place_in(std::vector<RunningApplication*>& line, const ApplicationRank& rank) {
  return std::lower_bound(line.begin(), line.end(), rank,
                          [](const RunningApplication* each, const ApplicationRank& other) {
                            return each->rank < other;
                          });
}

}  // namespace

void CapacityState::enter_line(RunningApplication& application) {
  application.rank = rank_of(application);
  std::vector<RunningApplication*>& line = leaf(application.leaf).line;
  line.insert(place_in(line, application.rank), &application);
}

void CapacityState::leave_line(RunningApplication& application) {
  std::vector<RunningApplication*>& line = leaf(application.leaf).line;
  const auto place = place_in(line, application.rank);
  TRACEBED_CHECK(place != line.end() && *place == &application,
                 "an application that wants something stands in its leaf's line");
  line.erase(place);
}

void CapacityState::begin_wanting(RunningApplication& application) {
  if (application.wanted_in_all == 0) return;
  for (PartitionIndex p = 0; p < application.wanted.size(); ++p) {
    if (application.wanted[p] == 0) continue;
    tree_->want(application.leaf, p, static_cast<std::int64_t>(application.wanted[p]));
  }
  enter_line(application);
  leaf(application.leaf).users.count_wanting(*application.leaf_user, 1);
}

void CapacityState::end_wanting(RunningApplication& application) {
  if (application.wanted_in_all == 0) return;
  for (PartitionIndex p = 0; p < application.wanted.size(); ++p) {
    if (application.wanted[p] == 0) continue;
    tree_->want(application.leaf, p, -static_cast<std::int64_t>(application.wanted[p]));
  }
  leave_line(application);
  leaf(application.leaf).users.count_wanting(*application.leaf_user, -1);
}

// ---- asks ----

PartitionIndex CapacityState::partition_of(const RunningApplication& application, const Ask& ask) {
  const std::string& label = ask.label.is_valid()
                                 ? settings_->names->labels.name(ask.label)
                                 : tree_->configured(application.leaf).default_label;
  return partitions_.index_of(label);
}

void CapacityState::follow_ask(const ClusterModel& cluster, AskId id) {
  const Ask& model = cluster.asks[id];
  RunningApplication* application = applications_.find(model.application);
  if (application == nullptr) return;
  OpenAsk* known = asks_.find(id);
  if (known == nullptr) {
    known = &asks_.emplace_at(id);
    known->id = id;
    known->application = model.application;
    known->priority = model.priority;
    application->all_asks.push_back(id);
  }
  OpenAsk& ask = *known;
  const PartitionIndex partition = partition_of(*application, model);
  make_room_for_partitions();
  if (ask.partition != partition || !(ask.demand == model.demand)) set_wanted(ask, 0);
  ask.partition = partition;
  ask.demand = model.demand;
  ask.is_gang = model.gang;
  ask.call = 0;
  if (is_above_maximum(model.demand) != ask.is_above_maximum) {
    set_wanted(ask, 0);
    ask.is_above_maximum = !ask.is_above_maximum;
  }
  set_wanted(ask, model.pending);
}

bool CapacityState::is_above_maximum(const Resources& demand) const {
  const Resources& maximum = settings_->maximum_allocation;
  for (std::size_t d = 0; d < maximum.dimensions_used(); ++d) {
    if (maximum[d] != 0 && demand[d] > maximum[d]) return true;
  }
  return false;
}

void CapacityState::close_ask(AskId id) {
  OpenAsk* ask = asks_.find(id);
  if (ask == nullptr) return;
  while (!ask->reserved_on.empty()) unreserve(ask->reserved_on.back());
  set_wanted(*ask, 0);
  std::erase(applications_[ask->application].all_asks, id);
  asks_.erase(id);
}

void CapacityState::set_wanted(OpenAsk& ask, std::uint32_t wanted) {
  const std::uint32_t before = ask.served_wish();
  ask.wanted = wanted;
  const std::uint32_t after = ask.served_wish();
  if (before == after) return;
  RunningApplication& application = applications_[ask.application];
  if ((before > 0) != (after > 0)) list_wish(application, ask, after > 0);
  change_wish(application, ask, static_cast<std::int64_t>(after) - before);
}

void CapacityState::list_wish(RunningApplication& application, OpenAsk& ask, bool wants) {
  const auto place =
      std::lower_bound(application.asks.begin(), application.asks.end(), &ask,
                       [](const OpenAsk* a, const OpenAsk* b) {
                         return std::pair(a->priority, a->id) < std::pair(b->priority, b->id);
                       });
  if (wants) {
    application.asks.insert(place, &ask);
  } else {
    application.asks.erase(place);
  }
}

void CapacityState::change_wish(RunningApplication& application, const OpenAsk& ask,
                                std::int64_t units) {
  if (application.wanted.size() <= ask.partition) application.wanted.resize(ask.partition + 1);
  const bool did_want = application.wanted_in_all > 0;
  application.wanted[ask.partition] += static_cast<std::uint64_t>(units);
  application.wanted_in_all += static_cast<std::uint64_t>(units);
  application.pending_memory += units * ask.demand.memory_mib();
  if (application.stage != ApplicationStage::active) return;
  tree_->want(application.leaf, ask.partition, units);
  const bool does_want = application.wanted_in_all > 0;
  if (did_want != does_want) {
    if (does_want) {
      enter_line(application);
    } else {
      leave_line(application);
    }
    leaf(application.leaf).users.count_wanting(*application.leaf_user, does_want ? 1 : -1);
  } else if (tree_->configured(application.leaf).has_size_based_weight) {
    update_rank(application);
  }
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

void CapacityState::reserve(NodeId node, OpenAsk& ask) {
  if (node.index() >= reservations_.size()) reservations_.resize(node.index() + 1);
  reservations_[node.index()] = Reservation{ask.application, ask.id, ask.demand};
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
