// Room on nodes that is being freed for starved applications, one promise for each container that
// they will get (FSSchedulerNode.addContainersForPreemption). What a promise needs beyond what its
// victims still hold is kept for it: others are not given it, and its application is given it
// first, in the order of the promises.
//
// Deviations, each on purpose:
// - [fair-promised-room] The original keeps what the victims had, which may be more than is needed,
//   or less if some of it was free before.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/ids.h"
#include "core/resources.h"
#include "schedulers/parts/node_set.h"

namespace tracebed {

using PromiseId = std::uint64_t;  // in the order in which they were made, from 1

struct RoomPromise {
  ApplicationId application;
  AskId ask;
  NodeId node;
  Resources demand;                  // of the container
  bool is_gang = false;              // one of its gang's units; all of them are promised, or none
  std::vector<ContainerId> victims;  // not ended
  Resources requested;               // what those hold
};

class PromisedRoom {
 public:
  void grow(std::size_t nodes) { nodes_.grow(nodes); }

  PromiseId add(RoomPromise promise);
  void remove(PromiseId id);
  // Null if it was removed.
  const RoomPromise* find(PromiseId id) const;
  // One of its victims ended, or is no longer needed.
  void drop_victim(PromiseId id, ContainerId victim, const Resources& resources);

  bool empty() const { return promises_.empty(); }
  const std::map<PromiseId, RoomPromise>& all() const { return promises_; }
  // Nodes with promises; its size is that of the last grow().
  const NodeSet& nodes() const { return nodes_; }
  // The applications with promises.
  std::vector<ApplicationId> beneficiaries() const;
  // Ascending.
  const std::vector<PromiseId>& on(NodeId node) const { return of(by_node_, node); }
  const std::vector<PromiseId>& of(ApplicationId application) const {
    return of(by_application_, application);
  }

  // How much of what is free on the node, or will be, is kept for others than `application`.
  Resources kept(NodeId node, ApplicationId application = ApplicationId()) const;
  // By how much more will be free on the node when all of its promises have been kept; mostly
  // negative in some dimension.
  Resources change(NodeId node) const;

 private:
  template <class Id>
  using Lists = std::map<Id, std::vector<PromiseId>>;
  template <class Id>
  static const std::vector<PromiseId>& of(const Lists<Id>& lists, Id id) {
    static const std::vector<PromiseId> none;
    const auto found = lists.find(id);
    return found == lists.end() ? none : found->second;
  }

  std::map<PromiseId, RoomPromise> promises_;
  Lists<NodeId> by_node_;
  Lists<ApplicationId> by_application_;
  NodeSet nodes_;
  PromiseId made_ = 0;
};

}  // namespace tracebed
