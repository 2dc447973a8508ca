// What the Fair Scheduler tells about itself, and its settings while it runs.
#include <algorithm>
#include <map>

#include "core/check.h"
#include "core/quantity_text.h"
#include "schedulers/yarn/fair/explain_fair.h"
#include "schedulers/yarn/fair/fair_scheduler.h"
#include "schedulers/yarn/fair/master_share.h"

namespace tracebed {
namespace {

// FSAppAttempt.getHeadroom and SchedulingPolicy.getHeadroom: what the leaf may still have, of the
// share in the dimensions that its policy divides, below its maximum and of what is free.
Resources headroom_of(const LiveQueue& leaf, const Resources& available) {
  Resources headroom;
  for (std::size_t d = 0; d < available.dimensions_used(); ++d) {
    headroom[d] = std::min(available[d], leaf.maximum[d] - leaf.usage[d]);
    const bool is_divided =
        leaf.rules.policy == SharePolicy::drf || d == Resources::memory_dimension;
    if (is_divided) {
      headroom[d] = std::min(headroom[d], std::max<std::int64_t>(leaf.share[d] - leaf.usage[d], 0));
    }
    headroom[d] = std::max<std::int64_t>(headroom[d], 0);
  }
  return headroom;
}

// Siblings in the order in which they would be offered a node: those first that are.
template <class Member, class KeyOf>
void sort_members(std::vector<const Member*>& members, KeyOf&& key_of) {
  std::sort(members.begin(), members.end(), [&](const Member* a, const Member* b) {
    if (a->is_offered != b->is_offered) return a->is_offered;
    return key_of(*a) < key_of(*b);
  });
}

}  // namespace

Resources FairScheduler::headroom(const ClusterModel& /*cluster*/, ApplicationId id) const {
  const LiveApplication* application = applications_.find(id);
  if (application == nullptr) return {};
  return headroom_of(*application->leaf, free_.total());
}

// ---- view ----

std::string_view FairScheduler::leaf_of(ApplicationId id) const {
  const LiveApplication* application = applications_.find(id);
  return application == nullptr ? std::string_view() : application->leaf->path;
}

namespace {

class Viewer {
 public:
  Viewer(const FairQueueTree& tree, const LiveApplications& applications, const FairOrder& order,
         const Resources& available, const ResourceDimensions& dimensions)
      : applications_(applications),
        order_(order),
        dimensions_(dimensions),
        available_(available),
        steady_shares_(tree.steady_shares()) {}

  void add(const LiveQueue& queue, std::vector<QueueView>& views) const {
    QueueView view;
    view.queue = {queue.path, queue.is_leaf, figures(queue)};
    view.entitled = steady_shares_.at(queue.path);
    view.used = queue.usage;
    std::vector<const LiveApplication*> running;
    for (const ApplicationId id : queue.applications) {
      if (applications_[id].is_runnable) running.push_back(&applications_[id]);
    }
    sort_members(running,
                 [&](const LiveApplication& application) { return order_.key(application); });
    for (const LiveApplication* application : running) view.active.push_back(application->id);
    view.waiting.assign(queue.waiting.begin(), queue.waiting.end());
    views.push_back(std::move(view));
    std::vector<const LiveQueue*> children(queue.children.begin(), queue.children.end());
    sort_members(children, [&](const LiveQueue& child) { return order_.key(child); });
    for (const LiveQueue* child : children) add(*child, views);
  }

  ApplicationView view_of(const LiveApplication& application) const {
    ApplicationView view;
    view.application = application.id;
    view.queue = application.leaf->path;
    view.is_active = application.is_runnable;
    view.headroom = headroom_of(*application.leaf, available_);
    const auto add = [&](FigureName id, FigureName label, FigureValue value) {
      view.figures.push_back({std::move(id), std::move(label), std::move(value)});
    };
    add("used_resources", "Used Resources", application.usage);
    add("demand", "Demand Resources", application.demand);
    add("fair_share", "Fair Share", application.share);
    add("weight", "weight", double{application.weight});
    add("master", "Application Master",
        !application.has_master         ? "unmanaged"
        : application.is_master_running ? "runs"
                                        : "waits for its container");
    add("reserved_nodes", "Reserved Nodes", static_cast<std::int64_t>(application.reserved.size()));
    add("lacks_of_share", "Fair Share Starvation", application.lacks_of_share);
    add("lacks_of_minimum", "Min Share Starvation", application.lacks_of_minimum);
    add("to_preempt", "Resources To Be Preempted", application.to_be_taken);
    add("dominant_share", "", Ratio{dominant_share(application.usage)});
    return view;
  }

 private:
  double dominant_share(const Resources& usage) const {
    double share = 0;
    for (std::size_t d = 0; d < usage.dimensions_used(); ++d) {
      const auto whole = static_cast<double>(order_.cluster()[d]);
      if (whole > 0) share = std::max(share, static_cast<double>(usage[d]) / whole);
    }
    return share;
  }

  std::vector<Figure> figures(const LiveQueue& queue) const {
    std::vector<Figure> figures;
    const auto add = [&](FigureName id, FigureName label, FigureValue value,
                         std::string formula = {}) {
      figures.push_back({std::move(id), std::move(label), std::move(value), std::move(formula)});
    };
    add("scheduling_policy", "schedulingPolicy", policy_name(queue.rules.policy));
    add("weight", "weight", double{queue.rules.weight});
    add("used_resources", "Used Resources", queue.usage);
    add("demand", "Demand Resources", queue.demand, "at most Max Resources");
    add("minimum", "Min Resources", limit_of(queue.minimum));
    add("maximum", "Max Resources", limit_of(queue.maximum));
    add("steady_fair_share", "Steady Fair Share", steady_shares_.at(queue.path));
    add("fair_share", "Instantaneous Fair Share", queue.share);
    add("running_applications", "Num Active Applications", std::int64_t{queue.runnable});
    add("maximum_running_applications", "Max Running Applications",
        count_or_unlimited(queue.rules.maximum_running));
    add("is_dynamic", "Created On Demand", queue.is_dynamic);
    add("dominant_share", "", Ratio{dominant_share(queue.usage)});
    if (!queue.is_leaf) return figures;
    add("pending_applications", "Num Pending Applications",
        static_cast<std::int64_t>(queue.waiting.size()));
    const float part = queue.rules.application_master_share;
    add("masters", "AM Used Resources", queue.master_usage);
    if (part < 0) {
      add("master_limit", "AM Max Resources", Unlimited());
    } else {
      add("master_limit", "AM Max Resources",
          maximum_for_masters(queue, available_, order_.cluster()),
          resources_text(queue.share, dimensions_) + " × " + percent_text(part) + ", rounded up");
    }
    return figures;
  }

  const LiveApplications& applications_;
  const FairOrder& order_;
  const ResourceDimensions& dimensions_;
  Resources available_;
  std::map<std::string_view, Resources> steady_shares_;
};

}  // namespace

SchedulerView FairScheduler::view(const ClusterModel& cluster) const {
  SchedulerView view;
  const Viewer viewer(tree_, applications_, order_, free_.total(), settings_.dimensions);
  viewer.add(tree_.root(), view.queues);
  applications_.for_each([&](ApplicationId, const LiveApplication& application) {
    view.applications.push_back(viewer.view_of(application));
  });
  for (const auto& [node, reservation] : reservations_.all()) {
    view.reservations.push_back(
        {node, reservation.application, reservation.ask, reservation.resources});
  }
  view.preemptions = preemption_.view(cluster, now_);
  return view;
}

// ---- checks ----

void FairScheduler::verify() const {
  preemption_.verify();
  for (const auto& [path, queue] : tree_.queues()) {
    Resources usage;
    Resources masters;
    Resources demand;
    std::int64_t runnable = 0;
    std::int64_t reserving = 0;
    for (const LiveQueue* child : queue->children) {
      usage += child->usage;
      demand += child->demand;
      runnable += child->runnable;
      reserving += child->reserving;
      TRACEBED_CHECK(child->parent == queue.get(), "a child knows its parent");
      TRACEBED_CHECK(child->is_offered == child->has_offers(), "who has offers is in order");
    }
    std::size_t offered = 0;
    for (const ApplicationId id : queue->applications) {
      const LiveApplication& application = applications_[id];
      usage += application.usage;
      demand += application.demand;
      runnable += application.is_runnable ? 1 : 0;
      reserving += application.may_reserve ? 1 : 0;
      offered += application.is_offered ? 1 : 0;
      if (application.is_master_running) masters += application.master_resources;
      TRACEBED_CHECK(application.is_runnable != queue->waiting.contains(id),
                     "an application runs or waits");
      TRACEBED_CHECK(
          !application.is_offered || application.standing->key == order_.key(application),
          "an application stands where its figures put it");
    }
    TRACEBED_CHECK(usage == queue->usage, "a queue uses what its children and applications use");
    TRACEBED_CHECK(demand == queue->demand_sum, "a queue demands what is demanded below it");
    TRACEBED_CHECK(masters == queue->master_usage, "a leaf's masters use what each of them uses");
    TRACEBED_CHECK(runnable == queue->runnable, "a queue counts who runs below it");
    TRACEBED_CHECK(reserving == queue->reserving, "a queue counts who may reserve below it");
    TRACEBED_CHECK(offered == queue->offered.size() + queue->offered_masters.size(),
                   "a leaf keeps in order whom it offers nodes");
    for (const Standing<LiveQueue>& standing : queue->offered_children) {
      TRACEBED_CHECK(standing.key == order_.key(*standing.member),
                     "a queue stands where its figures put it");
    }
  }
}

// ---- settings in a run ----

Status FairScheduler::reconfigure(const SchedulerParameters& parameters,
                                  const ClusterModel& /*cluster*/) {
  Result<FairSettings> settings = read_fair_settings_of(parameters);
  if (!settings) return settings.error();
  Result<FairAllocations> allocations = read_fair_allocations_of(parameters, *settings);
  if (!allocations) return allocations.error();
  update_.forget_leaves();
  if (Status status = tree_.apply(std::move(*allocations)); !status) return status;
  settings_ = std::move(*settings);
  sizes_.set_limits(container_limits(settings_));
  placement_ = placement_rules_of(tree_.allocations(), settings_);
  refresh_all();
  std::vector<LiveApplication*> now_runnable;
  limits_.reload([&](UserId user) { return user_name(user); }, now_runnable);
  for (LiveApplication* application : now_runnable) order_.refresh(*application);
  update_.run(now_);
  preemption_.reconfigured();
  update_at_ = never;
  is_round_worthwhile_ = true;
  check_queues_soon();
  return success();
}

}  // namespace tracebed
