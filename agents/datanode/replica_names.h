// Names of the files of replicas, as HDFS gives them (org.apache.hadoop.hdfs.protocol.Block,
// DatanodeUtil).
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tracebed {

inline std::string data_file_name(std::uint64_t block_id) {
  return "blk_" + std::to_string(block_id);
}
inline std::string checksum_file_name(std::uint64_t block_id, std::uint64_t generation_stamp) {
  return data_file_name(block_id) + "_" + std::to_string(generation_stamp) + ".meta";
}

// The folders of two levels in which a finalized replica is.
constexpr unsigned folders_per_level = 32;
constexpr unsigned first_level_of(std::uint64_t block_id) {
  return static_cast<unsigned>(block_id >> 16) % folders_per_level;
}
constexpr unsigned second_level_of(std::uint64_t block_id) {
  return static_cast<unsigned>(block_id >> 8) % folders_per_level;
}
inline std::string level_name(unsigned number) {
  return "subdir" + std::to_string(number);
}

struct ReplicaFileName {
  std::uint64_t block_id = 0;
  std::optional<std::uint64_t> generation_stamp = {};  // of a checksum file
};
// Exactly what the functions above make; nothing of any other name.
inline std::optional<ReplicaFileName> parse_replica_file_name(std::string_view name) {
  const std::string_view digits = name.substr(std::min<std::size_t>(4, name.size()));
  ReplicaFileName parsed;
  const char* end = digits.data() + digits.size();
  const auto id = std::from_chars(digits.data(), end, parsed.block_id);
  if (id.ec != std::errc()) return std::nullopt;
  if (id.ptr == end) {
    return name == data_file_name(parsed.block_id) ? std::optional(parsed) : std::nullopt;
  }
  std::uint64_t stamp = 0;
  if (std::from_chars(id.ptr + 1, end, stamp).ec != std::errc()) return std::nullopt;
  parsed.generation_stamp = stamp;
  return name == checksum_file_name(parsed.block_id, stamp) ? std::optional(parsed) : std::nullopt;
}

}  // namespace tracebed
