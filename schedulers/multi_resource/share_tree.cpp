#include "schedulers/multi_resource/share_tree.h"

#include <algorithm>
#include <utility>

#include "core/check.h"

namespace tracebed {
namespace {

constexpr int amount_bits = 50;
constexpr int share_bits = 40;
constexpr int ratio_bits = 50;
constexpr WideAmount amount_whole = WideAmount{1} << amount_bits;

}  // namespace

DimensionSet dimensions_of(const Resources& demand) {
  DimensionSet set = 0;
  for (std::size_t d = 0; d < demand.dimensions_used(); ++d) {
    if (demand[d] > 0) set |= DimensionSet{1} << d;
  }
  return set;
}

ShareTree::ShareTree(InnerShare inner_share) : inner_share_(inner_share), nodes_(1) {
  nodes_[root].is_used = true;
  set_exhausted(0);
}

// ---- the tree ----

ShareTree::Index ShareTree::new_node(Index parent) {
  Index index = static_cast<Index>(nodes_.size());
  if (free_indices_.empty()) {
    nodes_.emplace_back();
    for (auto& [exhausted, state] : states_) state.nodes.emplace_back();
  } else {
    index = free_indices_.back();
    free_indices_.pop_back();
    for (auto& [exhausted, state] : states_) state.nodes[index] = {};
  }
  Node node;
  node.parent = parent;
  node.age = ++ages_;
  node.is_used = true;
  nodes_[index] = std::move(node);
  return index;
}

ShareTree::Index ShareTree::queue(Index parent, std::string_view name, std::int64_t weight) {
  TRACEBED_CHECK(weight > 0 && weight <= weight_max, "weights are positive and bounded");
  if (const auto found = nodes_[parent].queues.find(name); found != nodes_[parent].queues.end()) {
    return found->second;
  }
  const Index index = new_node(parent);
  Node& node = nodes_[index];
  node.weight = weight;
  node.path = nodes_[parent].path;
  if (!node.path.empty()) node.path += '.';
  node.path += name;
  nodes_[parent].queues.emplace(name, index);
  return index;
}

void ShareTree::add_job(ApplicationId job, Index parent) {
  const Index index = new_node(parent);
  nodes_[index].job = job;
  nodes_[parent].jobs.insert(index);
  jobs_.emplace(job, index);
}

void ShareTree::remove_job(ApplicationId job) {
  const auto found = jobs_.find(job);
  if (found == jobs_.end()) return;
  set_job(job, Resources(), {});
  Index index = found->second;
  jobs_.erase(found);
  Index parent = nodes_[index].parent;
  nodes_[parent].jobs.erase(index);
  free_node(index);
  while (parent != root && nodes_[parent].jobs.empty() && nodes_[parent].queues.empty()) {
    index = std::exchange(parent, nodes_[parent].parent);
    std::erase_if(nodes_[parent].queues, [&](const auto& queue) { return queue.second == index; });
    free_node(index);
  }
}

// It is blocked and uses nothing, so that its parent's sums are without it.
void ShareTree::free_node(Index index) {
  nodes_[index] = {};
  free_indices_.push_back(index);
}

void ShareTree::set_job(ApplicationId job, const Resources& used,
                        const std::vector<DimensionSet>& wanted) {
  const Index index = jobs_.at(job);
  nodes_[index].used = used;
  nodes_[index].wants = wanted;
  for (auto& [exhausted, state] : states_) refresh(exhausted, state, index);
}

const Resources* ShareTree::used_by(ApplicationId job) const {
  const auto found = jobs_.find(job);
  return found == jobs_.end() ? nullptr : &nodes_[found->second].used;
}

void ShareTree::set_total(const Resources& total) {
  if (total == total_) return;
  total_ = total;
  states_.clear();
  current_ = &state_for(exhausted_);
}

void ShareTree::set_exhausted(DimensionSet exhausted) {
  if (current_ != nullptr && exhausted == exhausted_) return;
  exhausted_ = exhausted;
  current_ = &state_for(exhausted);
}

ShareTree::State& ShareTree::state_for(DimensionSet exhausted) {
  ++selections_;
  if (const auto known = states_.find(exhausted); known != states_.end()) {
    known->second.selected = selections_;
    return known->second;
  }
  if (states_.size() == states_max) {
    states_.erase(std::min_element(
        states_.begin(), states_.end(),
        [](const auto& a, const auto& b) { return a.second.selected < b.second.selected; }));
  }
  State& state = states_[exhausted];
  state.selected = selections_;
  state.nodes.resize(nodes_.size());
  for (const auto& [job, index] : jobs_) refresh(exhausted, state, index);
  return state;
}

// ---- shares ----

ShareTree::Key ShareTree::key_of(const NodeState& state, Index index) const {
  return {state.share, nodes_[index].age, index};
}

// What has no share at all is multiplied by nothing: the least share is 0 then.
ShareTree::Sums ShareTree::rescaled_part(const NodeState& state) const {
  Sums part{};
  if (state.share == 0) return part;
  for (std::size_t d = 0; d < total_.dimensions_used(); ++d) {
    part[d] = (state.used[d] << ratio_bits) / state.share;
  }
  return part;
}

void ShareTree::count_in_parent(State& state, Index index, int times) const {
  const NodeState& child = state.nodes[index];
  NodeState& parent = state.nodes[nodes_[index].parent];
  if (!child.is_blocked) {
    if (times > 0) {
      parent.open.insert(key_of(child, index));
    } else {
      parent.open.erase(key_of(child, index));
    }
  }
  const bool is_as_is = child.is_blocked || inner_share_ == InnerShare::summed;
  const Sums part = is_as_is ? child.used : rescaled_part(child);
  Sums& sums = is_as_is ? parent.as_is : parent.rescaled;
  for (std::size_t d = 0; d < total_.dimensions_used(); ++d) sums[d] += part[d] * times;
}

ShareTree::NodeState ShareTree::found(DimensionSet exhausted, const State& state,
                                      Index index) const {
  const Node& node = nodes_[index];
  const NodeState& before = state.nodes[index];
  NodeState now;
  DimensionSet counted = ~DimensionSet{0};
  if (node.job.is_valid()) {
    for (std::size_t d = 0; d < total_.dimensions_used(); ++d) {
      if (total_[d] > 0) now.used[d] = node.used[d] * amount_whole / total_[d];
    }
    now.is_blocked = std::all_of(node.wants.begin(), node.wants.end(),
                                 [&](DimensionSet wanted) { return (wanted & exhausted) != 0; });
  } else {
    now.used = before.as_is;
    now.is_blocked = before.open.empty();
    if (!before.open.empty()) {
      const std::int64_t least = before.open.begin()->share;
      for (std::size_t d = 0; d < total_.dimensions_used(); ++d) {
        now.used[d] += (least * before.rescaled[d]) >> ratio_bits;
      }
    }
    const bool is_all_exhausted = (dimensions_of(total_) & ~exhausted) == 0;
    if (inner_share_ == InnerShare::rescaled && !is_all_exhausted) counted = ~exhausted;
  }
  WideAmount most = 0;
  for (std::size_t d = 0; d < total_.dimensions_used(); ++d) {
    if ((counted >> d & 1) == 0 || now.used[d] <= most) continue;
    most = now.used[d];
    now.dimension = d;
  }
  const WideAmount divisor = WideAmount{node.weight} << (amount_bits - share_bits);
  now.share = static_cast<std::int64_t>((2 * most * weight_of_one + divisor) / (2 * divisor));
  return now;
}

void ShareTree::refresh(DimensionSet exhausted, State& state, Index index) const {
  for (;;) {
    NodeState now = found(exhausted, state, index);
    NodeState& before = state.nodes[index];
    const bool is_same = now.used == before.used && now.share == before.share &&
                         now.dimension == before.dimension && now.is_blocked == before.is_blocked;
    if (is_same) return;
    if (index != root) count_in_parent(state, index, -1);
    before.used = now.used;
    before.share = now.share;
    before.dimension = now.dimension;
    before.is_blocked = now.is_blocked;
    if (index == root) return;
    count_in_parent(state, index, 1);
    index = nodes_[index].parent;
  }
}

// ---- what is shown ----

ShareTree::Shown ShareTree::shown(Index index) const {
  const Node& node = nodes_[index];
  const NodeState& state = current_->nodes[index];
  Shown shown;
  shown.path = node.path;
  shown.parent = node.parent;
  shown.weight = node.weight;
  shown.share = static_cast<double>(state.share) / static_cast<double>(WideAmount{1} << share_bits);
  shown.dimension = state.dimension;
  shown.is_blocked = state.is_blocked;
  shown.has_queues = !node.queues.empty();
  shown.used = node.used;
  for (const Index child : children(index)) shown.used += this->shown(child).used;
  if (index != root) {
    const Node& parent = nodes_[node.parent];
    for (const auto& [name, sibling] : parent.queues) {
      shown.weights_of_siblings += nodes_[sibling].weight;
    }
    shown.weights_of_siblings += weight_of_one * static_cast<std::int64_t>(parent.jobs.size());
  }
  return shown;
}

std::vector<ShareTree::Index> ShareTree::children(Index index) const {
  std::vector<Index> all;
  for (const Key& child : current_->nodes[index].open) all.push_back(child.index);
  const auto add_blocked = [&](Index child) {
    if (current_->nodes[child].is_blocked) all.push_back(child);
  };
  for (const auto& [name, child] : nodes_[index].queues) add_blocked(child);
  for (const Index child : nodes_[index].jobs) add_blocked(child);
  return all;
}

void ShareTree::verify() const {
  State fresh;
  fresh.nodes.resize(nodes_.size());
  for (const auto& [job, index] : jobs_) refresh(exhausted_, fresh, index);
  for (Index i = 0; i < nodes_.size(); ++i) {
    const NodeState& kept = current_->nodes[i];
    const NodeState& now = fresh.nodes[i];
    TRACEBED_CHECK(
        !nodes_[i].is_used || (kept.used == now.used && kept.share == now.share &&
                               kept.is_blocked == now.is_blocked && kept.open == now.open &&
                               kept.as_is == now.as_is && kept.rescaled == now.rescaled),
        "shares are those of the jobs");
  }
}

}  // namespace tracebed
