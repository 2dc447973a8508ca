// An application of the Fair Scheduler (FSAppAttempt).
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "core/cluster_model.h"
#include "core/ids.h"
#include "core/resources.h"
#include "core/time.h"
#include "schedulers/parts/demand_census.h"
#include "schedulers/yarn/fair/locality_delay.h"
#include "schedulers/yarn/fair/share_order.h"
#include "schedulers/yarn/parts/place_tally.h"

namespace tracebed {

struct LiveQueue;
struct LiveApplication;

struct LiveAsk {
  AskId id;
  std::int32_t priority = 0;
  Resources demand;
  std::uint32_t remaining = 0;  // pending in the model less what this call has proposed
  bool is_gang = false;
  bool is_reservable = false;  // its demand is large enough to reserve nodes
  bool is_counted = false;     // by its leaf and in all: it is offered nodes
  DemandCensus::Kind kind{};
  DemandCensus::Kind kind_of_all{};
  bool was_placed = false;  // in this call
  PlacesLeft places;
  LocalityDelay delay;
};

// A member of an ordered set, under the key that it has there.
template <class Member>
struct Standing {
  ShareKey key;
  Member* member = nullptr;
  bool operator<(const Standing& other) const { return key < other.key; }
};
template <class Member>
using StandingOrder = std::set<Standing<Member>>;

struct LiveApplication {
  ApplicationId id;
  UserId user;
  TraceTime start{};
  LiveQueue* leaf = nullptr;
  bool is_runnable = false;  // otherwise it waits for the limits of running applications
  bool has_master = false;   // false: unmanaged, ignored for maxAMShare
  bool is_master_running = false;
  AskId master_ask;            // that of the running master
  Resources master_resources;  // of the running master

  std::vector<LiveAsk> asks;  // ascending by (priority, id)
  Resources usage;            // proposals included
  Resources wanted;           // usage and what is pending
  Resources demand;           // `wanted` as it was at the last update
  Resources share;            // instantaneous, as of the last update
  float weight = 1;

  bool is_touched = false;      // something about it changed in this call
  bool is_out_of_date = false;  // `demand` is, and it is in the list of those
  // Its place in its leaf's order, while it is offered nodes.
  bool is_offered = false;
  StandingOrder<LiveApplication>::iterator standing{};
  bool waits_for_master = false;  // it is among those that do, and its next ask is counted
  DemandCensus::Kind master_kind{};
  // Its use is below its share, and one of its asks is large enough; as its leaf has counted it.
  bool may_reserve = false;

  std::vector<NodeId> reserved;  // nodes, ascending

  // ---- of preemption ----
  TraceTime last_at_share{};          // when a look last found it at its share, or it came
  TraceTime next_starvation_check{};  // it is skipped before
  Resources lacks_of_share;           // as of the last look that reached it
  Resources lacks_of_minimum;         // likewise, of its leaf's minimum
  // The target of its use when it was last helped; zero in dimensions that it did not lack.
  Resources aim;
  Resources to_be_taken;  // its containers marked for preemption
};

}  // namespace tracebed
