// First come, first served, as batch systems for parallel jobs do it without backfilling (Feitelson
// and Rudolph, "Parallel job scheduling: issues and approaches", 1995): the head of the line is
// placed when all of its units fit at once, and nothing behind it is considered before.
//
// The line is ordered by submission (application id), within an application by the asks' priority,
// then by age. A gang is cut into pieces in node-id order; a piece is as much as its node has room
// for, so gangs span nodes and split their cores. An ask that is not a gang is served unit by unit,
// on the first node in id order that has room, and stays at the head until it needs no more; an
// application that asks again (reduces after maps) keeps its place in the line.
//
// A head that would not fit even if all nodes alive now were empty would block the line until
// machines come back. It is set aside until a node joins, then takes its place again. (The engine
// ends applications whose asks exceed all machines it has ever seen.)
//
// The application's priority field is ignored: first come, first served.
#pragma once

#include <set>
#include <vector>

#include "core/scheduler.h"
#include "schedulers/parts/alive_capacity.h"
#include "schedulers/parts/allowed_places.h"
#include "schedulers/parts/demand_room.h"
#include "schedulers/parts/free_table.h"
#include "schedulers/parts/waiting_line.h"

namespace tracebed {

class FcfsScheduler final : public Scheduler {
 public:
  void decide(const SchedulerInput& input, Decisions& decisions) override;
  // It places at the event that makes room, so heartbeats change nothing; but what was refused is
  // tried again at the next event, and there may be no other.
  HeartbeatInterest heartbeat_interest() const override {
    return {.any = free_.was_refused(), .minimum = {}};
  }

 private:
  // Processes the events, and accepts every application.
  void follow(const SchedulerInput& input, Decisions& decisions);
  void serve(const ClusterModel& cluster, Decisions& decisions);
  // How many units of the head got a place.
  std::uint32_t place(const ClusterModel& cluster, AskId id, std::uint32_t remaining,
                      Decisions& decisions);
  std::uint32_t place_gang(AskId id, const Ask& ask, std::uint32_t remaining, Decisions& decisions);
  std::uint32_t place_units(const ClusterModel& cluster, AskId id, std::uint32_t remaining,
                            Decisions& decisions);
  // Units that the nodes alive now could hold if they were empty.
  std::int64_t units_ever(const ClusterModel& cluster, const Ask& ask) const;
  // False if no event since the head began to wait can have made room for it.
  bool may_go_on(const Ask& ask, std::uint32_t remaining) const;
  void stop_waiting();

  FreeTable free_;
  AliveCapacity capacity_;
  WaitingLine<NoDemands> line_;
  std::set<LineKey> set_aside_;
  LineKey waiting_;  // the head that did not fit; invalid ids if none
  // Watches for the waiting head, once the sum of free resources proved insufficient as a test.
  DemandRoom room_;
  AllowedPlaces places_;
  std::vector<GangPiece> pieces_;
};

}  // namespace tracebed
