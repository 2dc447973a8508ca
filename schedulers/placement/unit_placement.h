// Who is next, and how its units are placed one by one, for schedulers that only state *where*.
//
// A pass is made whenever something happened that could help. It goes through the asks by
// application id, priority and age; what does not fit is skipped, so nothing blocks the line, and a
// large ask waits until smaller ones leave enough room. Of a gang, unit after unit is placed by the
// same rule; it is taken if all units found room, else nothing of it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/scheduler.h"
#include "schedulers/parts/allowed_places.h"
#include "schedulers/parts/free_table.h"
#include "schedulers/parts/waiting_line.h"

namespace tracebed {

// A unit that is to be placed.
struct PlacedAsk {
  const ClusterModel& cluster;
  AskId id;
  const Ask& ask;
};

class UnitPlacement;

// What nodes reported last, for placements that wait for reports.
class LastReports {
 public:
  // True if a node that the policy could not use before the events can be used by its new report.
  bool follow(const UnitPlacement& policy, const SchedulerInput& input);

 private:
  std::vector<NodeReport> reports_;  // by node
};

class UnitPlacement : public Scheduler {
 public:
  void decide(const SchedulerInput& input, Decisions& decisions) final;

  // ---- instead of decide(), for concurrent schedulers (schedulers/concurrent) ----

  // Processes what happened since the last call, and places nothing. The events are those of the
  // applications that it places; `others` are all further nodes that changed, as in
  // FreeTable::follow.
  void follow(const SchedulerInput& input, std::span<const NodeId> others);
  // Places units of one application, as a pass does those of all.
  void place(const ClusterModel& cluster, ApplicationId application, Decisions& decisions);
  // Nothing is placed on a closed node, from the next follow() that names it on.
  void set_closed(NodeId node, bool is_closed) { free_.set_closed(node, is_closed); }

  // It places at the event that makes room, so heartbeats change nothing; but what was refused is
  // tried again at the next event, and there may be no other.
  HeartbeatInterest heartbeat_interest() const override {
    return {.any = reads_reports() || free_.was_refused(), .minimum = {}};
  }
  // Whether where it places depends on what nodes reported of themselves (Node::report), and
  // whether a report can make room where there was none. If so, it places at heartbeats, too, of
  // nodes that are healthy by their new report and were not by the last.
  virtual bool reads_reports() const { return false; }
  virtual bool waits_for_reports() const { return false; }
  // Whether something may be placed on the node as far as its report goes. Any thread may ask.
  virtual bool is_healthy(const Node& /*node*/, const NodeReport& /*report*/,
                          TraceTime /*now*/) const {
    return true;
  }

  void keep_choices(std::size_t most) final {
    choices_left_ = most;
    keeps_failures_ = most == all_choices;
    choices_.clear();
  }
  SchedulerView view(const ClusterModel& cluster) const override;

 protected:
  // ---- what a policy states ----

  // A call begins; nodes are not counted yet.
  virtual void begin_call(const SchedulerInput& input) = 0;
  // What is free on the node changed, or whether it is alive.
  virtual void node_changed(const ClusterModel& cluster, NodeId node) = 0;
  // `wanted` units of the ask are to be placed; choose() is called for them until it returns none.
  virtual void begin_ask(const PlacedAsk& /*placed*/, std::uint32_t /*wanted*/) {}
  // The node for the next unit; none if it fits nowhere. What was placed before is counted.
  virtual NodeId choose(const PlacedAsk& placed) = 0;
  // How many units go to the chosen node before choose() is called again; from 1 to `left`.
  virtual std::uint32_t units_at_once(const PlacedAsk& /*placed*/, NodeId /*node*/,
                                      std::uint32_t /*left*/) const {
    return 1;
  }
  // Of the wanted units so many were proposed; what more was placed of a gang is taken back.
  virtual void end_ask(const PlacedAsk& /*placed*/, std::uint32_t /*units*/) {}
  // True if other asks of the same demand may find room where this one finds none.
  virtual bool is_choosy(const Ask& ask) const { return AllowedPlaces::is_choosy(ask); }

  // Whether a policy that compares nodes is to hand over what it made of them for this choice.
  bool keeps_choice_of(NodeId chosen) const {
    return choices_left_ > 0 && (keeps_failures_ || chosen.is_valid());
  }
  void keep_choice(const PlacedAsk& placed, NodeId chosen, std::vector<NodeScore> nodes);

  TraceTime now() const { return now_; }  // of the last call
  const FreeTable& free() const { return free_; }
  // On the node, including proposed ones.
  std::uint32_t containers(NodeId node) const { return containers_[node.index()]; }

 private:
  struct Outcome {
    std::uint32_t placed = 0;
    bool has_room = true;  // false: no node has room for a unit of this demand
  };
  void follow_nodes(const SchedulerInput& input, std::span<const NodeId> others);
  Outcome place_ask(const PlacedAsk& placed, std::uint32_t wanted, Decisions& decisions);
  void pass(const ClusterModel& cluster, Decisions& decisions);
  Outcome place_units(const PlacedAsk& placed, std::uint32_t wanted, Decisions& decisions);
  Outcome place_gang(const PlacedAsk& placed, std::uint32_t wanted, Decisions& decisions);
  // `containers` are those that the units add to the node.
  void take(const PlacedAsk& placed, NodeId node, std::uint32_t units, std::uint32_t containers);
  void give_back(const ClusterModel& cluster, const GangPiece& piece, const Resources& demand);

  TraceTime now_{};
  FreeTable free_;
  LastReports reports_;
  std::vector<std::uint32_t> containers_;  // by node
  WaitingLine<DemandList> line_;
  std::vector<LineKey> turns_;  // a heap: the next ask of each kind of demand
  std::vector<GangPiece> pieces_;
  std::size_t choices_left_ = 0;
  bool keeps_failures_ = false;
  std::vector<PlacementChoice> choices_;
};

}  // namespace tracebed
