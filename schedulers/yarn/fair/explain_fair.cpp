#include "schedulers/yarn/fair/explain_fair.h"

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

std::string limit_text(const Resources& resources, const ResourceDimensions& dimensions) {
  const auto shown = [](std::int64_t amount, std::int64_t unit) {
    return amount >= AllocationAmount::unlimited_amount ? "unlimited"
                                                        : std::to_string(amount / unit);
  };
  std::string text = "memory: " + shown(resources.memory_mib(), 1) +
                     ", vCores: " + shown(resources.milli_vcores(), 1000);
  for (std::size_t d = Resources::memory_dimension + 1; d < dimensions.size(); ++d) {
    text += ", " + dimensions.name(d) + ": " + shown(resources[d], 1);
  }
  return text;
}

namespace {

std::string timeout_text(const std::optional<std::int64_t>& seconds) {
  return seconds ? std::to_string(*seconds) + " s" : "never";
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
  const auto add = [&](const char* name, const std::string& value, std::string formula) {
    explained.figures.push_back({name, value, std::move(formula)});
  };
  add("minSharePreemptionTimeout", timeout_text(queue.minimum_share_timeout_s),
      source_of(allocations, index, &Stated::minimum_share_timeout,
                "defaultMinSharePreemptionTimeout"));
  add("fairSharePreemptionTimeout", timeout_text(queue.fair_share_timeout_s),
      source_of(allocations, index, &Stated::fair_share_timeout,
                "defaultFairSharePreemptionTimeout"));
  add("fairSharePreemptionThreshold", number_text(static_cast<double>(queue.fair_share_threshold)),
      source_of(allocations, index, &Stated::fair_share_threshold,
                "defaultFairSharePreemptionThreshold"));
  const std::string protector = protector_of(allocations, index);
  const std::string source = source_of(allocations, index, &Stated::allows_preemption_from, "");
  add("allowPreemptionFrom", protector.empty() ? "true" : "false",
      protector.empty() || protector == queue.path || !source.empty()
          ? source
          : "not allowed by " + protector);
}

ExplainedQueue explain_queue(const Explaining& all, std::size_t index) {
  const auto& [allocations, cluster, dimensions, shares] = all;
  const FairQueue& queue = allocations.queues[index];
  ExplainedQueue explained{queue.path, !queue.is_parent, {}};
  const auto add = [&](const char* name, const std::string& value,
                       const std::string& formula = "") {
    explained.figures.push_back({name, value, formula});
  };
  add("schedulingPolicy", policy_name(queue.policy));
  add("weight", number_text(static_cast<double>(queue.weight)));
  add("minResources", limit_text(queue.minimum.on(cluster), dimensions));
  add("maxResources", limit_text(queue.maximum.on(cluster), dimensions));
  const FairQueue& parent = allocations.queues[queue.parent];
  add("Steady Fair Share", resources_text(shares[index], dimensions),
      index == 0 ? "the cluster"
                 : "weight × R, from minResources to maxResources, so that all children of " +
                       parent.path + " take " + resources_text(shares[queue.parent], dimensions));
  add("maxRunningApps",
      queue.maximum_running ? std::to_string(*queue.maximum_running) : "unlimited");
  if (explained.is_leaf) {
    const bool is_limited = queue.application_master_share >= 0;
    add("maxAMShare",
        is_limited ? percent_text(static_cast<double>(queue.application_master_share))
                   : "unlimited",
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
