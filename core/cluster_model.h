// The cluster as schedulers see it: nodes, applications with their open asks, running containers.
// Only the engine's ledger changes it (coordinator/engine/ledger.h); all others hold it const.
#pragma once

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/devices.h"
#include "core/ids.h"
#include "core/input_blocks.h"
#include "core/limited_dimensions.h"
#include "core/outcomes.h"
#include "core/paged_table.h"
#include "core/resources.h"
#include "core/time.h"
#include "core/workload.h"

namespace tracebed {

// What the last heartbeat of a node reported (NodeHeartbeat).
struct NodeReport {
  Resources used;                 // vcores and memory, as measured
  std::int32_t io_pressure = -1;  // in thousandths; -1: unknown
  Resources allocated;            // what containers had of the node then
  TraceTime at{};                 // when it came; before the first one, when the node joined

  bool operator==(const NodeReport&) const = default;
};

struct Node {
  // What every allocation touches comes first, so that it shares cache lines.
  // capacity − Σ its containers; less than nothing where the dimension is not limited and more is
  // given than it has. Whether something has room is for ClusterModel::has_room to say.
  Resources free;
  std::uint32_t containers = 0;  // allocated and not yet ended
  NodeId id;
  RackId rack;
  // It takes containers: its machine is present and it is not withheld. A node that is not alive
  // keeps its id and may come back.
  bool alive = false;
  bool is_present = false;   // its machine is in the cluster
  bool is_withheld = false;  // the administrator drained it (took it out of service)
  Resources capacity;
  std::string name;
  std::vector<std::string> labels;
  std::uint32_t speed = 1'000;  // Machine::speed
  NodeReport report;
  FreeDevices devices;  // what of them no container has, whether it is alive or not

  bool operator==(const Node&) const = default;
};

// How many of an ask's units are preferred at a place. YARN's counts: they may add up to more than
// `pending`, since a unit may name several places.
template <class PlaceId>
struct PlaceCount {
  PlaceId place;
  std::uint32_t count = 0;

  bool operator==(const PlaceCount&) const = default;
};

// A standing request for equal containers (YARN's resource request under one scheduler key).
struct Ask {
  ApplicationId application;
  std::int32_t priority = 0;  // within its application; smaller is more important
  Resources demand;           // of one unit
  std::uint32_t pending = 0;  // units still requested; at 0 the ask stays open and may grow again
  StageKind kind = StageKind::map;  // of the tasks that it is for
  bool relax_locality = true;       // false: only on the places named
  // For the container of the application's master. The application gets it first, and no other
  // until the master has registered.
  bool is_master = false;
  LabelId label;  // the nodes it is confined to; invalid: those of the queue's default
  // It avoids this node as long as another that is alive could hold a unit of it; invalid: none is
  // avoided.
  NodeId avoided;
  std::vector<PlaceCount<NodeId>> nodes;  // sorted by place
  std::vector<PlaceCount<RackId>> racks;  // sorted by place

  // All pending units are placed at once or none; units placed on one node share one container.
  bool is_gang() const { return kind == StageKind::gang; }
};

// The preferred count at `place`, 0 if it is not named.
std::uint32_t preferred_at(const std::vector<PlaceCount<NodeId>>& counts, NodeId place);
std::uint32_t preferred_at(const std::vector<PlaceCount<RackId>>& counts, RackId place);

// True if the ask takes any place, or names the node or its rack.
bool takes_place(const Ask& ask, const Node& node);
// True if a unit of the ask may be placed on the node as far as places go: it takes the place, and
// the node is not the one that it avoids.
bool may_run_on(const Ask& ask, const Node& node);

// Most applications have a handful of asks, and some runs submit hundreds of thousands of them a
// second, so the first few need no memory of their own.
using AskList = boost::container::small_vector<AskId, 4>;

struct Application {
  JobId job;
  UserId user;
  QueueId queue;              // as the trace names it
  LeafId leaf;                // set by the scheduler; invalid before, and if it has no queues
  std::int32_t priority = 0;  // larger is more important
  TraceTime submitted{};
  Duration requested_time{};   // the user's limit; zero if none
  TraceTime deadline = never;  // by when the job is to have ended; `never`: there is no goal
  // Its tasks, as a JobTracker knows them when a job is submitted (YARN's ResourceManager does
  // not).
  std::uint64_t maps = 0;  // of all stages that are not of reduces
  std::uint64_t reduces = 0;
  Resources used;  // Σ its containers
  std::uint32_t containers = 0;
  AskList asks;  // open ones, ascending by (priority, id)
  // Of one container for its master; zero if the master needs none (YARN: unmanaged).
  Resources master_demand;
};

struct Container {
  ApplicationId application;
  AskId ask;
  NodeId node;
  std::uint32_t units = 1;  // of the ask; more than one only for a gang
  TraceTime allocated{};
  Resources resources;
  bool is_launched = false;  // a process was started in it, or is being started
  bool is_master = false;    // the application's master runs in it, and no task
  bool is_being_killed = false;
  Locality locality = Locality::none_asked;  // of the task that was launched in it
};

struct ClusterModel {
  std::vector<Node> nodes;   // by id
  std::size_t racks = 0;     // ids below this one are in use
  Resources capacity;        // Σ alive nodes
  Resources free;            // likewise; as Node::free
  LimitedDimensions limits;  // of what is placed on nodes; the same during the whole run
  PagedTable<ApplicationId, Application> applications;  // accepted or waiting for acceptance
  PagedTable<AskId, Ask> asks;
  PagedTable<ContainerId, Container> containers;
  // Of applications that read files, if the scheduler reads them (Scheduler::reads_input_blocks).
  std::map<ApplicationId, InputBlocks> inputs;

  const Node& node(NodeId id) const { return nodes[id.index()]; }
  // Of containers with devices: which these are.
  std::map<ContainerId, DeviceShares> devices;

  // True if `demand` fits `times` times into what is free on the node, or into all that it has.
  bool has_room(const Node& node, const Resources& demand, std::int64_t times = 1) const {
    return limits.fits(demand, node.free, times) &&
           (limits.devices().empty() || node.devices.units(demand) >= times);
  }
  bool could_hold(const Node& node, const Resources& demand) const {
    return limits.could_hold(demand, node.capacity);
  }
  // How often it fits into what is free there; without limit if it is for nothing that is limited.
  std::int64_t units_on(const Node& node, const Resources& demand) const {
    const std::int64_t units = limits.count(demand, node.free);
    return limits.devices().empty() ? units : std::min(units, node.devices.units(demand));
  }
  // Null if the container has none.
  const DeviceShares* devices_of(ContainerId id) const {
    const auto found = devices.find(id);
    return found == devices.end() ? nullptr : &found->second;
  }
  // Null if the application reads no file, or nobody reads its blocks.
  const InputBlocks* input_of(ApplicationId id) const {
    const auto found = inputs.find(id);
    return found == inputs.end() ? nullptr : &found->second;
  }
};

}  // namespace tracebed
