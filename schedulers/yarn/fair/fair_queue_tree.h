// The Fair Scheduler's queues while it runs (QueueManager): those of the allocation file, and those
// that were created on demand.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "schedulers/yarn/fair/live_queue.h"
#include "schedulers/yarn/fair/queue_placement.h"

namespace tracebed {

class FairQueueTree {
 public:
  using Queues = std::map<std::string, std::unique_ptr<LiveQueue>, std::less<>>;

  explicit FairQueueTree(FairAllocations allocations);

  LiveQueue& root() { return *root_; }
  const LiveQueue& root() const { return *root_; }
  const FairAllocations& allocations() const { return allocations_; }
  // By path; so parents come before their children.
  const Queues& queues() const { return queues_; }
  LiveQueue* find(std::string_view path) const;
  QueuePresence presence(const std::string& path) const;

  // The leaf with this path, created together with what is missing above it. Null if the path, or
  // one above it, exists as the other kind, or if the policies above do not allow it.
  LiveQueue* leaf(const std::string& path);

  // The queues of another file. Those that the file no longer has become queues created on demand.
  // One that exists as another kind than declared is replaced when it is empty, or else later
  // (replace_pending). Fails, and changes nothing, if policies are incompatible.
  Status apply(FairAllocations allocations);
  bool has_pending() const { return has_pending_; }

  // Removes queues that were created on demand and have no applications. True if some were.
  bool remove_empty();
  // Retries replacements that apply() postponed. True if queues changed.
  bool replace_pending();

  // Sets the queues' minima and maxima to those on this cluster.
  void set_cluster(const Resources& cluster);
  // What each queue, by path, is entitled to if all claim their part (FSQueue.getSteadyFairShare).
  std::map<std::string_view, Resources> steady_shares() const;

 private:
  LiveQueue* create(const std::string& path, bool is_leaf);
  LiveQueue& add(const std::string& path, LiveQueue* parent, bool is_leaf);
  void remove(LiveQueue& queue);
  bool declare_all();
  FairQueue rules_on_demand(const std::string& path, const LiveQueue& parent) const;
  void take_rules(LiveQueue& queue) const;
  void take_amounts(LiveQueue& queue) const;

  FairAllocations allocations_;
  Queues queues_;
  LiveQueue* root_ = nullptr;
  std::uint32_t created_ = 0;
  Resources cluster_;
  bool has_pending_ = false;
};

// True if the queue and all below it have no application.
bool is_empty(const LiveQueue& queue);
// True if `user` may submit to the queue: by its lists, or by those of one above it.
bool may_submit(const LiveQueue& queue, const std::string& user,
                const std::vector<std::string>& groups);

}  // namespace tracebed
