#include "schedulers/yarn/capacity/node_offer.h"

#include <algorithm>

namespace tracebed {

NodeOffer::NodeOffer(CapacityState& state, FreeTable& free, const SchedulerInput& input,
                     std::uint64_t call, std::vector<Proposal>& proposals, Decisions& decisions)
    : state_(state),
      configuration_(state.configuration()),
      calculator_(state.configuration().calculator),
      free_(free),
      cluster_(input.cluster),
      now_(input.now),
      call_(call),
      proposals_(proposals),
      decisions_(decisions) {}

void NodeOffer::offer(NodeId node) {
  if (!free_.is_alive(node)) return;
  node_ = &cluster_.node(node);
  partition_ = state_.partitions().of(node);
  is_shared_ = partition_ != default_partition &&
               state_.settings().shared_labels.contains(state_.partitions().label(partition_));
  const bool is_nobodys = is_wanted_by_nobody();
  if (is_nobodys && state_.tree().is_settled()) return;
  std::int64_t assigned = 0;
  std::int64_t off_switch = 0;
  for (;;) {
    if (state_.reservation(node) != nullptr) serve_reservation();
    if (state_.reservation(node) != nullptr || !has_minimum()) return;
    const Assignment assignment = assign();
    if (is_nobodys && !assignment.took()) state_.tree().note_settled();
    // CapacityScheduler.canAllocateMore.
    if (assignment.outcome != Outcome::allocated) return;
    off_switch += assignment.is_off_switch ? 1 : 0;
    ++assigned;
    const std::int64_t most = configuration_.assignments_per_heartbeat;
    if (off_switch >= configuration_.offswitch_assignments_per_heartbeat ||
        !configuration_.assigns_multiple || (most != -1 && assigned >= most)) {
      return;
    }
  }
}

// Where labels are shared, offers are counted (strict_of).
bool NodeOffer::is_wanted_by_nobody() const {
  return partition_ == default_partition && state_.reservations() == 0 &&
         state_.settings().shared_labels.empty() && state_.is_wanted_by_nobody(*node_);
}

bool NodeOffer::has_minimum() const {
  return calculator_.fits(state_.settings().minimum_allocation, free_.free(node_->id));
}

// ---- queues ----

// CapacityScheduler.allocateOrReserveNewContainers.
NodeOffer::Assignment NodeOffer::assign() {
  asked_ = partition_;
  const Assignment assignment = assign_root();
  if (assignment.took() || !is_shared_) return assignment;
  asked_ = default_partition;
  return assign_root();
}

NodeOffer::Assignment NodeOffer::assign_root() {
  Limits limits;
  limits.limit = state_.partitions().resources(asked_);
  return assign_to_parent(0, limits);
}

// Those that want something, in the order of their turns on this node.
std::vector<QueueIndex> NodeOffer::children_with_demand(QueueIndex queue) const {
  const QueueTree& tree = state_.tree();
  std::vector<QueueIndex> children = tree.order_of(queue, partition_);
  std::erase_if(children, [&](QueueIndex child) { return tree[child].uses[asked_].wanted == 0; });
  return children;
}

NodeOffer::Assignment NodeOffer::assign_to_parent(QueueIndex queue, Limits& limits) {
  QueueTree& tree = state_.tree();
  const QueueUse& use = tree[queue].uses[partition_];
  if (tree[queue].uses[asked_].wanted == 0) return {};
  if (!use.is_accessible && !is_shared_offer()) return {};
  if (!has_room(queue, limits, use.reserved)) return {};
  std::vector<QueueIndex> of_shared;
  if (is_shared_offer()) of_shared = children_with_demand(queue);
  Assignment assignment;
  // The order stands still until something is assigned.
  for (const QueueIndex child : is_shared_offer() ? of_shared : use.with_demand) {
    Limits of_child = limits_of(child, queue, limits);
    const bool is_leaf = tree[child].leaf != nullptr;
    const Assignment taken =
        is_leaf ? assign_to_leaf(child, of_child) : assign_to_parent(child, of_child);
    if (taken.took()) return taken;
    if (taken.outcome != Outcome::queue_limit) continue;
    assignment = taken;
    const Resources& blocked = is_leaf ? of_child.headroom : of_child.blocked;
    if (calculator_.compare(blocked, Resources(), limits.limit) > 0) limits.blocked += blocked;
  }
  return assignment;
}

// min(what the parent may use − what is blocked − what it uses + what the child uses, the child's
// maximum), down to a multiple of the minimum allocation.
NodeOffer::Limits NodeOffer::limits_of(QueueIndex child, QueueIndex parent,
                                       const Limits& limits) const {
  const QueueTree& tree = state_.tree();
  const QueueUse& of_parent = tree[parent].uses[partition_];
  const QueueUse& of_child = tree[child].uses[partition_];
  const Resources& all = state_.partitions().resources(partition_);
  const bool is_above = calculator_.compare(limits.limit, of_parent.figures.maximum, all) > 0;
  Limits result;
  result.limit = is_above ? of_parent.figures.maximum : limits.limit;
  result.limit -= limits.blocked;
  result.limit -= of_parent.used;
  result.limit += of_child.used;
  if (calculator_.compare(result.limit, of_child.maximum, all) > 0) {
    result.limit = of_child.maximum;
  }
  result.limit = calculator_.round_down(result.limit, state_.settings().minimum_allocation);
  return result;
}

// AbstractCSQueue.canAssignToThisQueue: the queue uses less than it may, or would if what
// `unreservable` is were given up.
bool NodeOffer::has_room(QueueIndex queue, Limits& limits, const Resources& unreservable) const {
  const QueueUse& use = state_.tree()[queue].uses[partition_];
  const Resources& all = state_.partitions().resources(partition_);
  const bool is_above = calculator_.compare(limits.limit, use.figures.maximum, all) > 0;
  // What nobody with the label wants is anybody's (getCurrentLimitResource).
  const Resources& limit = is_shared_offer() ? all : is_above ? use.figures.maximum : limits.limit;
  limits.headroom = limit;
  limits.headroom -= use.used;
  if (calculator_.compare(use.used, limit, all) < 0) return true;
  if (!looks_at_other_nodes()) return false;
  return calculator_.compare(unreservable, Resources(), all) > 0 &&
         calculator_.compare(use.used - unreservable, limit, all) < 0;
}

NodeOffer::Assignment NodeOffer::assign_to_leaf(QueueIndex queue, Limits& limits) {
  RunningQueue& running = state_.tree()[queue];
  LeafState& leaf = *running.leaf;
  if (partition_ == default_partition) leaf.current_limit = limits.limit;
  if (running.uses[asked_].wanted == 0) return {};
  if (!running.uses[partition_].is_accessible && !is_shared_offer()) return {};
  static const std::vector<RunningApplication*> none;
  return assign_in_turn(queue, limits, leaf.strict.empty() ? none : strict_of(queue, limits));
}

// Those that named neither this node nor its rack take nothing here. They matter all the same, and
// so all have their turns, where their containers may not fit in what the queue has left, which
// ends its turn, where the queue is full and it counts who reserved what, and where offers of any
// node are counted, since nodes of a shared label are taken after so many.
const std::vector<RunningApplication*>& NodeOffer::strict_of(QueueIndex queue, Limits limits) {
  const StrictLine& line = state_.leaf(queue).strict;
  const bool has_own_room = has_room(queue, limits, Resources());
  const bool are_offers_counted = !state_.settings().shared_labels.empty();
  if (!has_own_room || are_offers_counted ||
      !calculator_.fits(line.largest_demand(), limits.headroom)) {
    return line.all();
  }
  strict_.clear();
  const auto add = [&](const std::vector<OpenAsk*>* asks) {
    if (asks == nullptr) return;
    for (const OpenAsk* ask : *asks) {
      RunningApplication* application = state_.application(ask->application);
      if (application->listing != RunningApplication::Listing::strict) continue;
      strict_.push_back(application);
    }
  };
  add(line.at(node_->id));
  add(line.at(node_->rack));
  const auto by_rank = [](const auto* a, const auto* b) { return a->rank < b->rank; };
  std::sort(strict_.begin(), strict_.end(), by_rank);
  strict_.erase(std::unique(strict_.begin(), strict_.end()), strict_.end());
  return strict_;
}

NodeOffer::Assignment NodeOffer::assign_in_turn(QueueIndex queue, Limits& limits,
                                                const std::vector<RunningApplication*>& strict) {
  const std::vector<RunningApplication*>& line = state_.leaf(queue).line;
  bool is_checked = false;
  std::size_t next_of_line = 0;
  std::size_t next_strict = 0;
  while (next_of_line < line.size() || next_strict < strict.size()) {
    const bool is_strict_next =
        next_of_line == line.size() ||
        (next_strict < strict.size() && strict[next_strict]->rank < line[next_of_line]->rank);
    RunningApplication* application = is_strict_next ? strict[next_strict++] : line[next_of_line++];
    if (!is_checked) {
      if (!has_room(queue, limits, application->reserved)) return {};
      is_checked =
          !configuration_.reservations_look_at_all_nodes || application->reserved.is_zero();
    }
    if (application->wanted.size() <= asked_ || application->wanted[asked_] == 0) continue;
    if (!may_use_more(*application, limits)) continue;
    const Assignment assignment = assign_to_application(*application, limits);
    if (assignment.outcome != Outcome::nothing) return assignment;
  }
  return {};
}

// AbstractLeafQueue.canAssignToUser. What he asks for does not count: one container above the limit
// is normal.
bool NodeOffer::may_use_more(const RunningApplication& application, Limits& limits) {
  const Resources& used = application.leaf_user->uses[partition_].used;
  if (is_shared_offer()) {
    shared_limit_ = state_.shared_limit_of_user(application, partition_);
  }
  const Resources& limit =
      is_shared_offer() ? shared_limit_ : state_.limit_of_user(application, partition_);
  const Resources& all = state_.partitions().resources(partition_);
  limits.to_unreserve = Resources();
  if (calculator_.compare(used, limit, all) <= 0) return true;
  if (!looks_at_other_nodes()) return false;
  if (calculator_.compare(used - application.reserved, limit, all) > 0) return false;
  limits.to_unreserve = used - limit;
  return true;
}

}  // namespace tracebed
