// Offers a node (FairScheduler.attemptScheduling, FSQueue.assignContainer,
// FSAppAttempt.assignContainer): from the root to the queue, and in a leaf to the application, that
// is first in order and can take something.
#pragma once

#include <map>
#include <vector>

#include "core/decisions.h"
#include "core/scheduler.h"
#include "schedulers/parts/free_table.h"
#include "schedulers/yarn/fair/fair_order.h"
#include "schedulers/yarn/fair/node_reservations.h"
#include "schedulers/yarn/fair/promised_room.h"
#include "schedulers/yarn/fair/running_limits.h"

namespace tracebed {

class FairPreemption;

// The state that the assignment uses; all outlive it.
struct FairState {
  const FairSettings& settings;
  LiveQueue& root;
  LiveApplications& applications;
  FairOrder& order;
  NodeReservations& reservations;
  FreeTable& free;
  FairPreemption& preemption;
};

// How many nodes take containers, all together and by rack.
struct NodeCounts {
  std::size_t all = 0;
  std::vector<std::size_t> in_rack;
  NodeSet counted;

  // The node joined, or left; repeating either has no effect.
  void count(const Node& node, bool is_alive);
};

class FairAssignment {
 public:
  // For one call of the scheduler.
  FairAssignment(FairState state, const ClusterModel& cluster, const NodeCounts& nodes,
                 TraceTime now, Decisions& decisions,
                 std::vector<std::pair<ApplicationId, AskId>>& placed)
      : state_(state),
        cluster_(cluster),
        nodes_(nodes),
        now_(now),
        decisions_(decisions),
        placed_(placed) {}

  // Offers what is free on the node. True if something was placed or reserved.
  bool offer(NodeId id);

  // Why an ask could not be placed on a node even if the node were empty, in the order of the
  // checks.
  enum class Obstacle : std::uint8_t {
    none,
    place_not_allowed,    // it avoids the node, or does not relax its locality to it
    node_too_small,       // even when empty
    container_too_large,  // more than its queue allows one container
    queue_full,           // with it, its queue or one above would have more than its maximum
  };
  static Obstacle obstacle(const FairSettings& settings, const ClusterModel& cluster,
                           const LiveApplication& application, const LiveAsk& ask,
                           const Node& node);

 private:
  enum class Outcome : std::uint8_t { nothing, allocated, reserved };
  using Level = LocalityDelay::Level;

  Outcome assign(LiveQueue& queue, const Node& node);
  Outcome assign_in_turn(LiveQueue& leaf, const Node& node);
  Outcome assign(LiveApplication& application, const Node& node);
  // None if the ask declines the offer, so that the application's next one is tried.
  bool try_ask(LiveApplication& application, LiveAsk& ask, const Node& node, bool is_reserved,
               Outcome& outcome);
  Outcome take(LiveApplication& application, LiveAsk& ask, const Node& node, Level level,
               bool is_reserved);
  Outcome take_gang(LiveApplication& application, LiveAsk& ask, const Node& node);
  // On the nodes where room is promised for it, once all of it is free.
  Outcome take_promised_gang(LiveApplication& application, LiveAsk& ask);
  void grant(LiveApplication& application, LiveAsk& ask, const Resources& amount,
             std::uint32_t units);
  bool serve_promises(const Node& node);
  bool serve_promise(PromiseId id, const Node& node);
  bool serve_reservation(const Node& node);
  bool is_promised(const LiveApplication& application, NodeId node) const;
  // What is free on the node and not kept for others.
  Resources room_for(const LiveApplication& application, NodeId node) const;
  bool has_room(const LiveApplication& application, NodeId node, const Resources& demand,
                std::int64_t units = 1) const;
  bool could_take_any(const Resources& free) const;
  bool could_take(const LiveQueue& leaf, const Resources& free) const;
  bool may_reserve(const LiveApplication& application, const LiveAsk& ask, const Node& node,
                   Level level) const;
  bool may_assign_more(std::int64_t containers, const Resources& assigned,
                       const Resources& most) const;
  Level allowed_level(LiveAsk& ask) const;

  FairState state_;
  const ClusterModel& cluster_;
  const NodeCounts& nodes_;
  TraceTime now_;
  Decisions& decisions_;
  std::vector<std::pair<ApplicationId, AskId>>& placed_;
  Resources last_assigned_;
  std::vector<GangPiece> pieces_;
};

// True if it counts, by number or by time, which offers asks decline to wait for places.
bool counts_offers(const FairSettings& settings);
// True if `amount` more fits below the maxima of the leaf and, if they bind, those above.
bool fits_in_maxima(const FairSettings& settings, const LiveQueue& leaf, const Resources& amount);

}  // namespace tracebed
