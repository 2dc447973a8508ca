#include "kernels/page_rank_state.h"

#include <string>

#include "core/check.h"

namespace tracebed::kernels {

Buffer PageRankState::encode() const {
  const Bytes bytes = std::as_bytes(std::span(ranks));
  return {bytes.begin(), bytes.end()};
}

Result<PageRankState> PageRankState::parse(Bytes encoded) {
  constexpr std::size_t rank_bytes = sizeof(std::uint64_t);
  if (encoded.empty() || encoded.size() % rank_bytes != 0 ||
      encoded.size() / rank_bytes > vertices_max) {
    return Error{"page rank: ranks of " + std::to_string(encoded.size()) +
                 " bytes; expected 8 for each of 1 to " + std::to_string(vertices_max) +
                 " vertices"};
  }
  PageRankState state;
  state.ranks.resize(encoded.size() / rank_bytes);
  std::memcpy(state.ranks.data(), encoded.data(), encoded.size());
  std::uint64_t left = rank_total;
  for (std::size_t vertex = 0; vertex < state.ranks.size(); ++vertex) {
    if (state.ranks[vertex] > left) {
      return Error{"page rank: the ranks up to vertex " + std::to_string(vertex) +
                   " are more than 1 together"};
    }
    left -= state.ranks[vertex];
  }
  return state;
}

PageRankState PageRankState::uniform(std::uint32_t vertices) {
  TRACEBED_CHECK(vertices >= 1 && vertices <= vertices_max, "the number of vertices is bounded");
  PageRankState state;
  state.ranks.assign(vertices, rank_total / vertices);
  for (std::size_t vertex = 0; vertex < rank_total % vertices; ++vertex) ++state.ranks[vertex];
  return state;
}

void VertexRank::append_to(Buffer& output) const {
  append_number(output, vertex);
  append_number(output, rank);
}

VertexRank VertexRank::load_from(Bytes encoded) {
  return {load<std::uint32_t>(encoded.data()), load<std::uint64_t>(encoded.data() + 4)};
}

}  // namespace tracebed::kernels
