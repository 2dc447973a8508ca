#include "coordinator/virtual/machine_links.h"

#include <cmath>

#include "coordinator/virtual/rack_numbers.h"

namespace tracebed {

MachineLinks::MachineLinks(const std::vector<Machine>& machines, const DatanodeOptions& rates) {
  for (const std::uint32_t rack : rack_numbers(machines)) {
    if (rack == racks_.size()) {
      racks_.push_back({flows_.add_link(rates.rack_rate), flows_.add_link(rates.rack_rate)});
    }
    nodes_.push_back({flows_.add_link(rates.disk_rate), flows_.add_link(rates.network_rate),
                      flows_.add_link(rates.network_rate), rack});
    flows_.watch(nodes_.back().disk);
  }
}

std::int32_t MachineLinks::io_pressure(NodeId node, TraceTime now) {
  return static_cast<std::int32_t>(
      std::lround(flows_.saturation(nodes_[node.index()].disk, now) * 1'000));
}

void MachineLinks::add_network(Path& path, NodeId from, NodeId to) const {
  if (from == to) return;
  const Node& source = nodes_[from.index()];
  const Node& target = nodes_[to.index()];
  path.push_back(source.outbound);
  if (source.rack != target.rack) {
    path.push_back(racks_[source.rack].up);
    path.push_back(racks_[target.rack].down);
  }
  path.push_back(target.inbound);
}

MachineLinks::Path MachineLinks::read_path(NodeId server, NodeId reader) const {
  Path path{nodes_[server.index()].disk};
  add_network(path, server, reader);
  return path;
}

MachineLinks::Path MachineLinks::memory_path(NodeId server, NodeId reader) const {
  Path path;
  add_network(path, server, reader);
  return path;
}

MachineLinks::Path MachineLinks::write_path(NodeId writer, NodeId target) const {
  Path path;
  add_network(path, writer, target);
  path.push_back(nodes_[target.index()].disk);
  return path;
}

MachineLinks::Path MachineLinks::copy_path(NodeId source, NodeId target) const {
  Path path = read_path(source, target);
  path.push_back(nodes_[target.index()].disk);
  return path;
}

}  // namespace tracebed
