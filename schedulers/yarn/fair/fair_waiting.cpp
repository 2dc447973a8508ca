// Why something waits under the Fair Scheduler.
#include <algorithm>

#include "core/quantity_text.h"
#include "schedulers/yarn/fair/explain_fair.h"
#include "schedulers/yarn/fair/fair_scheduler.h"
#include "schedulers/yarn/fair/master_share.h"

namespace tracebed {
namespace {

std::string text_of(std::int64_t milliseconds_count) {
  return std::to_string(milliseconds_count) + " ms";
}

std::int64_t whole_milliseconds(Duration duration) {
  return duration.count() / 1000;
}

// Goes through the reasons from the queue's down to the nodes'.
class FairReasons {
 public:
  FairReasons(const FairSettings& settings, const ClusterModel& cluster, const FreeTable& free,
              const NodeReservations& reservations, const LiveApplication& application,
              const LiveAsk& ask)
      : settings_(settings),
        cluster_(cluster),
        free_(free),
        reservations_(reservations),
        application_(application),
        ask_(ask),
        model_(cluster.asks[ask.id]) {}

  std::vector<WaitingReason> tell(const Resources& available) {
    explain_master_share(available);
    explain_queues();
    explain_nodes();
    explain_own_reservations();
    explain_locality();
    if (!application_.is_offered) {
      add(WaitingFor::its_turn, "the scheduler looks for new demands every " +
                                    text_of(whole_milliseconds(settings_.update_interval)) +
                                    ", and has not since");
    } else if (reasons_.empty()) {
      explain_turn();
    }
    return std::move(reasons_);
  }

 private:
  void add(WaitingFor reason, std::string text) { reasons_.push_back({reason, std::move(text)}); }
  std::string amounts(const Resources& resources) const {
    return resources_text(resources, settings_.dimensions);
  }
  std::string limits(const Resources& resources) const {
    return limit_text(limit_of(resources), settings_.dimensions);
  }

  void explain_master_share(const Resources& available) {
    if (!is_over_master_share(application_, available, cluster_.capacity)) return;
    const LiveQueue& leaf = *application_.leaf;
    add(WaitingFor::master_limit,
        "its master asks for (" + amounts(ask_.demand) + "), and the masters of queue " +
            leaf.path + " use (" + amounts(leaf.master_usage) + ") of at most (" +
            amounts(maximum_for_masters(leaf, available, cluster_.capacity)) + "), " +
            percent_text(static_cast<double>(leaf.rules.application_master_share)) +
            " of its fair share (" + amounts(leaf.share) + ")");
  }

  void explain_queues() {
    const LiveQueue& leaf = *application_.leaf;
    if (leaf.maximum_container && !ask_.demand.fits_in(*leaf.maximum_container)) {
      add(WaitingFor::queue_room, "it asks for (" + amounts(ask_.demand) + "), and queue " +
                                      leaf.path + " lets one container have (" +
                                      limits(*leaf.maximum_container) + ")");
    }
    const Resources amount = ask_.is_gang ? ask_.demand * ask_.remaining : ask_.demand;
    for (const LiveQueue* queue = &leaf; queue != nullptr; queue = queue->parent) {
      if (!(queue->usage + amount).fits_in(queue->maximum)) {
        add(WaitingFor::queue_room, "it asks for (" + amounts(amount) + "), and queue " +
                                        queue->path + " uses (" + amounts(queue->usage) +
                                        ") of at most (" + limits(queue->maximum) + ")");
      }
      if (!settings_.ancestors_bind) break;
    }
  }

  bool may_take(const Node& node) const {
    if (node.id == model_.avoided) return false;
    return model_.relax_locality || ask_.places.on_node(model_, node) > 0 ||
           ask_.places.in_rack(model_, node) > 0;
  }

  void explain_nodes() {
    std::size_t large_enough = 0;
    std::size_t with_room = 0;
    std::size_t kept_for_others = 0;
    std::size_t allowed = 0;
    for (const Node& node : cluster_.nodes) {
      if (!node.alive || !may_take(node)) continue;
      ++allowed;
      if (cluster_.could_hold(node, ask_.demand)) ++large_enough;
      if (!free_.has_room(node.id, ask_.demand)) continue;
      const NodeReservations::Reservation* reservation = reservations_.find(node.id);
      const bool is_others = reservation != nullptr && reservation->application != application_.id;
      ++(is_others ? kept_for_others : with_room);
    }
    const std::string wanted = "(" + amounts(ask_.demand) + ")";
    if (large_enough == 0) {
      add(WaitingFor::larger_machines, "it asks for " + wanted + ", which none of the " +
                                           std::to_string(allowed) +
                                           " nodes that it may take could ever hold");
    } else if (with_room == 0 && kept_for_others == 0) {
      add(WaitingFor::room, "none of the " + std::to_string(large_enough) +
                                " nodes that could hold " + wanted + " has it free");
    } else if (with_room == 0) {
      add(WaitingFor::reservation, std::to_string(kept_for_others) + " nodes have room for " +
                                       wanted + ", and are kept for other applications");
    }
  }

  void explain_own_reservations() {
    const auto kept =
        std::find_if(application_.reserved.begin(), application_.reserved.end(),
                     [&](NodeId node) { return reservations_.find(node)->ask == ask_.id; });
    if (kept == application_.reserved.end()) return;
    const Node& node = cluster_.node(*kept);
    add(WaitingFor::reservation,
        "node " + (node.name.empty() ? std::to_string(kept->value()) : node.name) +
            " is kept for it until (" + amounts(ask_.demand) + ") are free there; (" +
            amounts(free_.free(*kept)) + ") are");
  }

  void explain_locality() {
    const LocalityDelay& delay = ask_.delay;
    const bool names_places = !model_.nodes.empty() || !model_.racks.empty();
    if (!counts_offers(settings_) || !names_places) return;
    if (delay.level() == LocalityDelay::Level::off_switch) return;
    const bool is_node = delay.level() == LocalityDelay::Level::node;
    const std::string places = is_node ? "the nodes that it names" : "the racks that it names";
    if (settings_.continuous_scheduling) {
      const Duration wait = is_node ? settings_.locality_delay_node : settings_.locality_delay_rack;
      add(WaitingFor::locality,
          "it insists on " + places + " for " + text_of(whole_milliseconds(wait)));
      return;
    }
    std::size_t nodes = 0;
    for (const Node& node : cluster_.nodes) nodes += node.alive ? 1 : 0;
    const double threshold = std::min(
        is_node ? settings_.locality_threshold_node : settings_.locality_threshold_rack, 1.0);
    add(WaitingFor::locality, "it insists on " + places + " until more than " +
                                  number_text(threshold * static_cast<double>(nodes)) +
                                  " nodes were offered (" + percent_text(threshold) + " of " +
                                  std::to_string(nodes) + "); " + std::to_string(delay.offers()) +
                                  " were");
  }

  void explain_turn() {
    const LiveQueue& leaf = *application_.leaf;
    std::size_t before = 0;
    for (const auto* order : {&leaf.offered, &leaf.offered_masters}) {
      for (const Standing<LiveApplication>& standing : *order) {
        if (!(standing < *application_.standing)) break;
        ++before;
      }
    }
    add(WaitingFor::its_turn, std::to_string(before) + " applications of queue " + leaf.path +
                                  " are offered the next node before it");
    for (const LiveQueue* queue = &leaf; queue->parent != nullptr; queue = queue->parent) {
      std::size_t ahead = 0;
      for (const Standing<LiveQueue>& standing : queue->parent->offered_children) {
        if (standing.member == queue) break;
        ++ahead;
      }
      if (ahead == 0) continue;
      add(WaitingFor::its_turn, std::to_string(ahead) + " queues below " + queue->parent->path +
                                    " are offered it before " + queue->path);
    }
  }

  const FairSettings& settings_;
  const ClusterModel& cluster_;
  const FreeTable& free_;
  const NodeReservations& reservations_;
  const LiveApplication& application_;
  const LiveAsk& ask_;
  const Ask& model_;
  std::vector<WaitingReason> reasons_;
};

}  // namespace

std::vector<WaitingReason> FairScheduler::why_waiting(const ClusterModel& cluster, ApplicationId id,
                                                      AskId ask_id) const {
  const LiveApplication* application = applications_.find(id);
  if (application == nullptr) {
    if (!cluster.applications.contains(id)) return {};
    return {{WaitingFor::acceptance, "the scheduler has not answered it yet"}};
  }
  if (!application->is_runnable) {
    const RunningLimits::User& user = limits_.user(application->user);
    std::vector<WaitingReason> reasons;
    if (user.runnable >= user.maximum) {
      reasons.push_back(
          {WaitingFor::running_limit, "user " + user_name(application->user) + " runs " +
                                          std::to_string(user.runnable) + " of at most " +
                                          std::to_string(user.maximum) + " applications"});
    }
    if (const LiveQueue* full = limits_.full_queue(*application->leaf)) {
      reasons.push_back({WaitingFor::running_limit,
                         "queue " + full->path + " runs " + std::to_string(full->runnable) +
                             " of at most " + std::to_string(maximum_running(*full)) +
                             " applications"});
    }
    if (reasons.empty()) {
      reasons.push_back({WaitingFor::its_turn, "it may run when the next application ends"});
    }
    return reasons;
  }
  const auto asked =
      std::find_if(application->asks.begin(), application->asks.end(), [&](const LiveAsk& ask) {
        return ask.remaining > 0 && (!ask_id.is_valid() || ask.id == ask_id);
      });
  if (asked == application->asks.end() || !cluster.asks.contains(asked->id)) return {};
  return FairReasons(settings_, cluster, free_, reservations_, *application, *asked)
      .tell(free_.total());
}

}  // namespace tracebed
