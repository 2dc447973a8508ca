#include "kernels/range_partitioner.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/check.h"

namespace tracebed::kernels {
namespace {

bool is_less(const Buffer& left, const Buffer& right) {
  return compare_bytes(left, right) < 0;
}

}  // namespace

void RangePartitioner::add(Buffer split_point) {
  prefixes_.push_back(key_prefix(split_point));
  split_points_.push_back(std::move(split_point));
}

RangePartitioner RangePartitioner::from_sample(std::vector<Buffer> keys, std::uint32_t partitions) {
  TRACEBED_CHECK(partitions >= 1 && partitions <= split_points_max + 1, "partitions are bounded");
  std::erase_if(keys, [](const Buffer& key) { return key.size() > key_bytes_max; });
  std::sort(keys.begin(), keys.end(), is_less);
  RangePartitioner ranges;
  for (std::uint64_t i = 1; i < partitions && !keys.empty(); ++i) {
    const Buffer& key = keys[i * keys.size() / partitions];
    if (ranges.split_points_.empty() || is_less(ranges.split_points_.back(), key)) ranges.add(key);
  }
  return ranges;
}

std::uint32_t RangePartitioner::partition(Bytes key) const {
  const auto [first, last] = std::equal_range(prefixes_.begin(), prefixes_.end(), key_prefix(key));
  auto index = static_cast<std::size_t>(first - prefixes_.begin());
  const auto end = static_cast<std::size_t>(last - prefixes_.begin());
  while (index < end && compare_bytes(split_points_[index], key) <= 0) ++index;
  return static_cast<std::uint32_t>(index);
}

// For each split point its length in two bytes, and its bytes.
Buffer RangePartitioner::encode() const {
  Buffer encoded;
  for (const Buffer& key : split_points_) {
    append_number(encoded, static_cast<std::uint16_t>(key.size()));
    append(encoded, key);
  }
  return encoded;
}

Result<RangePartitioner> RangePartitioner::parse(Bytes encoded) {
  RangePartitioner ranges;
  const auto error = [&](const std::string& what) {
    return Error{"split points: " + what + " in split point " +
                 std::to_string(ranges.split_points_.size())};
  };
  while (!encoded.empty()) {
    if (ranges.split_points_.size() == split_points_max) return error("more than are allowed, ");
    if (encoded.size() < sizeof(std::uint16_t)) return error("the bytes end");
    const std::size_t length = load<std::uint16_t>(encoded.data());
    encoded = encoded.subspan(sizeof(std::uint16_t));
    if (length > key_bytes_max) return error("a length of " + std::to_string(length));
    if (length > encoded.size()) return error("the bytes end");
    const Bytes key = encoded.first(length);
    encoded = encoded.subspan(length);
    if (!ranges.split_points_.empty() && compare_bytes(ranges.split_points_.back(), key) >= 0) {
      return error("a key that is not above the one before");
    }
    ranges.add(Buffer(key.begin(), key.end()));
  }
  return ranges;
}

}  // namespace tracebed::kernels
