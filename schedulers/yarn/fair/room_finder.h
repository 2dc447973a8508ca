// Which containers a starved application should get, and where to free room for them
// (FSAppAttempt.getStarvedResourceRequests, FSPreemptionThread.identifyContainersToPreempt).
//
// What it lacks is turned into containers, ask by ask in the order of their importance: as many
// whole ones as fit in it, by memory. An ask that names nodes gets room on those, one that names
// racks beyond them in those, and only one that names no place anywhere. For a named place other
// nodes are considered only if masters would have to be killed there, and if the ask relaxes its
// locality.
//
// Deviations, each on purpose:
// - [fair-level-of-room] The original takes the first level that a hash table yields, here it is
//   the narrowest.
//
// YARN has no gangs. Room is found for all units of a gang or for none, each unit on one node, and
// only if the whole gang is within the application's share, or within what it lacks.
//
// Room is not searched for if it could not be given anyway, because of a queue's maximum or
// maxAMShare, or is promised already.
#pragma once

#include <vector>

#include "schedulers/yarn/fair/starvation.h"
#include "schedulers/yarn/fair/victim_search.h"

namespace tracebed {

struct FoundRoom {
  AskId ask;
  Resources demand;  // of one container
  bool is_gang = false;
  VictimSearch::Place place;
};

class RoomFinder {
 public:
  // All arguments outlive it.
  RoomFinder(const VictimSearch::State& state, const ClusterModel& cluster, VictimSearch& search)
      : state_(state), cluster_(cluster), search_(search) {}

  // Takes what it finds from the search.
  std::vector<FoundRoom> find(const StarvedApplication& starved);

 private:
  struct Wanted {
    const LiveApplication& application;
    Resources lacking;   // beyond what is promised or was found
    Resources promised;  // and found
    std::vector<FoundRoom> found;
  };

  void find_units(const LiveAsk& ask, std::int64_t units, Wanted& wanted);
  void find_gang(const LiveAsk& ask, Wanted& wanted);
  // At a named node, or in a named rack, or anywhere.
  void find_at(const LiveAsk& ask, NodeId node, RackId rack, std::int64_t units, Wanted& wanted);
  bool may_have(const LiveApplication& application, const Resources& amount) const;

  const VictimSearch::State& state_;
  const ClusterModel& cluster_;
  VictimSearch& search_;
};

}  // namespace tracebed
