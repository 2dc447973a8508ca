// What a reader has read, from whom, and what it waited for (org.apache.hadoop.hdfs.ReadStatistics,
// by distance instead of by transport).
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace tracebed::hdfs {

// From the reader to the datanode.
enum class ReadDistance : std::uint8_t { same_node, same_rack, off_rack };
inline constexpr std::size_t read_distances = 3;

struct ReadStatistics {
  std::array<std::uint64_t, read_distances> bytes_by_distance{};
  std::map<std::string, std::uint64_t> bytes_by_datanode;  // by transfer_address()
  std::chrono::nanoseconds waited{};                       // for datanodes and the namenode
  std::uint64_t replica_failures = 0;  // replicas given up for another, or for an attempt anew
  std::uint64_t corrupt_replicas = 0;  // of them, those with wrong bytes

  std::uint64_t bytes() const {
    return bytes_by_distance[0] + bytes_by_distance[1] + bytes_by_distance[2];
  }
};

}  // namespace tracebed::hdfs
