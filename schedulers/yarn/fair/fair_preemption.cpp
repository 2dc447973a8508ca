#include "schedulers/yarn/fair/fair_preemption.h"

#include <algorithm>

#include "schedulers/parts/component_maximum.h"
#include "schedulers/yarn/fair/fair_assignment.h"
#include "schedulers/yarn/parts/not_negative.h"

namespace tracebed {

VictimSearch::State FairPreemption::search_state() const {
  return {parts_.settings, parts_.applications, parts_.order, parts_.reservations,
          parts_.free,     promised_,           to_preempt_};
}

std::string FairPreemption::reason_for(ApplicationId beneficiary) const {
  const LiveApplication* application = parts_.applications.find(beneficiary);
  return "application " + std::to_string(beneficiary.value()) +
         (application == nullptr ? "" : " of " + application->leaf->path) +
         " has less than its share";
}

// ---- whether it is still needed ----

bool FairPreemption::needs(const LiveApplication& application) const {
  const bool lacks_share =
      !application.lacks_of_share.is_zero() && parts_.order.is_starved(application);
  const bool lacks_minimum = !application.lacks_of_minimum.is_zero() &&
                             !Starvation::missing_minimum(*application.leaf).is_zero();
  return application.is_runnable && (lacks_share || lacks_minimum);
}

void FairPreemption::review(LiveApplication& application) {
  if (promised_.of(application.id).empty()) return;
  if (!needs(application)) return drop_all(application);
  drop_unasked(application);
  drop_surplus(application);
}

void FairPreemption::shares_changed() {
  for (const ApplicationId id : promised_.beneficiaries()) {
    const LiveApplication& application = parts_.applications[id];
    if (!needs(application)) drop_all(application);
  }
}

// An ask wants fewer containers than are promised, or its queue has no room for them any more.
void FairPreemption::drop_unasked(LiveApplication& application) {
  const std::vector<PromiseId> promises = promised_.of(application.id);
  const auto count_for = [&](AskId ask) {
    return std::count_if(promises.begin(), promises.end(),
                         [&](PromiseId id) { return promised_.find(id)->ask == ask; });
  };
  std::map<AskId, std::int64_t> wanted;
  for (const LiveAsk& ask : application.asks) {
    const Resources amount = ask.is_gang ? ask.demand * ask.remaining : ask.demand;
    const bool may_have = fits_in_maxima(parts_.settings, *application.leaf, amount);
    const bool is_whole = !ask.is_gang || count_for(ask.id) == ask.remaining;
    wanted[ask.id] = may_have && is_whole ? ask.remaining : 0;
  }
  for (const PromiseId id : promises) {
    const auto left = wanted.find(promised_.find(id)->ask);
    if (left == wanted.end() || left->second == 0) {
      drop(id);
    } else {
      --left->second;
    }
  }
}

// It got containers elsewhere, so that the promises made last are too many.
void FairPreemption::drop_surplus(LiveApplication& application) {
  Resources rest = application.usage;
  for (const PromiseId id : promised_.of(application.id)) rest += promised_.find(id)->demand;
  for (;;) {
    const std::vector<PromiseId>& promises = promised_.of(application.id);
    if (promises.empty()) return;
    const RoomPromise& newest = *promised_.find(promises.back());
    std::vector<PromiseId> together{promises.back()};
    if (newest.is_gang) {
      together.clear();
      std::copy_if(promises.begin(), promises.end(), std::back_inserter(together),
                   [&](PromiseId id) { return promised_.find(id)->ask == newest.ask; });
    }
    rest -= newest.demand * static_cast<std::int64_t>(together.size());
    if (!application.aim.fits_in(rest)) return;
    for (const PromiseId id : together) drop(id);
  }
}

void FairPreemption::drop(PromiseId id) {
  const std::vector<ContainerId> victims = promised_.find(id)->victims;
  promised_.remove(id);
  for (const ContainerId victim : victims) {
    if (to_preempt_.find(victim)->is_final) continue;
    forget(victim);
    unwanted_.push_back(victim);
  }
}

void FairPreemption::drop_all(const LiveApplication& application) {
  const std::vector<PromiseId> promises = promised_.of(application.id);
  for (const PromiseId id : promises) drop(id);
}

void FairPreemption::forget(ContainerId id) {
  const ContainerToPreempt* request = to_preempt_.find(id);
  if (request == nullptr) return;
  if (LiveApplication* owner = parts_.applications.find(request->application)) {
    owner->to_be_taken -= request->resources;
  }
  promised_.drop_victim(request->promise, id, request->resources);
  to_preempt_.remove(id);
}

void FairPreemption::application_leaves(LiveApplication& application) {
  drop_all(application);
}

void FairPreemption::node_left(NodeId node) {
  const std::vector<PromiseId> promises = promised_.on(node);
  for (const PromiseId id : promises) {
    const RoomPromise* promise = promised_.find(id);
    if (promise == nullptr) continue;
    LiveApplication& application = parts_.applications[promise->application];
    application.next_starvation_check = TraceTime{};
    drop(id);
    drop_unasked(application);  // the rest of a gang
  }
}

void FairPreemption::placed(LiveApplication& application, AskId ask, NodeId node) {
  const std::vector<PromiseId>& promises = promised_.of(application.id);
  if (promises.empty()) return;
  const auto kept = std::find_if(promises.begin(), promises.end(), [&](PromiseId id) {
    const RoomPromise& promise = *promised_.find(id);
    return promise.node == node && promise.ask == ask && !promise.is_gang;
  });
  if (kept != promises.end()) drop(*kept);
  review(application);
}

void FairPreemption::gang_placed(LiveApplication& application, AskId ask) {
  const std::vector<PromiseId> promises = promised_.of(application.id);
  for (const PromiseId id : promises) {
    if (promised_.find(id)->ask == ask) drop(id);
  }
  review(application);
}

void FairPreemption::reconfigured() {
  is_look_worthwhile_ = true;
  if (parts_.settings.preemption.is_enabled) return shares_changed();
  while (!promised_.empty()) drop(promised_.all().begin()->first);
}

// ---- looking for the starved ----

bool FairPreemption::is_enough_used(const ClusterModel& cluster) const {
  float most = 0;
  for (const std::size_t d : {Resources::memory_dimension, Resources::vcores_dimension}) {
    if (cluster.capacity[d] <= 0) continue;
    const std::int64_t used = cluster.capacity[d] - parts_.free.total()[d];
    most = std::max(most, static_cast<float>(used) / static_cast<float>(cluster.capacity[d]));
  }
  return most > parts_.settings.preemption.cluster_utilization_threshold;
}

TraceTime FairPreemption::look_before(TraceTime now) const {
  // A second look at one time sees what the first would have seen a moment later.
  if (now == last_look_) return before_last_look_;
  return std::max(last_look_, now - parts_.settings.update_interval);
}

Duration FairPreemption::recheck_delay() const {
  const FairSettings& settings = parts_.settings;
  const Duration until_given = settings.continuous_scheduling
                                   ? settings.continuous_scheduling_sleep * 10
                                   : settings.preemption.node_heartbeat * 4;
  return settings.preemption.wait_before_kill + until_given +
         settings.preemption.wait_before_next_check;
}

void FairPreemption::look(const ClusterModel& cluster, TraceTime now, Decisions& decisions) {
  const TraceTime before = look_before(now);
  last_look_ = now;
  before_last_look_ = before;
  is_look_worthwhile_ = false;
  next_look_ = never;
  // What is chosen now is asked for after what was chosen before is let go.
  withdraw(cluster, decisions);
  if (!is_enough_used(cluster)) return starvation_.rest(before);
  const StarvationSight sight = starvation_.look(now, before);
  starvation_.note(sight, before);
  next_look_ = sight.next;
  if (sight.starved.empty()) return;
  std::vector<ApplicationId> helped;
  for (const StarvedApplication& starved : sight.starved) {
    helped.push_back(starved.application->id);
    // Room that it was not given until now is no use to it.
    const std::vector<PromiseId> promises = promised_.of(starved.application->id);
    for (const PromiseId id : promises) {
      const RoomPromise* promise = promised_.find(id);
      if (promise != nullptr && promise->victims.empty() && !promise->is_gang) drop(id);
    }
  }
  std::sort(helped.begin(), helped.end());
  const VictimSearch::State state = search_state();
  std::vector<std::vector<FoundRoom>> found;
  {
    VictimSearch search(state, cluster, helped);
    RoomFinder finder(state, cluster, search);
    for (const StarvedApplication& starved : sight.starved) found.push_back(finder.find(starved));
  }
  for (std::size_t i = 0; i < found.size(); ++i) help(sight.starved[i], found[i], now, decisions);
}

void FairPreemption::help(const StarvedApplication& starved, const std::vector<FoundRoom>& found,
                          TraceTime now, Decisions& decisions) {
  LiveApplication& application = *starved.application;
  application.next_starvation_check = now + recheck_delay();
  Resources gangs;
  bool takes_something = false;
  const std::string reason = reason_for(application.id);
  for (const FoundRoom& room : found) {
    if (room.is_gang) gangs += room.demand;
    if (room.place.victims.empty() && !room.is_gang) continue;
    takes_something = true;
    RoomPromise promise{.application = application.id,
                        .ask = room.ask,
                        .node = room.place.node,
                        .demand = room.demand,
                        .is_gang = room.is_gang,
                        .victims = {},
                        .requested = {}};
    for (const VictimSearch::Victim& victim : room.place.victims) {
      promise.victims.push_back(victim.container);
      promise.requested += victim.resources;
    }
    const PromiseId id = promised_.add(std::move(promise));
    for (const VictimSearch::Victim& victim : room.place.victims) {
      ask_back(victim.container,
               {.application = victim.application,
                .beneficiary = application.id,
                .promise = id,
                .resources = victim.resources},
               reason, now, decisions);
    }
  }
  const Resources lacking = component_maximum(starved.total(), gangs);
  application.aim = Resources();
  for (std::size_t d = 0; d < lacking.dimensions_used(); ++d) {
    if (lacking[d] > 0) application.aim[d] = application.usage[d] + lacking[d];
  }
  // If nothing could be found, only something that happens can change that.
  if (takes_something) next_look_ = std::min(next_look_, application.next_starvation_check);
}

// ---- taking back ----

void FairPreemption::ask_back(ContainerId id, const ContainerToPreempt& chosen,
                              const std::string& reason, TraceTime now, Decisions& decisions) {
  const FairSettings::Preemption& settings = parts_.settings.preemption;
  ContainerToPreempt request = chosen;
  request.deadline = now;
  if (settings.delivery == PreemptionDelivery::kill) {
    request.is_final = true;
    decisions.kill(id, reason);
  } else {
    request.deadline = now + settings.wait_before_kill;
    request.is_final = settings.delivery == PreemptionDelivery::hadoop;
    if (request.is_final) request.kill_at = request.deadline;
    PreemptionTerms terms;
    terms.kind = PreemptionKind::strict;
    terms.purpose = PreemptionPurpose::balance;
    terms.deadline = request.is_final ? never : request.deadline;
    terms.is_repeated = true;
    terms.may_be_substituted = false;
    terms.reason = reason;
    decisions.preempt(id, std::move(terms));
  }
  to_preempt_.add(id, request);
  parts_.applications[request.application].to_be_taken += request.resources;
}

void FairPreemption::finish(const ClusterModel& cluster, TraceTime now, Decisions& decisions) {
  answer_deadlines(cluster);
  withdraw(cluster, decisions);
  to_preempt_.kill_due(now, [&](ContainerId id) {
    const Container* container = cluster.containers.find(id);
    if (container == nullptr || container->is_being_killed) return;
    decisions.kill(id, reason_for(to_preempt_.find(id)->beneficiary));
  });
}

void FairPreemption::withdraw(const ClusterModel& cluster, Decisions& decisions) {
  for (const ContainerId id : unwanted_) {
    if (cluster.containers.contains(id)) decisions.withdraw_preemption(id);
  }
  unwanted_.clear();
}

void FairPreemption::answer_deadlines(const ClusterModel& cluster) {
  std::vector<std::pair<NodeId, Resources>> claimed;
  for (const ContainerId id : due_) {
    const ContainerToPreempt* request = to_preempt_.find(id);
    if (request == nullptr || request->is_final) continue;
    if (LiveApplication* beneficiary = parts_.applications.find(request->beneficiary)) {
      review(*beneficiary);
    }
    request = to_preempt_.find(id);
    if (request == nullptr) continue;
    const RoomPromise* promise = promised_.find(request->promise);
    if (promise != nullptr && has_room_elsewhere(cluster, *promise, claimed)) {
      drop(request->promise);
    } else {
      to_preempt_.make_final(id);
    }
  }
  due_.clear();
}

// Room that it will be offered, since it is free, and kept for nobody.
bool FairPreemption::has_room_elsewhere(const ClusterModel& cluster, const RoomPromise& promise,
                                        std::vector<std::pair<NodeId, Resources>>& claimed) const {
  const Ask* ask = cluster.asks.find(promise.ask);
  if (promise.is_gang || ask == nullptr || !ask->relax_locality) return false;
  bool has_room = false;
  parts_.free.visit_with_room(promise.demand, [&](NodeId node) {
    if (node == ask->avoided) return false;
    Resources room = parts_.free.free(node) - promised_.kept(node);
    if (const auto* reservation = parts_.reservations.find(node)) room -= reservation->resources;
    for (const auto& [place, amount] : claimed) {
      if (place == node) room -= amount;
    }
    has_room = promise.demand.fits_in(room);
    if (has_room) claimed.emplace_back(node, promise.demand);
    return has_room;
  });
  return has_room;
}

}  // namespace tracebed
