// A node's next task is one of the group, and of its job, with the least share: MFS, DRF, and what
// DRF is compared with. Demands are of several resources, and there are no slots.
//
// MFS, the multi-resource fair scheduler of Ma et al. (2012) for Hadoop 0.20: instead of slots,
// whoever has the least dominant share is served.
//
// Groups are users or queues. A job's share is max over the resources of what its tasks use of all
// there is (figure 1); a group's is that of what its jobs use together, divided by the group's
// weight (figure 2). When a node asks for a task (figure 3), groups are visited from the least
// share on, and the jobs of each likewise. The first job that has a task for the node gets it, a
// map as long as one is to be launched and then a reduce, if the node has room for the task. If it
// has not, the node gets none: the neediest job blocks it (strict), which also keeps small tasks
// from starving large ones.
//
// Deviations, each on purpose:
// - [mfs-jobs-without-task] A job without a task to launch is skipped, which the figure leaves out:
//   otherwise only its first job would ever be considered. So is one whose tasks may not run on
//   this node.
// - [mfs-exact-fit] The figure wants more than the demand to be free of each resource, by which 16
//   cores never take an eighth task of two; `fit = "more"` is that, and the default is at least the
//   demand.
//
// Where the paper is silent:
// - A node asks while its utilisation is below θ; neither θ nor the measure is given. Here: the
//   largest part of a resource that is allocated, or of vcores and memory that is measured, 1 by
//   default.
// - Among a job's maps, those with their input here or in the rack come first.
// - A container for an application's master is given before tasks, as a JobTracker did that work.
// - Jobs have no weights of their own here: no trace has any.
//
// DRF, Dominant Resource Fairness (A. Ghodsi et al., NSDI 2011, algorithm 1): the user with the
// least dominant share, divided by the weight, gets the next task; shares count what all tasks of
// the user have. Differences from MFS are settings: a heartbeat may give several tasks.
//
// Deviations, each on purpose:
// - [drf-demands] The paper's users have tasks of one demand each; here a user's jobs are served in
//   the order of their submission, and shares are of what their tasks have.
// - [drf-next-group] If there is no room for the neediest user's task, the next user is tried, as
//   Mesos offers a node to one framework after the other; as the algorithm is printed
//   (`order = "strict"`), nobody gets anything.
//
// Beside it the two policies that the paper compares:
// - Asset fairness (section 5): the least sum of the parts of all resources.
// - Competitive equilibrium from equal incomes (section 5), which is a division of everything
//   among tasks of any size (market_shares.h). Here the user gets the next task whose dominant
//   share is the least part of what it would be in that division. It is of the users that want
//   tasks, each with the demand of the next task, and found again whenever one of these changes.
#pragma once

#include <map>

#include "core/names.h"
#include "schedulers/multi_resource/least_share_first.h"
#include "schedulers/multi_resource/market_shares.h"
#include "schedulers/multi_resource/share_order.h"
#include "schedulers/multi_resource/share_settings.h"

namespace tracebed {

class ShareScheduler final : public LeastShareFirst {
 public:
  // `names` outlives it.
  ShareScheduler(ShareSettings settings, const Names& names, ResourceDimensions dimensions);

  std::string_view leaf_of(ApplicationId id) const override;
  SchedulerView view(const ClusterModel& cluster) const override;

  const ShareOrder& shares() const { return shares_; }

 private:
  void job_added(const SlotJob& job) override;
  void job_removed(ApplicationId id) override { shares_.remove(id); }
  void job_changed(const SlotJob& job, const Resources& used) override;
  const Resources* used_by(ApplicationId id) const override;
  void count_all(const ClusterModel& cluster, bool has_changed) override;
  void visit_in_order(const JobVisitor& visit) const override { shares_.visit_in_order(visit); }
  std::string shares_in_words(ApplicationId id) const override;

  void add_share(const DominantShare& share, std::vector<Figure>& figures) const;
  // Divided by its weight.
  DominantShare share_of(ShareOrder::GroupId id, const ShareOrder::Group& group) const;
  // Sets the weights of the groups that trade to what they would have.
  void settle_market(const ClusterModel& cluster, bool has_changed);

  ShareOrder::GroupId group_of(const SlotJob& job) const;
  std::string_view name_of(ShareOrder::GroupId group) const;
  std::int64_t weight_of(ShareOrder::GroupId group) const;

  ShareSettings settings_;
  const Names& names_;
  ResourceDimensions dimensions_;
  ShareOrder shares_;
  // That the weights were found for last; empty under other policies.
  struct Trading {
    Resources total;
    std::vector<ShareOrder::GroupId> groups;
    std::vector<MarketUser> users;  // likewise
    bool operator==(const Trading&) const = default;
  };
  Trading trading_;
  std::map<ShareOrder::GroupId, double> equilibrium_;  // dominant shares in that division
};

}  // namespace tracebed
