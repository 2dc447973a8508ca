#include "schedulers/yarn/fair/fair_queue_tree.h"

#include <algorithm>

#include "core/check.h"
#include "schedulers/parts/component_maximum.h"
#include "schedulers/yarn/fair/sibling_shares.h"

namespace tracebed {
namespace {

std::string parent_path(const std::string& path) {
  return path.substr(0, path.rfind('.'));
}

}  // namespace

bool is_empty(const LiveQueue& queue) {
  return queue.applications.empty() &&
         std::all_of(queue.children.begin(), queue.children.end(),
                     [](const LiveQueue* child) { return is_empty(*child); });
}

bool may_submit(const LiveQueue& queue, const std::string& user,
                const std::vector<std::string>& groups) {
  for (const LiveQueue* q = &queue; q != nullptr; q = q->parent) {
    if (q->rules.submitters.allows(user, groups)) return true;
    if (q->rules.administrators.allows(user, groups)) return true;
  }
  return false;
}

FairQueueTree::FairQueueTree(FairAllocations allocations) : allocations_(std::move(allocations)) {
  root_ = &add("root", nullptr, false);
  root_->is_dynamic = false;
  declare_all();
}

LiveQueue* FairQueueTree::find(std::string_view path) const {
  const auto found = queues_.find(path);
  return found == queues_.end() ? nullptr : found->second.get();
}

QueuePresence FairQueueTree::presence(const std::string& path) const {
  const LiveQueue* queue = find(path);
  if (queue == nullptr) return QueuePresence::absent;
  if (queue->is_dynamic && queue->is_leaf) return QueuePresence::on_demand;
  return queue->is_leaf ? QueuePresence::declared_leaf : QueuePresence::declared_parent;
}

LiveQueue* FairQueueTree::leaf(const std::string& path) {
  LiveQueue* queue = find(path);
  if (queue == nullptr) queue = create(path, true);
  return queue != nullptr && queue->is_leaf ? queue : nullptr;
}

LiveQueue* FairQueueTree::create(const std::string& path, bool is_leaf) {
  // Nothing is created unless everything can be.
  std::vector<std::string> missing{path};
  LiveQueue* above = nullptr;
  while ((above = find(parent_path(missing.back()))) == nullptr) {
    missing.push_back(parent_path(missing.back()));
  }
  if (above->is_leaf) return nullptr;
  std::reverse(missing.begin(), missing.end());
  SharePolicy policy = above->rules.policy;
  for (const std::string& next : missing) {
    const FairQueue* declared = allocations_.find(next);
    const SharePolicy below = declared != nullptr ? declared->policy : allocations_.policy;
    if (!may_stand_below(below, policy, allocations_.policy_rule)) return nullptr;
    policy = below;
  }
  for (const std::string& next : missing) {
    above = &add(next, above, is_leaf && next == path);
  }
  return above;
}

LiveQueue& FairQueueTree::add(const std::string& path, LiveQueue* parent, bool is_leaf) {
  std::unique_ptr<LiveQueue>& queue = queues_[path];
  TRACEBED_CHECK(queue == nullptr, "a queue is created once");
  queue = std::make_unique<LiveQueue>();
  queue->path = path;
  queue->id = created_++;
  queue->parent = parent;
  queue->is_leaf = is_leaf;
  queue->is_dynamic = allocations_.find(path) == nullptr;
  if (parent != nullptr) parent->children.push_back(queue.get());
  take_rules(*queue);
  return *queue;
}

void FairQueueTree::take_rules(LiveQueue& queue) const {
  const FairQueue* declared = allocations_.find(queue.path);
  if (declared != nullptr) {
    queue.rules = *declared;
  } else if (queue.parent != nullptr) {
    queue.rules = rules_on_demand(queue.path, *queue.parent);
  }
  take_amounts(queue);
}

void FairQueueTree::take_amounts(LiveQueue& queue) const {
  const FairQueue& rules = queue.rules;
  queue.minimum = rules.minimum.on(cluster_);
  queue.maximum = component_maximum(rules.maximum.on(cluster_), queue.minimum);
  queue.maximum_container.reset();
  if (rules.maximum_container) queue.maximum_container = rules.maximum_container->on(cluster_);
}

// What AllocationConfiguration.initFSQueue says of a queue that the file does not mention.
FairQueue FairQueueTree::rules_on_demand(const std::string& path, const LiveQueue& parent) const {
  FairQueue rules;
  rules.path = path;
  rules.maximum = parent.rules.maximum_of_children ? *parent.rules.maximum_of_children
                                                   : allocations_.maximum_of_queue;
  rules.maximum_running = allocations_.maximum_running_of_queue;
  rules.application_master_share = allocations_.application_master_share;
  rules.policy = allocations_.policy;
  rules.minimum_share_timeout_s = allocations_.minimum_share_timeout_s;
  rules.fair_share_timeout_s = allocations_.fair_share_timeout_s;
  rules.fair_share_threshold = allocations_.fair_share_threshold;
  if (allocations_.inherits) inherit_from(parent.rules, rules);
  return rules;
}

bool FairQueueTree::declare_all() {
  has_pending_ = false;
  bool has_changed = false;
  for (const FairQueue& declared : allocations_.queues) {
    LiveQueue* queue = find(declared.path);
    if (queue != nullptr && queue->is_leaf == declared.is_parent && queue != root_) {
      if (!is_empty(*queue)) {
        has_pending_ = true;
        continue;
      }
      remove(*queue);
      queue = nullptr;
    }
    if (queue == nullptr) {
      queue = create(declared.path, !declared.is_parent);
      // Its parent is still there as a leaf.
      if (queue == nullptr) {
        has_pending_ = true;
        continue;
      }
      has_changed = true;
    }
    queue->is_dynamic = false;
  }
  return has_changed;
}

Status FairQueueTree::apply(FairAllocations allocations) {
  for (const auto& [path, queue] : queues_) {
    const bool is_declared = allocations.find(path) != nullptr;
    if (is_declared || is_empty(*queue)) continue;
    const FairQueue* parent = allocations.find(parent_path(path));
    const SharePolicy above = parent != nullptr ? parent->policy : allocations.policy;
    if (!may_stand_below(allocations.policy, above, allocations.policy_rule)) {
      return Error{"queue " + path +
                   " still has applications and would get the policy drf below one with fair"};
    }
  }
  allocations_ = std::move(allocations);
  for (const auto& [path, queue] : queues_) {
    queue->is_dynamic = allocations_.find(path) == nullptr;
    take_rules(*queue);
  }
  declare_all();
  set_cluster(cluster_);
  return success();
}

bool FairQueueTree::remove_empty() {
  bool has_removed = false;
  // Children come after their parents, so in the other direction first.
  for (auto next = queues_.rbegin(); next != queues_.rend();) {
    LiveQueue& queue = *next->second;
    if (!queue.is_dynamic || !queue.children.empty() || !is_empty(queue)) {
      ++next;
      continue;
    }
    std::erase(queue.parent->children, &queue);
    next = std::make_reverse_iterator(queues_.erase(std::next(next).base()));
    has_removed = true;
  }
  return has_removed;
}

void FairQueueTree::remove(LiveQueue& queue) {
  while (!queue.children.empty()) remove(*queue.children.back());
  std::erase(queue.parent->children, &queue);
  const std::string path = queue.path;
  queues_.erase(path);
}

bool FairQueueTree::replace_pending() {
  const bool has_changed = has_pending_ && declare_all();
  if (has_changed) set_cluster(cluster_);
  return has_changed;
}

void FairQueueTree::set_cluster(const Resources& cluster) {
  cluster_ = cluster;
  for (const auto& [path, queue] : queues_) take_amounts(*queue);
}

std::map<std::string_view, Resources> FairQueueTree::steady_shares() const {
  std::map<std::string_view, Resources> shares;
  shares[root_->path] = cluster_;
  std::vector<SiblingClaim> claims;
  for (const auto& [path, queue] : queues_) {
    claims.clear();
    for (const LiveQueue* child : queue->children) {
      claims.push_back(
          {.weight = child->rules.weight, .minimum = child->minimum, .maximum = child->maximum});
    }
    const std::vector<Resources> parts =
        share_among(queue->rules.policy, claims, shares[queue->path], cluster_);
    for (std::size_t i = 0; i < parts.size(); ++i) shares[queue->children[i]->path] = parts[i];
  }
  return shares;
}

}  // namespace tracebed
