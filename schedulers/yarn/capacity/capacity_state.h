// All that the Capacity scheduler keeps between its calls: queues, users, applications, asks and
// reservations, and the elementary changes that keep them consistent:
//   used by a parent = Σ used by its children; used by a leaf = Σ used by its users
//                    = Σ over its applications of used and reserved.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/paged_table.h"
#include "core/scheduler.h"
#include "schedulers/yarn/capacity/queue_creation.h"
#include "schedulers/yarn/capacity/queue_tree.h"

namespace tracebed {

// A node reserved for an application, since the unit whose turn it is does not fit there yet.
struct Reservation {
  ApplicationId application;
  AskId ask;
  Resources resources;
  TraceTime since{};
};

class CapacityState {
 public:
  explicit CapacityState(CapacitySettings settings);

  const CapacitySettings& settings() const { return *settings_; }
  const CapacityConfiguration& configuration() const { return settings_->configuration; }
  QueueTree& tree() { return *tree_; }
  const QueueTree& tree() const { return *tree_; }
  LeafState& leaf(QueueIndex queue) { return *(*tree_)[queue].leaf; }
  const LeafState& leaf(QueueIndex queue) const { return *(*tree_)[queue].leaf; }
  const Partitions& partitions() const { return partitions_; }

  using Applications = PagedTable<ApplicationId, RunningApplication>;
  using Asks = PagedTable<AskId, OpenAsk>;
  const Applications& applications() const { return applications_; }
  RunningApplication* application(ApplicationId id) { return applications_.find(id); }
  const RunningApplication* application(ApplicationId id) const { return applications_.find(id); }
  OpenAsk* ask(AskId id) { return asks_.find(id); }
  const OpenAsk* ask(AskId id) const { return asks_.find(id); }
  const std::string& user_name(UserId user) const;
  // What the application's user may use in its leaf.
  const Resources& limit_of_user(const RunningApplication& application,
                                 PartitionIndex partition) const;
  // The same on the nodes of a shared label, for asks that do not name it.
  Resources shared_limit_of_user(const RunningApplication& application,
                                 PartitionIndex partition) const;

  // ---- the cluster ----
  void node_added(const Node& node);
  // Drops a reservation there.
  void node_removed(NodeId node);
  // Brings figures and limits up to date if nodes came or went since the last time; true if so.
  bool refresh_figures();
  // The largest container that is given: as configured, and where that is zero the largest node.
  Resources maximum_allocation() const;
  // As configured of the application's queue; zero in a dimension: no limit but the nodes' size.
  Resources maximum_allocation_of(const RunningApplication& application) const;

  // ---- created queues ----
  // Adds queues that were planned; figures are old then.
  void add_queues(PlannedQueues planned);
  // Removes created queues that have neither applications nor queues. `cluster` is as in adopt().
  void remove_queues(const std::set<std::string, std::less<>>& paths, const ClusterModel& cluster);
  // Of a created leaf; figures are old then.
  void set_capacity(QueueIndex leaf, const std::string& label, const ConfiguredCapacity& capacity);
  // Changes whenever a created queue may have become used or unused.
  std::uint64_t version_of_created() const { return version_of_created_; }

  // ---- applications ----
  // A new application of the leaf, initially held, without use or asks.
  RunningApplication& add_application(ApplicationId id, const Application& application,
                                      QueueIndex leaf);
  void set_stage(RunningApplication& application, RunningApplication::Stage stage);
  // Its containers count as ended and its reservations as given up.
  void remove_application(ApplicationId id);

  // ---- asks ----
  // The ask is new, or the model's figures for it changed; `cluster` has it.
  void follow_ask(const ClusterModel& cluster, AskId id);
  void close_ask(AskId id);
  // Units were proposed, or refused.
  void set_wanted(OpenAsk& ask, std::uint32_t wanted);

  // True if all that have pending units are bound to places that they name, none of them this node
  // or its rack.
  bool is_wanted_by_nobody(const Node& node) const {
    return roaming_ == 0 && !strict_places_.are_named(node);
  }

  // ---- containers ----
  void charge(RunningApplication& application, PartitionIndex partition, const Resources& amount,
              int containers);
  const Reservation* reservation(NodeId node) const {
    return node.index() < reservations_.size() && reservations_[node.index()]
               ? &*reservations_[node.index()]
               : nullptr;
  }
  std::size_t reservations() const { return reservation_count_; }
  // Nodes with higher ids were never reserved.
  std::size_t reservable_nodes() const { return reservations_.size(); }
  void reserve(NodeId node, OpenAsk& ask, TraceTime since);
  void unreserve(NodeId node);

  // Applies other settings, which have a leaf for each that has applications now
  // (capacity_refresh.h). `cluster` is as in Scheduler::reconfigure.
  void adopt(CapacitySettings settings, const ClusterModel& cluster);

  // The rank of an active application, or the one it would have if it had pending units.
  ApplicationRank rank_of(const RunningApplication& application) const;

 private:
  void charge_queues(const RunningApplication& application, PartitionIndex partition,
                     const Resources& amount, int containers);
  // Counts its pending units in the tree and in its leaf's line, or no longer.
  void begin_wanting(RunningApplication& application);
  void end_wanting(RunningApplication& application);
  void change_wish(RunningApplication& application, const OpenAsk& ask, std::int64_t units);
  // The line of its leaf in which an active application belongs.
  static RunningApplication::Listing listing_of(const RunningApplication& application);
  void set_listing(RunningApplication& application, RunningApplication::Listing listing);
  void update_rank(RunningApplication& application);
  ApplicationRank waiting_rank(const RunningApplication& application) const;
  void list_wish(RunningApplication& application, OpenAsk& ask, bool wants);
  void make_room_for_partitions();
  bool is_above_maximum(const RunningApplication& application, const Resources& demand) const;
  PartitionIndex partition_of(const RunningApplication& application, const Ask& ask);
  void take_places(OpenAsk& ask, const Ask& model);

  std::unique_ptr<CapacitySettings> settings_;
  Partitions partitions_;
  std::unique_ptr<QueueTree> tree_;
  Applications applications_;
  Asks asks_;
  std::vector<std::optional<Reservation>> reservations_;  // by node
  std::size_t reservation_count_ = 0;
  std::size_t roaming_ = 0;  // active applications with pending units that may be given any node
  StrictPlaces strict_places_;
  std::map<Resources, std::uint32_t, DemandOrder> node_sizes_;  // of alive nodes
  std::vector<Resources> size_of_;                              // by node; zero: not alive
  bool are_figures_old_ = true;
  std::uint64_t version_of_created_ = 0;
};

}  // namespace tracebed
