// Where clients reach the datanodes of a run. Nothing of it influences what the namenode decides.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ids.h"

namespace tracebed {

struct DatanodePlace {
  std::string name;     // of the machine: DatanodeInfo's host name
  std::string address;  // IPv4, of all its ports, and of tasks on its machine
  std::uint16_t transfer_port = 0;
  std::uint16_t http_port = 0;  // WebHDFS
  std::string rack;             // "/default-rack"

  bool operator==(const DatanodePlace&) const = default;
};

// By node; those that never registered have no name.
class DatanodeDirectory {
 public:
  void set(NodeId node, DatanodePlace place) {
    if (places_.size() <= node.index()) places_.resize(node.index() + 1);
    places_[node.index()] = std::move(place);
  }
  // Null if it never registered.
  const DatanodePlace* find(NodeId node) const {
    if (!node.is_valid() || node.index() >= places_.size()) return nullptr;
    const DatanodePlace& place = places_[node.index()];
    return place.name.empty() ? nullptr : &place;
  }
  // The one with this address; of several the first.
  std::optional<NodeId> at_address(std::string_view address) const {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (!places_[i].name.empty() && places_[i].address == address) return NodeId(i);
    }
    return std::nullopt;
  }
  std::size_t size() const { return places_.size(); }

 private:
  std::vector<DatanodePlace> places_;
};

}  // namespace tracebed
