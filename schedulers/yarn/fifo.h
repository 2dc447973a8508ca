// YARN's FifoScheduler (org.apache.hadoop.yarn.server.resourcemanager.scheduler.fifo): applications
// in order of submission, on each heartbeat as many containers as the node holds.
//
// On a node's heartbeat (NodeUpdated), unless less than the minimum allocation is free there:
// applications in id order; of each, its asks by priority; of each ask node-local units, then
// rack-local, then off-switch, without any delay, as many as are pending and fit; the rest of an
// application is skipped after its first ask that got nothing; the heartbeat is done when less than
// the minimum allocation is left. As every kind of place is tried at once, places matter only to
// asks that do not relax their locality.
//
// Deviations, each on purpose:
// - [fifo-calculator] FifoScheduler always compares memory (DefaultResourceCalculator). With
//   `resource_calculator = "dominant"` all dimensions count instead, for fit and for what is "less
//   than the minimum allocation".
// - [fifo-further-resources] With memory alone, YARN has no room for other resources than memory
//   and vcores. Here such a resource limits what is placed on a node, as memory does.
// - [fifo-one-size] A request for nodes, racks and anywhere has one size. In YARN each of the three
//   may have its own, which no master of Hadoop's makes use of.
// - [fifo-gangs] YARN has no gangs. A gang is tried when its turn comes on a heartbeat of a node
//   that has room for one of its units, over all nodes in id order, and placed whole or not at all.
//   FIFO keeps nothing free for it, so later applications may overtake it until they leave enough
//   room.
// - [fifo-gang-sizes] Gangs are given what they ask for; other asks are rounded up
//   (container_sizes.h).
#pragma once

#include <vector>

#include "core/names.h"
#include "core/scheduler.h"
#include "schedulers/parts/allowed_places.h"
#include "schedulers/parts/free_table.h"
#include "schedulers/parts/waiting_line.h"
#include "schedulers/yarn/configuration/queue_acl.h"
#include "schedulers/yarn/configuration/user_groups.h"
#include "schedulers/yarn/container_sizes.h"
#include "schedulers/yarn/resource_calculator.h"

namespace tracebed {

struct FifoSettings {
  ResourceCalculator calculator{ResourceCalculator::Kind::memory};
  Resources minimum_allocation{1000, 1024};
  Resources maximum_allocation;  // zero in a dimension: no limit but the nodes' size
  QueueAcl submitters{"*"};      // of the one queue, whatever queue an application names
  UserGroups groups;
  const Names* names = nullptr;  // of users; outlives the scheduler. Null: everybody may submit
};

class FifoScheduler final : public Scheduler {
 public:
  explicit FifoScheduler(const FifoSettings& settings);

  void decide(const SchedulerInput& input, Decisions& decisions) override;
  // None if no units are pending. Otherwise those of nodes that have room for the least pending
  // demand in each dimension and, in memory, for the minimum allocation.
  LimitedDimensions limited_dimensions() const override {
    return settings_.calculator.limited_dimensions();
  }
  HeartbeatInterest heartbeat_interest() const override;
  Result<Resources> container_size(ApplicationId application,
                                   const Resources& demand) const override;

 private:
  void admit(const ClusterModel& cluster, ApplicationId id, Decisions& decisions) const;
  void serve_node(const ClusterModel& cluster, NodeId node, Decisions& decisions);
  // How many units of the ask get a place: on `node`, or for a gang anywhere.
  std::uint32_t place(const ClusterModel& cluster, AskId id, std::uint32_t remaining, NodeId node,
                      Decisions& decisions);
  bool is_below_minimum(const ClusterModel& cluster, const Resources& free) const;

  FifoSettings settings_;
  ContainerSizes sizes_;
  FreeTable free_;
  WaitingLine<DemandCensus> line_;
  std::vector<GangPiece> pieces_;
  AllowedPlaces places_;
};

}  // namespace tracebed
