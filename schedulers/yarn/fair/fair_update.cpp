#include "schedulers/yarn/fair/fair_update.h"

#include <cmath>

#include "schedulers/yarn/fair/sibling_shares.h"

namespace tracebed {
namespace {

// NewJobWeightBooster's defaults.
constexpr Duration boost_duration = std::chrono::minutes(5);
constexpr float boost = 3;

const Resources unlimited_share = [] {
  Resources resources;
  for (std::size_t d = 0; d < Resources::dimensions_max; ++d) {
    resources[d] = AllocationAmount::unlimited_amount;
  }
  return resources;
}();

}  // namespace

void FairUpdate::out_of_date(LiveApplication& application) {
  if (application.is_out_of_date) return;
  application.is_out_of_date = true;
  changed_.push_back(application.id);
}

void FairUpdate::watch_age(const LiveApplication& application) {
  if (settings_.weight_adjuster == FairSettings::WeightAdjuster::none) return;
  // "More than five minutes" is the next microsecond.
  ages_.emplace_back(application.start + boost_duration + Duration(1), application.id);
}

TraceTime FairUpdate::next_change_of_age() const {
  return ages_.empty() ? never : ages_.front().first;
}

void FairUpdate::leaf_changed(LiveQueue& leaf) {
  if (leaf.is_out_of_date) return;
  leaf.is_out_of_date = true;
  changed_leaves_.push_back(&leaf);
}

void FairUpdate::forget_leaves() {
  for (LiveQueue* leaf : changed_leaves_) leaf->is_out_of_date = false;
  changed_leaves_.clear();
  is_all_out_of_date_ = true;
}

void FairUpdate::run(TraceTime now) {
  take_ages(now);
  take_demands(now);
  if (is_all_out_of_date_) take_all_demands();
  for (LiveQueue* leaf : changed_leaves_) take_demand(*leaf);
  tree_.root().share = order_.cluster();
  const bool shares_changed =
      is_all_out_of_date_ || have_members_changed_ || settings_.demand_caps_shares;
  if (shares_changed) {
    for (const auto& [path, queue] : tree_.queues()) {
      if (!queue->is_leaf) share_out(*queue);
    }
  }
  // Sharing out may have added leaves.
  for (LiveQueue* leaf : changed_leaves_) {
    leaf->is_out_of_date = false;
    if (leaf->are_shares_out_of_date) share_out_to_applications(*leaf);
  }
  changed_leaves_.clear();
  is_all_out_of_date_ = false;
  have_members_changed_ = false;
}

void FairUpdate::take_ages(TraceTime now) {
  while (!ages_.empty() && ages_.front().first <= now) {
    LiveApplication* application = applications_.find(ages_.front().second);
    ages_.pop_front();
    if (application != nullptr) out_of_date(*application);
  }
}

void FairUpdate::take_demands(TraceTime now) {
  for (const ApplicationId id : changed_) {
    LiveApplication* application = applications_.find(id);
    if (application == nullptr) continue;
    application->is_out_of_date = false;
    LiveQueue& leaf = *application->leaf;
    leaf.demand_sum += application->wanted - application->demand;
    leaf_changed(leaf);
    application->demand = application->wanted;
    const float weight = weight_of(*application, now);
    leaf.are_shares_out_of_date |= weight != application->weight || settings_.demand_caps_shares;
    application->weight = weight;
    order_.refresh(*application);
  }
  changed_.clear();
}

float FairUpdate::weight_of(const LiveApplication& application, TraceTime now) const {
  float weight = 1;
  if (settings_.size_based_weight) {
    const std::int64_t demand = application.demand.memory_mib();
    // The plain logarithm of a demand below 1 MiB would be negative.
    weight = size_based_weight(
        settings_.size_weight_adds_one ? demand : std::max<std::int64_t>(demand - 1, 0));
  }
  const bool is_old = now - application.start > boost_duration;
  const bool is_boosted =
      settings_.weight_adjuster == FairSettings::WeightAdjuster::young
          ? !is_old
          : settings_.weight_adjuster == FairSettings::WeightAdjuster::old && is_old;
  return is_boosted ? weight * boost : weight;
}

void FairUpdate::take_all_demands() {
  const FairQueueTree::Queues& queues = tree_.queues();
  for (auto next = queues.rbegin(); next != queues.rend(); ++next) {
    LiveQueue& queue = *next->second;
    if (!queue.is_leaf) queue.demand_sum = Resources();
    for (const LiveQueue* child : queue.children) queue.demand_sum += child->demand;
    queue.demand = component_minimum(queue.demand_sum, queue.maximum);
    order_.refresh(queue);
  }
}

// Goes up as long as something changes.
void FairUpdate::take_demand(LiveQueue& leaf) {
  for (LiveQueue* queue = &leaf; queue != nullptr; queue = queue->parent) {
    const Resources demand = component_minimum(queue->demand_sum, queue->maximum);
    if (demand == queue->demand) break;
    if (queue->parent != nullptr) queue->parent->demand_sum += demand - queue->demand;
    queue->demand = demand;
  }
  order_.refresh(leaf);
}

Resources FairUpdate::divided(const LiveQueue& queue) const {
  return settings_.demand_caps_shares ? component_minimum(queue.share, queue.demand) : queue.share;
}

void FairUpdate::share_out(LiveQueue& queue) {
  std::vector<SiblingClaim> claims;
  claims.reserve(queue.children.size());
  for (const LiveQueue* child : queue.children) {
    claims.push_back({.weight = child->rules.weight,
                      .minimum = child->minimum,
                      .maximum = settings_.demand_caps_shares ? child->demand : child->maximum,
                      .is_active = child->runnable > 0});
  }
  const std::vector<Resources> parts =
      share_among(queue.rules.policy, claims, divided(queue), order_.cluster());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    LiveQueue& child = *queue.children[i];
    child.are_shares_out_of_date |= !(child.share == parts[i]) || is_all_out_of_date_;
    child.share = parts[i];
    if (child.is_leaf && child.are_shares_out_of_date) leaf_changed(child);
  }
}

void FairUpdate::share_out_to_applications(LiveQueue& leaf) {
  leaf.are_shares_out_of_date = false;
  std::vector<SiblingClaim> claims;
  std::vector<LiveApplication*> members;
  for (const ApplicationId id : leaf.applications) {
    LiveApplication& application = applications_[id];
    application.share = Resources();
    if (!application.is_runnable) continue;
    members.push_back(&application);
    claims.push_back(
        {.weight = application.weight,
         .minimum = {},
         .maximum = settings_.demand_caps_shares ? application.demand : unlimited_share,
         .is_active = true,
         .start = application.start});
  }
  const std::vector<Resources> parts =
      share_among(leaf.rules.policy, claims, divided(leaf), order_.cluster());
  for (std::size_t i = 0; i < members.size(); ++i) {
    members[i]->share = parts[i];
    order_.refresh(*members[i]);
  }
}

}  // namespace tracebed
