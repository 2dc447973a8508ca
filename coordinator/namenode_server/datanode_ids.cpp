#include "coordinator/namenode_server/datanode_ids.h"

#include <charconv>
#include <cstdint>
#include <fmt/format.h>

#include "core/mix.h"

namespace tracebed {
namespace {

constexpr std::size_t node_digits = 12;

std::uint64_t hash_of(std::string_view pool) {
  std::uint64_t hash = pool.size();
  for (const char c : pool) hash = mix(hash ^ static_cast<unsigned char>(c));
  return hash;
}

}  // namespace

// In the form of a UUID of version 4 (RFC 4122).
std::string datanode_uuid(std::string_view pool, NodeId node) {
  const std::uint64_t hash = hash_of(pool);
  return fmt::format("{:08x}-{:04x}-4{:03x}-8{:03x}-{:012x}", hash >> 32, (hash >> 16) & 0xffff,
                     (hash >> 4) & 0xfff, hash & 0xf, node.value());
}

std::optional<NodeId> node_of_uuid(std::string_view pool, std::string_view uuid) {
  if (uuid.size() <= node_digits) return std::nullopt;
  const std::string_view digits = uuid.substr(uuid.size() - node_digits);
  std::uint32_t number = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), number, 16);
  const NodeId node(number);
  const bool is_number = error == std::errc() && end == digits.data() + digits.size();
  if (!is_number || !node.is_valid() || uuid != datanode_uuid(pool, node)) return std::nullopt;
  return node;
}

const DatanodeIds::Names& DatanodeIds::of(const std::string& pool, NodeId node) {
  if (pool != pool_) {
    pool_ = pool;
    names_.clear();
  }
  if (names_.size() <= node.index()) names_.resize(node.index() + 1);
  Names& names = names_[node.index()];
  if (names.uuid.empty()) {
    names.uuid = datanode_uuid(pool, node);
    names.storage = "DS-" + names.uuid;
  }
  return names;
}

}  // namespace tracebed
