// A vertex of a graph and the targets of its edges, as PageRank reads them: 64 bytes, the vertex,
// the number of edges, the targets, and zeros in unused places.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "kernels/bytes.h"

namespace tracebed::kernels {

inline constexpr std::size_t out_degree_max = 14;

struct Adjacency {
  std::uint32_t vertex = 0;
  std::uint32_t out_degree = 0;  // at most out_degree_max
  std::array<std::uint32_t, out_degree_max> targets{};
};
inline constexpr std::size_t adjacency_bytes = sizeof(Adjacency);
static_assert(adjacency_bytes == 64);

// `bytes` has adjacency_bytes bytes; the numbers in them are not checked.
inline Adjacency load_adjacency(Bytes bytes) {
  return load<Adjacency>(bytes.data());
}

}  // namespace tracebed::kernels
