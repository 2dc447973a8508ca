// Hierarchical dominant resource fairness: A. Bhattacharya, D. Culler, E. Friedman, A. Ghodsi,
// S. Shenker, I. Stoica, Hierarchical Scheduling for Diverse Datacenter Workloads, SoCC 2013, the
// dynamic algorithm. Which shares queues and jobs have is in share_tree.h. A node's
// next task is one of the job that is found from the root on by the least share (function Alloc),
// of those that have a task which the node has room for; the first by this order that has one gets
// it.
//
// Deviations, each on purpose:
// - [hdrf-exhausted] The paper's resources are one pool, of which something is exhausted when
//   nothing of it is left. Here they are on nodes: a resource is exhausted when no node has so much
//   of it free as the waiting task that wants the least of it. On a single machine and with tasks
//   of one unit this is the same.
// - [hdrf-jobs-of-inner-queues] The paper's inner nodes have no jobs of their own. Here a queue may
//   have both: its jobs are its children beside its queues, with a weight of 1.
//
// Where the paper is silent:
// - A queue is there as long as it has a job. Its name is a path, parts of which are separated by
//   dots; the first part "root" is the root.
// - Of equal shares, the queue or job that came first is served.
// - A job whose masters, maps or reduces have different demands is blocked if all of the tasks that
//   it wants now are.
#pragma once

#include <bit>
#include <string>
#include <vector>

#include "core/names.h"
#include "schedulers/multi_resource/least_share_first.h"
#include "schedulers/multi_resource/share_settings.h"
#include "schedulers/multi_resource/share_tree.h"
#include "schedulers/parts/component_maximum.h"

namespace tracebed {

// In each dimension the most that is free on any one node. A change costs the logarithm of the
// number of nodes.
class LargestFree {
 public:
  void set(NodeId node, const Resources& free);
  const Resources& largest() const { return largest_[1]; }

 private:
  // A tournament: the entry i is the larger of 2 i and 2 i + 1; nodes are the last half.
  std::vector<Resources> largest_ = std::vector<Resources>(2);
};

struct HierarchySettings {
  InnerShare inner_share = InnerShare::rescaled;
  ShareSettings::Groups groups = ShareSettings::Groups::by_queue;
  NamedWeights weights;  // by path without "root"; 1 if it is not named
  bool skips = true;
  MapDelays delays;
};

const std::vector<SettingDescription>& hdrf_setting_descriptions();
Result<HierarchySettings> read_hdrf_settings(const SchedulerParameters& parameters);

class HierarchicalScheduler final : public LeastShareFirst {
 public:
  // `names` outlives it.
  HierarchicalScheduler(HierarchySettings settings, const Names& names,
                        ResourceDimensions dimensions);

  std::string_view leaf_of(ApplicationId id) const override;
  SchedulerView view(const ClusterModel& cluster) const override;

  const ShareTree& tree() const { return tree_; }

 private:
  void job_added(const SlotJob& job) override;
  void job_removed(ApplicationId id) override { tree_.remove_job(id); }
  void job_changed(const SlotJob& job, const Resources& used) override;
  const Resources* used_by(ApplicationId id) const override { return tree_.used_by(id); }
  void node_changed(NodeId node) override;
  void count_all(const ClusterModel& cluster, bool has_changed) override;
  void prepare_order() override;
  void visit_in_order(const JobVisitor& visit) const override { tree_.visit_in_order(visit); }
  std::string shares_in_words(ApplicationId id) const override;

  ShareTree::Index queue_of(const SlotJob& job);
  void show(ShareTree::Index queue, const Resources& entitled, SchedulerView& view) const;
  std::vector<Figure> figures_of(const ShareTree::Shown& shown) const;

  HierarchySettings settings_;
  const Names& names_;
  ResourceDimensions dimensions_;
  ShareTree tree_;
  LargestFree largest_free_;
};

}  // namespace tracebed
