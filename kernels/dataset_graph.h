// A directed graph: record i has the edges of vertex i (kernels/adjacency.h). Out-degrees are
// uniform; vertices without edges are dangling. Targets are drawn by Zipf's law, in steps: each
// octave [2^j, 2^(j+1)) of vertices, numbered from 1, is as likely as the others, and a vertex in
// it as likely as its neighbours, of the octaves up to the vertex itself: edges go to vertices that
// were there before, so that no record depends on how many there are. So in-degrees have a power
// law whose exponent is about 2, as those of the web (Broder et al. 2000), and low numbers are
// popular. There are loops and multiple edges.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/adjacency.h"
#include "kernels/dataset.h"

namespace tracebed::kernels {

class GraphDataset final : public Dataset {
 public:
  static constexpr std::size_t bytes_per_unit = adjacency_bytes;
  static constexpr std::uint64_t units_max = std::uint64_t{1} << 28;

  GraphDataset(std::uint64_t seed, std::uint64_t units);

  Adjacency adjacency(std::uint64_t vertex) const;

 private:
  void fill_unit(std::uint64_t index, std::byte* to) const override;

  std::uint64_t key_;
};

}  // namespace tracebed::kernels
