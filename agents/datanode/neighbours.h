// The machines of a run as a datanode knows them: by their addresses, with their racks.
#pragma once

#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

#include "agents/datanode/transfer_counters.h"

namespace tracebed {

struct Neighbour {
  std::string address;  // IPv4; of all that its tasks and datanodes connect from
  std::string rack;     // "/default-rack"
};

// Any thread may call these.
class Neighbours {
 public:
  // `address`: the datanode's own.
  explicit Neighbours(std::string address) : own_address_(std::move(address)) {}

  // Adds them, or changes their racks. Addresses are of the coordinator, so their number is bounded
  // by that of its machines.
  void set(std::span<const Neighbour> neighbours) {
    const std::lock_guard lock(mutex_);
    for (const Neighbour& neighbour : neighbours) racks_[neighbour.address] = neighbour.rack;
  }

  // From the datanode to a client. One whose address is unknown is off rack.
  Distance distance_of(std::string_view address) const {
    if (address == own_address_) return Distance::same_node;
    const std::lock_guard lock(mutex_);
    const auto own = racks_.find(own_address_);
    const auto other = racks_.find(address);
    const bool is_near =
        own != racks_.end() && other != racks_.end() && own->second == other->second;
    return is_near ? Distance::same_rack : Distance::off_rack;
  }

 private:
  const std::string own_address_;
  mutable std::mutex mutex_;                               // guards what follows
  std::map<std::string, std::string, std::less<>> racks_;  // by address
};

}  // namespace tracebed
