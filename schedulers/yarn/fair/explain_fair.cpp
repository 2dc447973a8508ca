#include "schedulers/yarn/fair/explain_fair.h"

#include "core/quantity_text.h"
#include "schedulers/yarn/fair/steady_shares.h"

namespace tracebed {

std::string policy_name(SharePolicy policy) {
  switch (policy) {
    case SharePolicy::drf:
      return "drf";
    case SharePolicy::fifo:
      return "fifo";
    case SharePolicy::fair:
      break;
  }
  return "fair";
}

ResourceLimit limit_of(const Resources& amounts) {
  ResourceLimit limit;
  for (std::size_t d = 0; d < Resources::dimensions_max; ++d) {
    limit.is_limited[d] = amounts[d] < AllocationAmount::unlimited_amount;
    if (limit.is_limited[d]) limit.most[d] = amounts[d];
  }
  return limit;
}

namespace {

FigureValue timeout_of(const std::optional<std::int64_t>& timeout_s) {
  if (!timeout_s) return "never";
  return Duration(seconds(*timeout_s));
}

struct Explaining {
  const FairAllocations& allocations;
  const Resources& cluster;
  const ResourceDimensions& dimensions;
  std::vector<Resources> shares;  // steady ones, by queue
};

// Where a queue has a figure from that it does not state itself; empty if it does.
std::string source_of(const FairAllocations& allocations, std::size_t index,
                      bool FairQueue::Stated::*is_stated, const char* default_element) {
  if (allocations.queues[index].stated.*is_stated) return {};
  while (allocations.inherits && index != 0) {
    index = allocations.queues[index].parent;
    if (allocations.queues[index].stated.*is_stated) {
      return "inherited from " + allocations.queues[index].path;
    }
  }
  return default_element;
}

// Preemption is allowed by a queue and all above it, or it is not.
std::string protector_of(const FairAllocations& allocations, std::size_t index) {
  for (;; index = allocations.queues[index].parent) {
    if (!allocations.queues[index].allows_preemption_from) return allocations.queues[index].path;
    if (index == 0) return {};
  }
}

void explain_preemption(const FairAllocations& allocations, std::size_t index,
                        ExplainedQueue& explained) {
  using Stated = FairQueue::Stated;
  const FairQueue& queue = allocations.queues[index];
  const auto add = [&](FigureName id, FigureName label, FigureValue value, std::string formula) {
    explained.figures.push_back(
        {std::move(id), std::move(label), std::move(value), std::move(formula)});
  };
  add("minimum_share_preemption_timeout", "minSharePreemptionTimeout",
      timeout_of(queue.minimum_share_timeout_s),
      source_of(allocations, index, &Stated::minimum_share_timeout,
                "defaultMinSharePreemptionTimeout"));
  add("fair_share_preemption_timeout", "fairSharePreemptionTimeout",
      timeout_of(queue.fair_share_timeout_s),
      source_of(allocations, index, &Stated::fair_share_timeout,
                "defaultFairSharePreemptionTimeout"));
  add("fair_share_preemption_threshold", "fairSharePreemptionThreshold",
      double{queue.fair_share_threshold},
      source_of(allocations, index, &Stated::fair_share_threshold,
                "defaultFairSharePreemptionThreshold"));
  const std::string protector = protector_of(allocations, index);
  const std::string source = source_of(allocations, index, &Stated::allows_preemption_from, "");
  add("allows_preemption_from", "allowPreemptionFrom", protector.empty(),
      protector.empty() || protector == queue.path || !source.empty()
          ? source
          : "not allowed by " + protector);
}

ExplainedQueue explain_queue(const Explaining& all, std::size_t index) {
  const auto& [allocations, cluster, dimensions, shares] = all;
  const FairQueue& queue = allocations.queues[index];
  ExplainedQueue explained{queue.path, !queue.is_parent, {}};
  const auto add = [&](FigureName id, FigureName label, FigureValue value,
                       std::string formula = "") {
    explained.figures.push_back(
        {std::move(id), std::move(label), std::move(value), std::move(formula)});
  };
  add("scheduling_policy", "schedulingPolicy", policy_name(queue.policy));
  add("weight", "weight", double{queue.weight});
  add("minimum", "minResources", limit_of(queue.minimum.on(cluster)));
  add("maximum", "maxResources", limit_of(queue.maximum.on(cluster)));
  const FairQueue& parent = allocations.queues[queue.parent];
  add("steady_fair_share", "Steady Fair Share", shares[index],
      index == 0 ? "the cluster"
                 : "weight × R, from minResources to maxResources, so that all children of " +
                       parent.path + " take " + resources_text(shares[queue.parent], dimensions));
  add("maximum_running_applications", "maxRunningApps", count_or_unlimited(queue.maximum_running));
  if (explained.is_leaf) {
    const bool is_limited = queue.application_master_share >= 0;
    add("maximum_master_share", "maxAMShare",
        is_limited ? FigureValue(Ratio{queue.application_master_share}) : Unlimited(),
        is_limited ? "of the instantaneous fair share, rounded up" : "");
  }
  explain_preemption(allocations, index, explained);
  return explained;
}

}  // namespace

std::vector<ExplainedQueue> explain(const FairAllocations& allocations, const Resources& cluster,
                                    const ResourceDimensions& dimensions) {
  const Explaining all{allocations, cluster, dimensions, steady_shares(allocations, cluster)};
  std::vector<ExplainedQueue> queues;
  for (std::size_t i = 0; i < allocations.queues.size(); ++i) {
    queues.push_back(explain_queue(all, i));
  }
  return queues;
}

}  // namespace tracebed
