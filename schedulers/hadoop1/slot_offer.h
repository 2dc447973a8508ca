// Giving a node's slots to tasks: which task of a job a node takes next (mapred.JobInProgress,
// obtainNewMapTask and its kin). What failed before goes first (asks of a smaller priority number),
// then what is requested here, in this rack, anywhere; places that are not relaxed are binding, as
// is an avoided node.
#pragma once

#include <optional>
#include <vector>

#include "core/outcomes.h"
#include "schedulers/hadoop1/slot_jobs.h"
#include "schedulers/parts/free_table.h"

namespace tracebed {

class SlotOffer {
 public:
  SlotOffer(const ClusterModel& cluster, SlotJobs& jobs, FreeTable& free, Decisions& decisions)
      : cluster_(cluster), jobs_(jobs), free_(free), decisions_(decisions) {}

  // Places a task of the job on the node, no farther from its requested place than `level`, if the
  // node has slots and room. Returns the level.
  std::optional<Locality> place(SlotJob& job, SlotKind kind, NodeId node,
                                Locality level = Locality::off_switch);

  // Calls give(kind) as long as it returns true and the node has a slot free of the kind, and room
  // for the least that anybody demands: for map slots first, then for reduce slots.
  template <class Give>
  void give_slots(NodeId node, Give&& give) {
    for (const SlotKind kind : slot_kinds) {
      while (could_place(kind, node) && give(kind)) {
      }
    }
  }
  // False if no task of the kind could be placed on the node, whoever's it were.
  bool could_place(SlotKind kind, NodeId node) const {
    return jobs_.table().free(node, kind) > 0 && jobs_.pending(kind) > 0 &&
           free_.has_room(node, jobs_.demands().minimum());
  }
  bool has_room(NodeId node, const Resources& demand) const { return free_.has_room(node, demand); }

  // True if a task of the job waits that may run on the node as far as places go, no farther from
  // its requested place than `level`, whether or not there are slots and room for it.
  bool has_task(const SlotJob& job, SlotKind kind, NodeId node,
                Locality level = Locality::off_switch) const;

  // How near a unit of the ask would be to its places; none if it may not be placed there.
  std::optional<Locality> level_of(const SlotAsk& ask, NodeId node) const {
    return level_at(ask, cluster_.asks[ask.id], cluster_.node(node));
  }
  // Places a unit of this ask of the job on the node, or its whole gang from there on, if there is
  // room. It may be placed there, and some of it remains.
  bool place_ask(SlotJob& job, SlotAsk& ask, NodeId node) {
    return free_.has_room(node, ask.demand) && take(job, ask, cluster_.asks[ask.id], node);
  }

  // Gives the job the container of its master if it waits for one and fits.
  bool place_master(SlotJob& job, NodeId node);
  // The same for all jobs, in their order, for which may_run(job) is true.
  template <class MayRun>
  void place_masters(NodeId node, MayRun&& may_run) {
    const std::set<SlotJobKey>& waiting = jobs_.with_pending_masters();
    for (auto next = waiting.begin(); next != waiting.end();) {
      SlotJob& job = jobs_.all().at(*next++);
      if (may_run(job)) place_master(job, node);
    }
  }

 private:
  // None if it may not be placed there at all.
  std::optional<Locality> level_at(const SlotAsk& ask, const Ask& model, const Node& node) const;
  bool take(SlotJob& job, SlotAsk& ask, const Ask& model, NodeId node);

  const ClusterModel& cluster_;
  SlotJobs& jobs_;
  FreeTable& free_;
  Decisions& decisions_;
  std::vector<GangPiece> pieces_;
};

// True if the job names nodes or racks for pending maps.
bool has_places(const ClusterModel& cluster, const SlotJob& job);
// Nodes that it names for them, each once.
std::int64_t named_nodes(const ClusterModel& cluster, const SlotJob& job);

}  // namespace tracebed
