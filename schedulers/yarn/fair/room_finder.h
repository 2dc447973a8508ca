// Which containers a starved application is to get, and where room is to be made for them
// (FSAppAttempt.getStarvedResourceRequests, FSPreemptionThread.identifyContainersToPreempt).
//
// What it lacks is turned into containers, ask by ask in the order of their importance: as many as
// fit in it whole, by memory. An ask that names nodes gets room on those, one that names racks
// beyond them in those, and only one that names no place anywhere; in the original the first level
// that a hash table yields is taken, here the narrowest. Other nodes are looked at for a named
// place only if masters would have to die there, and if the ask relaxes its locality.
//
// YARN knows no gangs. Room is found for all units of a gang or for none, each unit on one node,
// and only if the whole gang is within the application's share, or within what it lacks.
//
// Nothing is looked for that could not be given anyway, for a queue's maximum or maxAMShare, or
// that is promised already.
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
  // All outlive it.
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
