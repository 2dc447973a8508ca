#include "schedulers/multi_resource/least_share_first.h"

#include "core/visit.h"
#include "schedulers/multi_resource/dominant_share.h"
#include "schedulers/parts/accept_all.h"
#include "schedulers/parts/measured_load.h"

namespace tracebed {
namespace {

// More than there are tasks on any node.
constexpr SlotRule enough_slots{.stated = {.map = 1 << 24, .reduce = 1 << 24}};

}  // namespace

LeastShareFirst::LeastShareFirst(const ServingRules& rules)
    : rules_(rules), jobs_(enough_slots, {}), delayed_(rules.delays) {}

void LeastShareFirst::decide(const SchedulerInput& input, Decisions& decisions) {
  now_ = input.now;
  delayed_.begin(now_);
  follow(input);
  accept_all(input, decisions);
  counted_ = decisions.list().size();
  SlotOffer offer(input.cluster, jobs_, free_, decisions);
  for (const SchedulerEvent& event : input.events) {
    const auto* updated = std::get_if<NodeUpdated>(&event);
    if (updated == nullptr || !free_.is_alive(updated->node)) continue;
    serve_node(input.cluster, updated->node, offer, decisions);
  }
  delayed_.wake(decisions);
}

// ---- what happened ----

void LeastShareFirst::follow(const SchedulerInput& input) {
  const ClusterModel& cluster = input.cluster;
  see(input);
  for (const NodeId node : free_.follow(input)) node_changed(node);
  const SlotJobs::Changes& changes = jobs_.follow(input);
  for (const SlotJob& removed : changes.removed) {
    delayed_.remove(removed.id);
    job_removed(removed.id);
  }
  for (const ApplicationId id : changes.added) {
    job_added(*jobs_.find(id));
    changed_.insert(id);
  }
  for (const SchedulerEvent& event : input.events) {
    visit_all(
        event,
        [&](const OneOf<ContainerFinished, ContainerRecovered, AskRemoved> auto& of) {
          changed_.insert(of.application);
        },
        [&](const AskChanged& changed) {
          const Ask* ask = cluster.asks.find(changed.ask);
          if (ask != nullptr) changed_.insert(ask->application);
        },
        Ignore<NodeAdded, NodeRemoved, NodeUpdated, ApplicationAdded, ApplicationRemoved,
               PreemptionSettled, PreemptionDue, Tick, DecisionMade, Refused>{});
  }
  // Those with proposals in the last call are among them, whatever became of these.
  for (const ApplicationId id : changed_) update(cluster, id);
  const bool has_changed = !changed_.empty() || !changes.removed.empty();
  changed_.clear();
  count_all(cluster, has_changed);
}

void LeastShareFirst::update(const ClusterModel& cluster, ApplicationId id) {
  const SlotJob* job = jobs_.find(id);
  const Application* application = cluster.applications.find(id);
  if (job == nullptr || application == nullptr) return;
  if (job->pending.map == 0) delayed_.stop(id);
  job_changed(*job, application->used);
}

void LeastShareFirst::count_proposals(const ClusterModel& cluster, const Decisions& decisions) {
  const auto count = [&](AskId id, std::int64_t units) {
    const Ask& ask = cluster.asks[id];
    const Resources* before = used_by(ask.application);
    const SlotJob* job = jobs_.find(ask.application);
    if (before == nullptr || job == nullptr) return;
    Resources used = *before;
    used.add_times(ask.demand, units);
    job_changed(*job, used);
    changed_.insert(ask.application);
  };
  for (; counted_ < decisions.list().size(); ++counted_) {
    visit_all(
        decisions.list()[counted_],
        [&](const Allocate& allocate) {
          count(allocate.ask, 1);
          proposed(allocate.ask, allocate.node);
          node_changed(allocate.node);
        },
        [&](const AllocateGang& gang) {
          std::int64_t units = 0;
          for (const GangPiece& piece : decisions.pieces(gang)) {
            units += piece.units;
            proposed(gang.ask, piece.node);
            node_changed(piece.node);
          }
          count(gang.ask, units);
        },
        Ignore<Accept, Reject, Kill, WakeAt, EndApplication, Preempt, WithdrawPreemption>{});
  }
}

// ---- figure 3 of MFS, algorithm 1 of DRF ----

void LeastShareFirst::serve_node(const ClusterModel& cluster, NodeId node, SlotOffer& offer,
                                 const Decisions& decisions) {
  offer.place_masters(node, [](const SlotJob&) { return true; });
  count_proposals(cluster, decisions);
  // Of most nodes that beat, nothing is free that anybody could use.
  while (free_.has_room(node, jobs_.demands().minimum()) && asks_for_tasks(cluster.node(node)) &&
         give_task(node, offer)) {
    count_proposals(cluster, decisions);
    if (!rules_.gives_several) return;
  }
}

bool LeastShareFirst::asks_for_tasks(const Node& node) const {
  const Resources& free = free_.free(node.id);
  if (rules_.is_utilisation_measured) {
    constexpr std::int64_t millionths_of_thousandth = unloaded_whole / 1'000;
    return unloaded_whole - unloaded_part(node, free) <
           rules_.utilisation_max_milli * millionths_of_thousandth;
  }
  for (std::size_t d = 0; d < node.capacity.dimensions_used(); ++d) {
    if (node.capacity[d] <= 0) continue;
    const WideAmount used = node.capacity[d] - free[d];
    if (used * 1'000 >= WideAmount{node.capacity[d]} * rules_.utilisation_max_milli) {
      return false;
    }
  }
  return true;
}

bool LeastShareFirst::give_task(NodeId node, SlotOffer& offer) {
  prepare_order();
  bool is_given = false;
  visit_in_order(
      [&](ApplicationId id) { return !give_task_of(*jobs_.find(id), node, offer, is_given); });
  return is_given;
}

bool LeastShareFirst::give_task_of(SlotJob& job, NodeId node, SlotOffer& offer, bool& is_given) {
  SlotKind kind = SlotKind::map;
  if (!delayed_.has_task(offer, job, kind, node)) {
    kind = SlotKind::reduce;
    if (!offer.has_task(job, kind, node)) return false;
  }
  const bool is_close = rules_.needs_more && !has_room(job.wanting(kind)->demand, node);
  is_given = !is_close && delayed_.place(offer, job, kind, node);
  return is_given || !rules_.skips;
}

bool LeastShareFirst::has_room(const Resources& demand, NodeId node) const {
  const Resources& free = free_.free(node);
  if (!free_.has_room(node, demand)) return false;
  if (!rules_.needs_more) return true;
  for (std::size_t d = 0; d < demand.dimensions_used(); ++d) {
    if (demand[d] > 0 && free[d] == demand[d]) return false;
  }
  return true;
}

HeartbeatInterest LeastShareFirst::heartbeat_interest() const {
  HeartbeatInterest interest = jobs_.heartbeat_interest();
  if (rules_.is_utilisation_measured) interest = {.any = true, .minimum = {}};
  return delayed_.interest(interest, jobs_);
}

// ---- why something waits ----

std::vector<WaitingReason> LeastShareFirst::why_waiting(const ClusterModel& cluster,
                                                        ApplicationId id, AskId ask_id) const {
  const SlotJob* job = jobs_.find(id);
  if (job == nullptr || used_by(id) == nullptr) return {};
  const SlotAsk* wanted = nullptr;
  for (const SlotAsk& ask : job->asks) {
    if (ask.remaining > 0 && (!ask_id.is_valid() || ask.id == ask_id)) {
      wanted = &ask;
      break;
    }
  }
  if (wanted == nullptr) return {};
  bool has_machine = false;
  bool is_there_room = false;
  for (const Node& node : cluster.nodes) {
    has_machine |= node.alive && cluster.could_hold(node, wanted->demand);
    is_there_room |= node.alive && (wanted->is_master ? cluster.has_room(node, wanted->demand)
                                                      : asks_for_tasks(node) &&
                                                            has_room(wanted->demand, node.id));
  }
  if (!has_machine) return {{WaitingFor::larger_machines, "no node could hold one of its tasks"}};
  if (!is_there_room) return {{WaitingFor::room, "no node has room for one of its tasks"}};
  if (!wanted->is_master) {
    if (const auto reason = delayed_.why_waiting(id)) return {*reason};
  }
  ApplicationId first;
  visit_in_order([&](ApplicationId other) {
    first = other;
    return false;
  });
  if (first == id || wanted->is_master) {
    return {{WaitingFor::its_turn, "it is served at a node's next heartbeat"}};
  }
  return {{WaitingFor::its_turn, "others come first: " + shares_in_words(id)}};
}

}  // namespace tracebed
