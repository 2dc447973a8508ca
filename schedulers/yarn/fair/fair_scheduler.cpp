#include "schedulers/yarn/fair/fair_scheduler.h"

#include <algorithm>
#include <utility>

#include "core/visit.h"
#include "schedulers/yarn/fair/master_share.h"

namespace tracebed {
namespace {

// AllocationFileLoaderService.ALLOC_RELOAD_INTERVAL_MS, at which it looks for empty queues too.
constexpr Duration queue_check_interval = seconds(10);

// The first time that is a multiple of `step` after `anchor` and not before `at`.
TraceTime on_grid(TraceTime at, TraceTime anchor, Duration step) {
  if (step == Duration::zero() || at <= anchor) return at;
  const Duration past = (at - anchor) % step;
  return past == Duration::zero() ? at : at + (step - past);
}

}  // namespace

Result<FairSettings> read_fair_settings_of(const SchedulerParameters& parameters) {
  Result<FairSettings> settings = read_fair_settings(parameters.settings, parameters.heartbeat);
  if (settings) settings->dimensions = parameters.dimensions;
  return settings;
}

AllocationFileForm form_of(const FairSettings& settings) {
  return {.inherits = settings.queues_inherit,
          .nested_rules = settings.nested_rules_decide ? NestedRules::decide : NestedRules::pass,
          .policy_rule =
              settings.parents_limit_policies ? PolicyRule::by_parent : PolicyRule::by_depth};
}

Result<FairAllocations> read_fair_allocations_of(const SchedulerParameters& parameters,
                                                 const FairSettings& settings) {
  static const XmlElement none{
      .name = "allocations", .where = {}, .attributes = {}, .text = {}, .children = {}};
  const auto document = parameters.documents.find("config");
  const XmlElement& root = document == parameters.documents.end() ? none : document->second;
  Result<FairAllocations> read =
      read_fair_allocations(root, parameters.dimensions, form_of(settings));
  if (!read) return about("config", read.error());
  if (settings.ignores_unsupported) return read;
  if (const Status status = refuse(read->review.unobeyed); !status) {
    return about("config", status.error());
  }
  return read;
}

std::vector<PlacementRule> placement_rules_of(const FairAllocations& allocations,
                                              const FairSettings& settings) {
  return allocations.placement.empty() ? rules_without_policy(settings) : allocations.placement;
}

FairScheduler::FairScheduler(FairSettings settings, FairAllocations allocations, const Names* names)
    : settings_(std::move(settings)),
      names_(names),
      tree_(std::move(allocations)),
      order_(settings_),
      limits_(settings_, tree_, applications_),
      sizes_(container_limits(settings_)),
      update_(settings_, tree_, applications_, order_),
      preemption_({settings_, tree_, applications_, order_, reservations_, free_}),
      placement_(placement_rules_of(tree_.allocations(), settings_)) {}

Result<std::unique_ptr<FairScheduler>> FairScheduler::make(const SchedulerParameters& parameters) {
  Result<FairSettings> settings = read_fair_settings_of(parameters);
  if (!settings) return settings.error();
  Result<FairAllocations> allocations = read_fair_allocations_of(parameters, *settings);
  if (!allocations) return allocations.error();
  return std::make_unique<FairScheduler>(std::move(*settings), std::move(*allocations),
                                         parameters.names);
}

void FairScheduler::decide(const SchedulerInput& input, Decisions& decisions) {
  now_ = input.now;
  if (wake_at_ <= now_) wake_at_ = never;
  free_.follow(input);
  reservations_.grow(input.cluster.nodes.size());
  preemption_.grow(input.cluster.nodes.size());
  take_in(input, decisions);
  if (has_node_change_) follow_cluster(input.cluster);
  // Before the update, which it can make due: nothing after it in this call may.
  if (next_queue_check_ <= now_) check_queues();
  if (update_.is_due() && update_at_ == never) {
    update_at_ = on_grid(now_, update_anchor_, settings_.update_interval);
  }
  const bool is_requested = std::exchange(is_update_requested_, false);
  const bool is_update = update_due() <= now_ || has_node_change_ || is_requested;
  if (is_update) {
    update_.run(now_);
    update_at_ = never;
    is_round_worthwhile_ = true;
    preemption_.shares_changed();
  }
  if (is_requested) preemption_.something_changed();
  preempt(input, has_node_change_ || is_requested, decisions);
  if (has_node_change_) update_anchor_ = now_;
  has_node_change_ = false;
  offer_nodes(input, decisions);
  preemption_.finish(input.cluster, now_, decisions);
  wake(decisions);
}

TraceTime FairScheduler::look_due() const {
  const TraceTime alone = preemption_.next_look();
  if (alone == never) return look_at_;
  return std::min(look_at_, on_grid(alone, update_anchor_, settings_.update_interval));
}

void FairScheduler::preempt(const SchedulerInput& input, bool is_update, Decisions& decisions) {
  if (preemption_.is_look_worthwhile() && look_at_ == never) {
    look_at_ = on_grid(now_, update_anchor_, settings_.update_interval);
  }
  if (look_due() > now_ && !(is_update && preemption_.is_look_worthwhile())) return;
  look_at_ = never;
  preemption_.look(input.cluster, now_, decisions);
}

HeartbeatInterest FairScheduler::heartbeat_interest() const {
  if (!reservations_.empty() || !preemption_.promised().empty()) {
    return {.any = true, .minimum = {}};
  }
  const LiveQueue& root = tree_.root();
  if (!root.has_offers()) return {.any = false, .minimum = {}};
  if (root.reserving > 0 || counts_offers(settings_)) return {.any = true, .minimum = {}};
  return {.any = true, .minimum = order_.wanted().minimum()};
}

Result<Resources> FairScheduler::container_size(ApplicationId id, const Resources& demand) const {
  const LiveApplication* application = applications_.find(id);
  const Resources* queue_maximum = nullptr;
  if (application != nullptr && application->leaf->maximum_container) {
    queue_maximum = &*application->leaf->maximum_container;
  }
  return sizes_.size_for(demand, queue_maximum);
}

// ---- what happened ----

void FairScheduler::take_in(const SchedulerInput& input, Decisions& decisions) {
  for (const auto& [id, ask_id] : placed_) {
    LiveApplication* application = applications_.find(id);
    if (application == nullptr) continue;
    for (LiveAsk& ask : application->asks) {
      if (!ask.was_placed) continue;
      ask.was_placed = false;
      ask.places.clear();
    }
  }
  placed_.clear();
  for (const SchedulerEvent& event : input.events) take_in(input, event, decisions);
  settle(input.cluster);
}

void FairScheduler::take_in(const SchedulerInput& input, const SchedulerEvent& event,
                            Decisions& decisions) {
  const ClusterModel& cluster = input.cluster;
  if (std::holds_alternative<NodeUpdated>(event) || std::holds_alternative<Tick>(event)) return;
  is_round_worthwhile_ = true;
  preemption_.something_changed();
  visit_all(
      event,
      [&](const AskChanged& changed) {
        // One that is gone by now has its AskRemoved among the same events.
        const Ask* ask = cluster.asks.find(changed.ask);
        if (ask != nullptr) touch(ask->application);
      },
      [&](const AskRemoved& removed) { touch(removed.application); },
      [&](const ContainerRecovered& recovered) {
        LiveApplication* application = applications_.find(recovered.application);
        if (application == nullptr || cluster.asks.find(recovered.ask) == nullptr) return;
        count_master(*application, cluster, recovered.ask, recovered.resources);
        touch(recovered.application);
      },
      [&](const ContainerFinished& finished) {
        master_ended(finished.application, finished.ask);
        preemption_.container_ended(finished.container);
        touch(finished.application);
      },
      [&](const Refused& refused) {
        if (refused.application.is_valid()) touch(refused.application);
        if (refused.container.is_valid()) preemption_.container_ended(refused.container);
      },
      [&](const PreemptionDue& due) { preemption_.deadline_came(due.container); },
      [&](const PreemptionSettled& settled) { preemption_.container_ended(settled.container); },
      [&](const ApplicationAdded& added) { admit(cluster, added.application, decisions); },
      [&](const ApplicationRemoved& removed) { remove(removed.application); },
      [&](const NodeAdded& joined) {
        has_node_change_ = true;
        sizes_.see(cluster, event);
        nodes_.in_rack.resize(std::max(cluster.racks, nodes_.in_rack.size()));
        nodes_.count(cluster.node(joined.node), true);
      },
      [&](const NodeRemoved& left) {
        has_node_change_ = true;
        nodes_.count(cluster.node(left.node), false);
        preemption_.node_left(left.node);
        if (const auto* reservation = reservations_.find(left.node)) {
          reservations_.remove(left.node, applications_[reservation->application]);
        }
      },
      Ignore<NodeUpdated, Tick, DecisionMade>{});
}

void FairScheduler::follow_cluster(const ClusterModel& cluster) {
  tree_.set_cluster(cluster.capacity);
  order_.set_cluster(cluster.capacity);
  refresh_all();
}

void FairScheduler::refresh_all() {
  update_.all_out_of_date();
  for (const auto& [path, queue] : tree_.queues()) {
    for (const ApplicationId id : queue->applications) {
      LiveApplication& application = applications_[id];
      for (LiveAsk& ask : application.asks) {
        ask.is_reservable = !ask.is_gang && order_.is_reservable(*queue, ask.demand);
      }
      order_.refresh(application);
    }
  }
}

void FairScheduler::touch(ApplicationId id) {
  LiveApplication* application = applications_.find(id);
  if (application == nullptr || application->is_touched) return;
  application->is_touched = true;
  touched_.push_back(id);
}

void FairScheduler::master_ended(ApplicationId id, AskId ask) {
  LiveApplication* application = applications_.find(id);
  if (application == nullptr || !application->is_master_running) return;
  if (!ask.is_valid() || application->master_ask != ask) return;
  application->is_master_running = false;
  application->leaf->master_usage -= application->master_resources;
}

void FairScheduler::settle(const ClusterModel& cluster) {
  for (const ApplicationId id : touched_) {
    LiveApplication* application = applications_.find(id);
    if (application != nullptr) settle(cluster, *application);
  }
  touched_.clear();
}

// Takes use and asks from the model, which also takes back what was refused.
void FairScheduler::settle(const ClusterModel& cluster, LiveApplication& application) {
  application.is_touched = false;
  const Application* model = cluster.applications.find(application.id);
  if (model == nullptr) return;  // its removal comes
  if (!(model->used == application.usage)) {
    order_.charge(application, model->used - application.usage);
  }
  if (model->containers == 0 && application.is_master_running) {
    application.is_master_running = false;
    application.leaf->master_usage -= application.master_resources;
  }
  take_asks(cluster, application);
  application.wanted = application.usage;
  for (const LiveAsk& ask : application.asks) application.wanted += ask.demand * ask.remaining;
  if (!(application.wanted == application.demand)) update_.out_of_date(application);
  order_.refresh(application);
  preemption_.review(application);
}

void FairScheduler::take_asks(const ClusterModel& cluster, LiveApplication& application) {
  const auto& open = cluster.applications[application.id].asks;
  std::vector<LiveAsk>& asks = application.asks;
  const bool is_same = std::equal(open.begin(), open.end(), asks.begin(), asks.end(),
                                  [](AskId id, const LiveAsk& ask) { return id == ask.id; });
  if (!is_same) {
    std::vector<LiveAsk> now_open(open.size());
    for (std::size_t i = 0; i < open.size(); ++i) {
      const auto known = std::find_if(asks.begin(), asks.end(),
                                      [&](const LiveAsk& ask) { return ask.id == open[i]; });
      if (known != asks.end()) {
        now_open[i] = std::move(*known);
        known->is_counted = false;
      } else {
        now_open[i].id = open[i];
        now_open[i].priority = cluster.asks[open[i]].priority;
        now_open[i].is_gang = cluster.asks[open[i]].is_gang();
      }
    }
    for (LiveAsk& gone : asks) order_.uncount(application, gone);
    asks.swap(now_open);
  }
  for (LiveAsk& ask : asks) {
    const Ask& model = cluster.asks[ask.id];
    ask.remaining = model.pending;
    if (ask.demand == model.demand) continue;
    order_.uncount(application, ask);
    ask.demand = model.demand;
    ask.is_reservable = !ask.is_gang && order_.is_reservable(*application.leaf, ask.demand);
  }
}

void FairScheduler::check_queues() {
  next_queue_check_ = never;
  update_.forget_leaves();
  if (settings_.removes_queues) tree_.remove_empty();
  if (!tree_.has_pending()) return;
  if (tree_.replace_pending()) refresh_all();
  check_queues_soon();
}

void FairScheduler::check_queues_soon() {
  next_queue_check_ =
      std::min(next_queue_check_, on_grid(now_ + Duration(1), TraceTime{}, queue_check_interval));
}

// ---- offering ----

TraceTime FairScheduler::update_due() const {
  const TraceTime age = update_.next_change_of_age();
  if (age == never) return update_at_;
  return std::min(update_at_, on_grid(age, update_anchor_, settings_.update_interval));
}

void FairScheduler::offer_nodes(const SchedulerInput& input, Decisions& decisions) {
  FairAssignment assignment(
      {settings_, tree_.root(), applications_, order_, reservations_, free_, preemption_},
      input.cluster, nodes_, now_, decisions, placed_);
  for (const SchedulerEvent& event : input.events) {
    const auto* updated = std::get_if<NodeUpdated>(&event);
    if (updated != nullptr) assignment.offer(updated->node);
  }
  if (next_round_ <= now_) offer_round(input.cluster, assignment);
  if (!placed_.empty()) preemption_.something_changed();
  const bool may_assign_more = settings_.continuous_scheduling && tree_.root().has_offers() &&
                               (is_round_worthwhile_ || counts_offers(settings_));
  next_round_ = may_assign_more ? on_grid(now_ + Duration(1), TraceTime{},
                                          settings_.continuous_scheduling_sleep)
                                : never;
}

// FairScheduler.continuousSchedulingAttempt: the emptiest node, by memory, first.
void FairScheduler::offer_round(const ClusterModel& cluster, FairAssignment& assignment) {
  round_.clear();
  free_.visit_with_room(settings_.minimum_allocation, [&](NodeId node) {
    round_.push_back(node);
    return false;
  });
  std::stable_sort(round_.begin(), round_.end(), [&](NodeId a, NodeId b) {
    return cluster.node(a).free.memory_mib() > cluster.node(b).free.memory_mib();
  });
  is_round_worthwhile_ = false;
  for (const NodeId node : round_) {
    if (assignment.offer(node)) is_round_worthwhile_ = true;
  }
}

void FairScheduler::wake(Decisions& decisions) {
  if (preemption_.is_look_worthwhile() && look_at_ == never) {
    look_at_ = on_grid(now_ + Duration(1), update_anchor_, settings_.update_interval);
  }
  const TraceTime at =
      std::min({update_due(), next_queue_check_, next_round_, look_due(), preemption_.next_kill()});
  if (at >= wake_at_ || at <= now_) return;
  decisions.wake_at(at);
  wake_at_ = at;
}

}  // namespace tracebed
