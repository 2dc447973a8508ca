// The slots of Hadoop 1 (mapred.TaskTrackerStatus, mapred.ClusterStatus): each node has a number of
// them for maps and for reduces, and a task takes one of its kind, whatever it demands. YARN's
// nodes have no slots, so a slot scheduler keeps its own account of them besides free resources. A
// task gets a container only where it has a slot *and* room: the engine keeps account of what is
// free on a node.
//
// With SlotRule::follows_load each heartbeat advertises as many slots as the load leaves: M. Yong,
// N. Garegrat, S. Mohan, Towards a Resource Aware Scheduler in Hadoop, 2009, "dynamic free slot
// advertisement"; availability is that of the scarcest resource, as there.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/ids.h"
#include "core/scheduler.h"

namespace tracebed {

enum class SlotKind : std::uint8_t { map, reduce };
inline constexpr std::array slot_kinds{SlotKind::map, SlotKind::reduce};

// One for maps and one for reduces.
template <class T>
struct PerKind {
  T map{};
  T reduce{};

  T& operator[](SlotKind kind) { return kind == SlotKind::map ? map : reduce; }
  const T& operator[](SlotKind kind) const { return kind == SlotKind::map ? map : reduce; }
  bool operator==(const PerKind&) const = default;
};

// How many slots a node has.
struct SlotRule {
  // Of each kind; 0: by the other members (mapred.tasktracker.map.tasks.maximum and …reduce…).
  PerKind<std::int64_t> stated;
  std::int64_t per_node = 0;  // 0: one for each whole core, at least two
  // `per_node` holds for each kind; otherwise for both together, of which max(1, round(n / 4)) are
  // for reduces.
  bool is_of_each = false;
  // A node has, of each kind, what is in use and the part of its number that its load leaves.
  bool follows_load = false;

  // Of a node without load.
  PerKind<std::int64_t> of(const Resources& capacity) const;
};

// Of `nodes` nodes with that capacity each.
PerKind<std::int64_t> slots_in_all(const SlotRule& rule, const Resources& capacity,
                                   std::int64_t nodes);

class SlotTable {
 public:
  explicit SlotTable(const SlotRule& rule) : rule_(rule) {}

  // To be called for every event, in order. True if a node's slots became more or fewer.
  bool see(const ClusterModel& cluster, const SchedulerEvent& event);

  void take(NodeId node, SlotKind kind, std::int64_t slots) { change(node, kind, slots); }
  void give_back(NodeId node, SlotKind kind, std::int64_t slots) { change(node, kind, -slots); }

  // As if nothing were taken anywhere.
  void clear();

  // Zero on a node that takes no containers. Negative if a gang took more than there are.
  std::int64_t free(NodeId node, SlotKind kind) const {
    const Entry& entry = nodes_[node.index()];
    return entry.is_alive ? entry.total[kind] - entry.used[kind] : 0;
  }
  std::int64_t total(NodeId node, SlotKind kind) const { return nodes_[node.index()].total[kind]; }
  // As many as it can be expected to have at some time: those that it has without load.
  std::int64_t unloaded_total(NodeId node, SlotKind kind) const {
    return nodes_[node.index()].unloaded[kind];
  }
  std::int64_t used(NodeId node, SlotKind kind) const { return nodes_[node.index()].used[kind]; }

  // Of the nodes that take containers.
  std::int64_t alive_nodes() const { return alive_nodes_; }
  std::int64_t total(SlotKind kind) const { return total_[kind]; }
  std::int64_t used(SlotKind kind) const { return used_[kind]; }
  bool follows_load() const { return rule_.follows_load; }

 private:
  struct Entry {
    PerKind<std::int64_t> unloaded;
    PerKind<std::int64_t> total;
    PerKind<std::int64_t> used;  // also while the node takes no containers
    bool is_alive = false;
  };
  void change(NodeId node, SlotKind kind, std::int64_t slots);
  bool set_alive(const Node& node, bool is_alive);
  bool advertise(const Node& node);

  SlotRule rule_;
  std::vector<Entry> nodes_;
  std::int64_t alive_nodes_ = 0;
  PerKind<std::int64_t> total_;
  PerKind<std::int64_t> used_;
};

}  // namespace tracebed
