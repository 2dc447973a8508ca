// What one iteration of PageRank leaves to the next: the rank of each vertex. Ranks are integers,
// parts of `rank_total`, so that sums do not depend on an order. As bytes: eight for each vertex.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/result.h"
#include "kernels/bytes.h"

namespace tracebed::kernels {

// A probability of 1. A hundred of it is within 64 bits.
inline constexpr std::uint64_t rank_total = std::uint64_t{1} << 56;
inline constexpr std::uint64_t damping_percent = 85;
inline constexpr std::uint32_t vertices_max = std::uint32_t{1} << 28;

struct PageRankState {
  std::vector<std::uint64_t>
      ranks;  // of 1 to vertices_max vertices; their sum is at most rank_total

  std::uint32_t vertices() const { return static_cast<std::uint32_t>(ranks.size()); }
  Buffer encode() const;
  static Result<PageRankState> parse(Bytes encoded);
  // Equal ranks, but for what is left over of rank_total: the first vertices have 1 more.
  static PageRankState uniform(std::uint32_t vertices);
  bool operator==(const PageRankState&) const = default;
};

// A record of the job's output. As bytes: the numbers in this order, 12 of them.
struct VertexRank {
  static constexpr std::size_t encoded_bytes = 4 + 8;

  std::uint32_t vertex = 0;
  std::uint64_t rank = 0;

  void append_to(Buffer& output) const;
  // `encoded` has encoded_bytes bytes (the caller's check).
  static VertexRank load_from(Bytes encoded);
};

}  // namespace tracebed::kernels
