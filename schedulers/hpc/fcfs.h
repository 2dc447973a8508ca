// First come, first served, as batch systems for parallel jobs do it without backfilling (Feitelson
// and Rudolph, "Parallel job scheduling: issues and approaches", 1995): the head of the line is
// placed when all of its units fit at once, and nothing behind it is looked at before.
//
// The line is ordered by submission (application id), within an application by the asks' priority,
// then by age. A gang is cut into pieces in node-id order; a piece is as much as its node has room
// for, so gangs span nodes and split their cores. An ask that is not a gang is served unit by unit,
// on the first node in id order that has room, and stands at the head until it wants no more; an
// application that asks again (reduces after maps) has kept its place in the line.
//
// A head that no empty cluster of the nodes alive now could hold would block the line for as long
// as machines are away. It is set aside until a node comes, then takes its place again. (The engine
// ends applications whose asks exceed all machines it has ever seen.)
//
// The application's priority field is not looked at: first come is first served.
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
  // Takes over what happened, and accepts every application.
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
  // False if nothing that happened since the head began to wait can have made room for it.
  bool may_go_on(const Ask& ask, std::uint32_t remaining) const;
  void stop_waiting();

  FreeTable free_;
  AliveCapacity capacity_;
  WaitingLine<NoDemands> line_;
  std::set<LineKey> set_aside_;
  LineKey waiting_;  // the head that was tried in vain; invalid ids if none
  // Watches for the waiting head, once it was seen that the sum of what is free does not tell.
  DemandRoom room_;
  AllowedPlaces places_;
  std::vector<GangPiece> pieces_;
};

}  // namespace tracebed
