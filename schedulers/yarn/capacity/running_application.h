// Applications and their asks as the Capacity scheduler counts them
// (scheduler.common.fica.FiCaSchedulerApp, scheduler.AppSchedulingInfo).
#pragma once

#include <cstdint>
#include <vector>

#include "core/cluster_model.h"
#include "schedulers/parts/demand_census.h"
#include "schedulers/yarn/capacity/leaf_users.h"
#include "schedulers/yarn/parts/place_tally.h"

namespace tracebed {

using QueueIndex = std::uint32_t;  // in CapacityConfiguration::queues

// An open ask. All asks of one priority are keys of their own, as with YARN's allocation request
// ids.
struct OpenAsk {
  AskId id;
  ApplicationId application;
  std::int32_t priority = 0;
  Resources demand;
  PartitionIndex partition = default_partition;
  std::uint32_t wanted = 0;  // pending in the model less what this call has proposed
  bool is_gang = false;
  bool is_above_maximum = false;  // larger than a container may be: never served
  // Offers of a node since the last unit that was placed well (YARN: scheduling opportunities).
  std::uint32_t missed = 0;
  std::uint32_t rereservations = 0;  // offers of a reserved node that still had no room
  // Offers of a node since the last unit on one without a label.
  std::uint32_t missed_plain = 0;
  bool is_strict = false;            // bound to the places that it names, which are:
  std::vector<NodeId> strict_nodes;  // ascending
  std::vector<RackId> strict_racks;  // ascending
  std::vector<NodeId> reserved_on;   // ascending
  // Of the current call only.
  std::uint64_t call = 0;
  const Ask* model = nullptr;
  PlacesLeft places;

  std::uint32_t served_wish() const { return is_above_maximum ? 0 : wanted; }
};

// An application's rank among those of its leaf; smaller comes first.
struct ApplicationRank {
  double first = 0;        // fifo: −priority; fair: what it uses, in MiB, perhaps over a weight
  std::int64_t start = 0;  // fair: time of submission
  ApplicationId id;
  auto operator<=>(const ApplicationRank&) const = default;
};

struct RunningApplication {
  // held: too many run in the queue or of the user (max-parallel-apps); waiting: for the limit on
  // masters (YARN: pending); active: it may be given containers.
  enum class Stage : std::uint8_t { held, waiting, active };

  ApplicationId id;
  QueueIndex leaf = 0;
  UserId user;
  LeafUser* leaf_user = nullptr;
  std::int32_t priority = 0;
  TraceTime submitted{};
  TraceTime end_of_life = never;
  Resources master;  // counts against the limits on masters
  PartitionIndex master_partition = default_partition;
  Stage stage = Stage::held;
  DemandCensus::Kind master_kind{};   // while it is waiting
  std::vector<Resources> used;        // by partition, without what is reserved
  Resources used_in_all;              // Σ used
  Resources reserved;                 // in the default partition
  std::uint32_t containers = 0;       // with reservations
  std::vector<std::uint64_t> wanted;  // units, by partition
  std::uint64_t wanted_in_all = 0;    // Σ wanted
  std::int64_t pending_memory = 0;    // MiB, Σ over asks of wanted × demand
  std::vector<OpenAsk*> asks;         // that want units, by priority, then id
  std::uint32_t roaming_asks = 0;     // of them, those that are not strict
  // The line of its leaf that it is in.
  enum class Listing : std::uint8_t { none, line, strict } listing = Listing::none;
  std::vector<AskId> all_asks;  // open ones
  ApplicationRank rank;         // in its leaf's line, as long as it is in it
};

}  // namespace tracebed
