// The shares of hierarchical DRF: A. Bhattacharya et al., Hierarchical Scheduling for Diverse
// Datacenter Workloads, SoCC 2013, the dynamic algorithm (its function UpdateS). A tree of
// queues with weights, whose leaves are jobs.
//
// - A job is blocked if it wants no task, or if every task that it wants needs a resource that is
//   exhausted. A queue is blocked if all its children are.
// - The dominant share of a job is the largest part of any resource that it uses, that of a queue
//   the largest part of one that is not exhausted (of any, when all are) in the sum of its
//   children. In that sum, what a child that is not blocked uses is multiplied by such a factor
//   that its dominant share over its weight is the least of these children's ("rescaling to the
//   minimum node"); blocked children count as they are.
// - The next task is found from the root on by the child that is not blocked and has the least
//   dominant share over its weight.
//
// Naive hierarchical DRF, which the paper starts from, sums what children use without
// a factor, and counts all resources; a queue may starve under it.
//
// What a queue's children use, multiplied or not, is kept as two sums. So a change costs, for each
// level of the tree, the logarithm of a queue's children; and when other resources are exhausted
// nothing is computed again, as there is a state of the tree for each set that occurred lately.
//
// Parts are integers: amounts in units of 2^-50 of what there is, shares, which are compared, in
// those of 2^-40, to the nearest. So shares that are equal by hand are equal here as long as fewer
// than a few hundred roundings add up.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/ids.h"
#include "core/resources.h"
#include "schedulers/multi_resource/dominant_share.h"

namespace tracebed {

// A bit for each dimension.
using DimensionSet = std::uint32_t;

// Those of which it is for something.
DimensionSet dimensions_of(const Resources& demand);

enum class InnerShare : std::uint8_t { rescaled, summed };

class ShareTree {
 public:
  using Index = std::uint32_t;
  static constexpr Index root = 0;

  explicit ShareTree(InnerShare inner_share);

  // The resources that there are. Computes all shares again if they have changed.
  void set_total(const Resources& total);
  // Of which resources no task that wants any can be given.
  void set_exhausted(DimensionSet exhausted);

  // The queue of that name below `parent`; a new one if there is none.
  Index queue(Index parent, std::string_view name, std::int64_t weight);
  // A queue without jobs and queues below it is removed with its last job.
  void add_job(ApplicationId job, Index parent);
  void remove_job(ApplicationId job);
  // What an added job uses, and for each task that it wants of which resources this is.
  void set_job(ApplicationId job, const Resources& used, const std::vector<DimensionSet>& wanted);

  // Null if it is unknown.
  const Resources* used_by(ApplicationId job) const;
  Index queue_of(ApplicationId job) const { return nodes_[jobs_.at(job)].parent; }

  struct Shown {
    std::string_view path;  // of a queue, without the root
    Index parent = root;
    std::int64_t weight = weight_of_one;
    std::int64_t weights_of_siblings = 0;  // its own among them
    Resources used;                        // as it is
    double share = 0;                      // dominant, over the weight
    std::size_t dimension = 0;             // the dominant one
    bool is_blocked = false;
    bool has_queues = false;
  };
  Shown shown(Index node) const;
  Shown shown(ApplicationId job) const { return shown(jobs_.at(job)); }
  // Of a queue: those that are not blocked in their order, then the others.
  std::vector<Index> children(Index node) const;
  // The job of a leaf; invalid for a queue.
  ApplicationId job_of(Index node) const { return nodes_[node].job; }

  // Calls visit(job) for jobs that are not blocked, in the order in which they are served, until it
  // returns false. `visit` must not change this.
  template <class Visitor>
  void visit_in_order(Visitor&& visit) const {
    visit_below(root, visit);
  }

  // Stops the run unless all shares are those that a computation from scratch finds.
  void verify() const;

 private:
  using Sums = std::array<WideAmount, Resources::dimensions_max>;
  static constexpr std::size_t states_max = 8;

  struct Node {
    Index parent = root;
    std::uint64_t age = 0;  // of equal shares the older comes first
    std::int64_t weight = weight_of_one;
    bool is_used = false;  // false: the index is free
    std::string path;
    std::map<std::string, Index, std::less<>> queues;
    std::set<Index> jobs;
    ApplicationId job;                // of a leaf
    Resources used;                   // by a leaf
    std::vector<DimensionSet> wants;  // of a leaf
  };
  struct Key {
    std::int64_t share = 0;
    std::uint64_t age = 0;
    Index index = 0;
    auto operator<=>(const Key&) const = default;
  };
  // Of a node, with a set of resources exhausted.
  struct NodeState {
    Sums used{};             // in 2^-50, as its parent counts it before its own factor
    std::int64_t share = 0;  // in 2^-40, divided by the weight
    std::size_t dimension = 0;
    bool is_blocked = true;
    std::set<Key> open;  // its children that are not blocked
    Sums as_is{};        // by blocked children
    Sums rescaled{};     // by the others, each over its share, times 2^50
  };
  struct State {
    std::vector<NodeState> nodes;
    std::uint64_t selected = 0;  // when, in calls
  };

  Index new_node(Index parent);
  void free_node(Index index);
  State& state_for(DimensionSet exhausted);
  // Computes the node's state again, and those of its ancestors.
  void refresh(DimensionSet exhausted, State& state, Index index) const;
  NodeState found(DimensionSet exhausted, const State& state, Index index) const;
  void count_in_parent(State& state, Index index, int times) const;
  Sums rescaled_part(const NodeState& state) const;
  Key key_of(const NodeState& state, Index index) const;

  template <class Visitor>
  bool visit_below(Index index, Visitor& visit) const {
    for (const Key& child : current_->nodes[index].open) {
      const ApplicationId job = nodes_[child.index].job;
      if (job.is_valid() ? !visit(job) : !visit_below(child.index, visit)) return false;
    }
    return true;
  }

  InnerShare inner_share_;
  Resources total_;
  std::vector<Node> nodes_;
  std::vector<Index> free_indices_;
  std::map<ApplicationId, Index> jobs_;
  std::map<DimensionSet, State> states_;
  DimensionSet exhausted_ = 0;
  State* current_ = nullptr;  // that of exhausted_
  std::uint64_t ages_ = 0;
  std::uint64_t selections_ = 0;
};

}  // namespace tracebed
