// The rates of a datanode's disk and of its network in each direction.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "agents/datanode/shared_rate.h"
#include "core/check.h"
#include "core/transfer_weight.h"
#include "system/shared_links.h"

namespace tracebed {

struct DatanodeRates {
  // On a machine with the others of its run, the processes of all machines share `links`, which
  // outlive this; otherwise they are null. Limits are not those of links.
  DatanodeRates(const RateLimits& disk_limits, const RateLimits& network_limits,
                std::chrono::nanoseconds seek_latency, SharedLinks* shared_links,
                std::string own_address)
      : disk(disk_limits, seek_latency),
        outbound(network_limits),
        inbound(network_limits),
        links(shared_links),
        address(std::move(own_address)) {}

  // Of shared links only one process of a machine sets them.
  void set_disk(std::optional<std::uint64_t> bytes_per_second, std::chrono::nanoseconds seek) {
    disk.set_rate(bytes_per_second);
    disk.set_seek_latency(seek);
    if (links != nullptr) links->set_disk_rate(address, bytes_per_second, seek);
  }
  void set_network(std::optional<std::uint64_t> bytes_per_second) {
    outbound.set_rate(bytes_per_second);
    inbound.set_rate(bytes_per_second);
    if (links != nullptr) links->set_interface_rate(address, bytes_per_second);
  }
  void stop() {
    disk.stop();
    outbound.stop();
    inbound.stop();
    if (links != nullptr) links->stop();
  }

  // With shared links these are used instead of the three.
  SharedRate disk;
  // Full duplex, as links are. What stays on the machine does not pass them.
  SharedRate outbound;
  SharedRate inbound;
  SharedLinks* const links;
  const std::string address;
};

enum class Traffic : std::uint8_t {
  none,
  sending,     // to a client
  receiving,   // from a client, or from the datanode before this one
  passing_on,  // to another datanode
};

// Where what is transferred comes from, or is kept.
enum class Medium : std::uint8_t { disk, memory };

struct TransferManner {
  Medium medium = Medium::disk;  // what is in memory passes no disk
  std::uint32_t weight = 0;      // core/transfer_weight.h; 0: none is stated
};

// What a transfer takes of the rates at a time where processes share them: requests are granted in
// their order, one of each transfer at a time, so that all get what their requests have. The least
// is a 64th of the greatest, and so the least weight: smaller ones would cost more than they move.
inline constexpr std::uint64_t shared_request_bytes = 64 * 1024;
constexpr std::uint64_t shared_request_of(std::uint32_t weight) {
  const std::uint64_t bytes = shared_request_bytes * stated_or_whole(weight) / transfer_weight_max;
  return std::max(bytes, shared_request_bytes / 64);
}

// False if the process ends.
[[nodiscard]] inline bool acquire_in_parts(SharedLinks& links, const SharedLinks::Path& path,
                                           std::uint64_t bytes, SharedLinks::Access access,
                                           std::uint64_t at_a_time) {
  for (std::uint64_t left = bytes; left > 0;) {
    const std::uint64_t part = std::min(left, at_a_time);
    if (!links.acquire(path, part, std::exchange(access, SharedLinks::Access::sequential))) {
      return false;
    }
    left -= part;
  }
  return true;
}

// A transfer's part of the network.
class NetworkRate {
 public:
  // None if there are too many transfers.
  static std::optional<NetworkRate> open(DatanodeRates& rates, Traffic traffic,
                                         std::string_view peer, std::uint32_t weight = 0) {
    NetworkRate network;
    if (traffic == Traffic::none || peer == rates.address) return network;
    // What a datanode receives passes all links of its way there.
    if (rates.links != nullptr) {
      TRACEBED_CHECK(traffic == Traffic::passing_on, "other transfers pass links with their disk");
      return network;
    }
    SharedRate& rate = traffic == Traffic::receiving ? rates.inbound : rates.outbound;
    auto stream = rate.open(stated_or_whole(weight));
    if (!stream) return std::nullopt;
    network.stream_.emplace(std::move(*stream));
    return network;
  }

  // Waits; false if the datanode ends.
  [[nodiscard]] bool acquire(std::uint64_t bytes) { return !stream_ || stream_->acquire(bytes); }
  // Whether it never waits, as things are.
  bool passes_freely() const { return !stream_ || stream_->passes_freely(); }

 private:
  NetworkRate() = default;

  std::optional<SharedRate::Stream> stream_;
};

// A transfer's part of the rates that it needs: of the disk, and of the network.
class TransferRate {
 public:
  // None if there are too many transfers.
  static std::optional<TransferRate> open(DatanodeRates& rates, Traffic traffic,
                                          std::string_view peer, TransferManner manner = {}) {
    const bool has_disk = manner.medium == Medium::disk;
    TransferRate transfer;
    if (rates.links != nullptr) {
      transfer.links_ = rates.links;
      transfer.path_ = path(rates, traffic, peer, has_disk);
      transfer.at_a_time_ = shared_request_of(manner.weight);
      return transfer;
    }
    if (has_disk) {
      std::optional<SharedRate::Stream> disk = rates.disk.open(stated_or_whole(manner.weight));
      if (!disk) return std::nullopt;
      transfer.disk_.emplace(std::move(*disk));
    }
    std::optional<NetworkRate> network = NetworkRate::open(rates, traffic, peer, manner.weight);
    if (!network) return std::nullopt;
    transfer.network_.emplace(std::move(*network));
    return transfer;
  }

  // Waits; false if the datanode ends. The first access is a seek.
  [[nodiscard]] bool acquire(std::uint64_t bytes) {
    const bool is_first = std::exchange(is_first_, false);
    if (links_ != nullptr) {
      using Access = SharedLinks::Access;
      return acquire_in_parts(*links_, path_, bytes, is_first ? Access::seek : Access::sequential,
                              at_a_time_);
    }
    using Access = SharedRate::Access;
    const Access access = is_first ? Access::seek : Access::sequential;
    return (!disk_ || disk_->acquire(bytes, access)) && network_->acquire(bytes);
  }
  // Whether it does not wait, as things are, but for a seek.
  bool passes_freely() const {
    return links_ == nullptr && (!disk_ || disk_->passes_freely()) && network_->passes_freely();
  }

 private:
  TransferRate() = default;

  static SharedLinks::Path path(const DatanodeRates& rates, Traffic traffic, std::string_view peer,
                                bool has_disk) {
    const std::string& own = rates.address;
    switch (traffic) {
      case Traffic::sending:
        return rates.links->path(own, peer, {.begin = has_disk});
      case Traffic::receiving:
        return rates.links->path(peer, own, {.end = has_disk});
      case Traffic::none:
      case Traffic::passing_on:  // what it receives passes all links of its way there
        break;
    }
    return rates.links->path(own, own, {.begin = has_disk});
  }

  std::optional<SharedRate::Stream> disk_;
  std::optional<NetworkRate> network_;
  SharedLinks* links_ = nullptr;
  SharedLinks::Path path_;
  std::uint64_t at_a_time_ = shared_request_bytes;
  bool is_first_ = true;
};

}  // namespace tracebed
