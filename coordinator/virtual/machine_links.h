// The disks, network interfaces and rack uplinks of modelled machines, and what flows through them.
// Interfaces and uplinks are full duplex; what stays on a machine passes neither, what stays in a
// rack no uplink. A disk's rate is shared by reading and writing.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "coordinator/virtual/flow_network.h"
#include "core/datanode_options.h"
#include "core/ids.h"
#include "core/machines.h"

namespace tracebed {

class MachineLinks {
 public:
  using Path = std::vector<LinkId>;

  // Nodes are positions in `machines`.
  MachineLinks(const std::vector<Machine>& machines, const DatanodeOptions& rates);
  MachineLinks(const MachineLinks&) = delete;
  MachineLinks& operator=(const MachineLinks&) = delete;

  // From the disk of `server` to a process on `reader`.
  Path read_path(NodeId server, NodeId reader) const;
  // From the memory of a process on `server` to one on `reader`.
  Path memory_path(NodeId server, NodeId reader) const;
  // From a process on `writer` to the disk of `target`.
  Path write_path(NodeId writer, NodeId target) const;
  // From the one's disk to the other's.
  Path copy_path(NodeId source, NodeId target) const;

  // The recent part of the time in which something waited for the node's disk, in thousandths; as
  // FlowNetwork::saturation().
  std::int32_t io_pressure(NodeId node, TraceTime now);

  FlowNetwork& flows() { return flows_; }
  const FlowNetwork& flows() const { return flows_; }

 private:
  struct Node {
    LinkId disk;
    LinkId outbound;
    LinkId inbound;
    std::uint32_t rack = 0;
  };
  struct Rack {
    LinkId up;
    LinkId down;
  };

  void add_network(Path& path, NodeId from, NodeId to) const;

  FlowNetwork flows_;
  std::vector<Node> nodes_;
  std::vector<Rack> racks_;
};

}  // namespace tracebed
