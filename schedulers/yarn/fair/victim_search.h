// Finds a node on which room can be freed for a container, and which containers must end for it
// (FSPreemptionThread.identifyContainersToPreempt…, FSAppAttempt.canContainerBePreempted).
//
// All victims of one container are on one node. Of a node, containers are gone through newest
// first, masters last, and taken if they may be, until what is free there (and neither reserved nor
// promised) and what they have is enough. The first node, by id, where no master has to be killed
// is taken, or else the one with the fewest.
//
// A container may be taken if its queue and all above it allow it, its application's use, less all
// that was chosen before, stays at or above its fair share by its leaf's policy, and it is not a
// master if that is forbidden. Applications helped in the same look give nothing.
//
// Deviations, each on purpose:
// - [fair-victims-newest] The original takes containers in the order of a hash table, here the
//   newest comes first.
// - [fair-needless-victims] The original takes a victim even if there is room without one, and
//   counts the same room again for the next container, while here free room is given away once.
#pragma once

#include <optional>
#include <vector>

#include "core/cluster_model.h"
#include "core/paged_table.h"
#include "schedulers/parts/free_table.h"
#include "schedulers/yarn/fair/containers_to_preempt.h"
#include "schedulers/yarn/fair/fair_order.h"
#include "schedulers/yarn/fair/node_reservations.h"
#include "schedulers/yarn/fair/promised_room.h"
#include "schedulers/yarn/fair/running_limits.h"

namespace tracebed {

class VictimSearch {
 public:
  // Its inputs; all outlive it, and do not change while it is used.
  struct State {
    const FairSettings& settings;
    const LiveApplications& applications;
    const FairOrder& order;
    const NodeReservations& reservations;
    const FreeTable& free;
    const PromisedRoom& promised;
    const ContainersToPreempt& to_preempt;
  };
  struct Victim {
    ContainerId container;
    ApplicationId application;
    Resources resources;
    std::size_t entry = 0;  // the search's own
  };
  struct Place {
    NodeId node;
    std::vector<Victim> victims;  // empty: there is room without
    std::uint32_t masters = 0;    // among them
  };

  // `helped` are those that give nothing, ascending.
  VictimSearch(State state, const ClusterModel& cluster, const std::vector<ApplicationId>& helped);

  std::optional<Place> on_node(NodeId node, const Resources& demand);
  // Not on `avoided`, if that is valid.
  std::optional<Place> in_rack(RackId rack, const Resources& demand, NodeId avoided);
  std::optional<Place> anywhere(const Resources& demand, NodeId avoided) {
    return in_rack(RackId(), demand, avoided);
  }

  // The place is taken for a container of `demand`: what it needs is not found again.
  void take(const Place& place, const Resources& demand);
  // return_to() undoes what was taken after the first `taken` places.
  std::size_t taken() const { return taken_.size(); }
  void return_to(std::size_t taken);

 private:
  // An application whose containers may be taken.
  struct Giver {
    const LiveApplication* application = nullptr;
    Resources left;  // what it would use after all choices
    bool gives = false;
    bool gives_masters = false;
  };
  struct Entry {
    ContainerId id;
    const Container* container = nullptr;
    Giver* giver = nullptr;
    bool is_taken = false;
  };
  // How far the nodes have been searched for one demand in one rack, or anywhere, except the
  // avoided one. What a node can give only decreases.
  struct Cursor {
    RackId rack;
    Resources demand;
    NodeId avoided;
    std::size_t next = 0;
    std::vector<NodeId> with_masters;  // before `next`, where masters would have to be killed
  };
  struct Taken {
    Place place;
    Resources demand;
  };

  Giver& giver_of(ApplicationId id, const std::vector<ApplicationId>& helped);
  void gather(const std::vector<ApplicationId>& helped);
  bool may_lose(const Entry& entry) const;
  std::optional<Place> look_at(NodeId node, const Resources& demand, std::uint32_t masters_below);
  void count(const Place& place, const Resources& demand, bool is_taken);
  Cursor& cursor(RackId rack, const Resources& demand, NodeId avoided);

  State state_;
  const ClusterModel& cluster_;
  std::size_t node_count_;  // of those that the scheduler was notified of
  PagedTable<ApplicationId, Giver> givers_;
  std::vector<Entry> entries_;      // by node, and on a node by id
  std::vector<std::size_t> first_;  // entry of a node; one more than there are nodes
  std::vector<Resources> room_;     // by node; may be negative
  std::vector<std::pair<const Giver*, Resources>> trial_;
  std::vector<ContainerId> victim_ids_;
  std::vector<Cursor> cursors_;
  std::vector<Taken> taken_;
};

}  // namespace tracebed
