#include "kernels/dataset_graph.h"

#include <bit>

#include "core/mix.h"

namespace tracebed::kernels {
namespace {

constexpr std::uint64_t draws_per_vertex = 1 + out_degree_max;

// The upper half of the draw selects an octave, the other half a vertex in it. The last octave may
// reach beyond the source; half of such a number is in the octave before. Numbers are from 1.
std::uint32_t target_of(std::uint32_t source, std::uint64_t draw) {
  const auto octaves = static_cast<std::uint64_t>(std::bit_width(source));
  const auto octave = static_cast<std::uint32_t>(((draw >> 32) * octaves) >> 32);
  const std::uint32_t first = std::uint32_t{1} << octave;
  const std::uint32_t number = first | (static_cast<std::uint32_t>(draw) & (first - 1));
  return number > source ? number / 2 : number;
}

}  // namespace

GraphDataset::GraphDataset(std::uint64_t seed, std::uint64_t units)
    : Dataset(bytes_per_unit, units), key_(mix(seed)) {}

Adjacency GraphDataset::adjacency(std::uint64_t vertex) const {
  Adjacency adjacency;
  adjacency.vertex = static_cast<std::uint32_t>(vertex);
  const std::uint64_t first = draws_per_vertex * vertex;
  adjacency.out_degree = static_cast<std::uint32_t>(mix(key_ ^ first) % (out_degree_max + 1));
  for (std::uint32_t edge = 0; edge < adjacency.out_degree; ++edge) {
    adjacency.targets[edge] = target_of(adjacency.vertex + 1, mix(key_ ^ (first + 1 + edge))) - 1;
  }
  return adjacency;
}

void GraphDataset::fill_unit(std::uint64_t index, std::byte* to) const {
  store(to, adjacency(index));
}

}  // namespace tracebed::kernels
