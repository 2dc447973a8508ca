// What a datanode has sent and received, by client and distance.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace tracebed {

// From the datanode to its client.
enum class Distance : std::uint8_t { same_node, same_rack, off_rack };
inline constexpr std::size_t distances = 3;

struct TransferCounts {
  std::uint64_t transfers = 0;  // begun
  std::uint64_t errors = 0;     // that ended otherwise than the client asked for
  std::array<std::uint64_t, distances> bytes_read{};     // sent to clients
  std::array<std::uint64_t, distances> bytes_written{};  // received from clients

  TransferCounts& operator+=(const TransferCounts& other);
  bool operator==(const TransferCounts&) const = default;
};

struct ClientTransfers {
  std::string client;
  TransferCounts counts;
};

// The names come from clients, so their number is bounded: where there is no place for a new one,
// the counts of the client that was inactive for longest are added to `other`. Sums over all stay
// exact.
class TransferCounters {
 public:
  static constexpr std::size_t client_bytes_max = 128;  // longer names are cut

  explicit TransferCounters(std::size_t clients_max = 256) : clients_max_(clients_max) {}

  // Any thread may call these.
  void begun(std::string_view client);
  void failed(std::string_view client);
  void read(std::string_view client, Distance distance, std::uint64_t bytes);
  void written(std::string_view client, Distance distance, std::uint64_t bytes);

  TransferCounts total() const;
  // Of clients that have no place any more.
  TransferCounts other() const;
  // Ascending by name.
  std::vector<ClientTransfers> clients() const;

 private:
  struct Client {
    TransferCounts counts;
    std::uint64_t last_use = 0;
  };
  // With the lock held.
  TransferCounts& counts_of(std::string_view client);

  const std::size_t clients_max_;
  mutable std::mutex mutex_;  // guards what follows
  std::map<std::string, Client, std::less<>> clients_;
  TransferCounts other_;
  std::uint64_t uses_ = 0;
};

}  // namespace tracebed
