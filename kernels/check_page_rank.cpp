#include "kernels/check_page_rank.h"

#include <cmath>
#include <numeric>
#include <string>

namespace tracebed::kernels {
namespace {

constexpr double damping = 0.85;

PageRankState next_ranks(const GraphDataset& input, const PageRankState& before) {
  PageRankState next;
  next.ranks.assign(before.ranks.size(), 0);
  std::uint64_t dangling = 0;
  for (std::uint64_t source = 0; source < before.ranks.size(); ++source) {
    const Adjacency adjacency = input.adjacency(source);
    std::uint64_t left = before.ranks[source];
    if (adjacency.out_degree == 0) dangling += left;
    // The edges that follow get equal parts of what is left, or a unit less.
    for (std::uint32_t edge = 0; edge < adjacency.out_degree; ++edge) {
      const std::uint64_t followers = adjacency.out_degree - edge;
      const std::uint64_t part = (left + followers - 1) / followers;
      next.ranks[adjacency.targets[edge]] += part;
      left -= part;
    }
  }
  const std::uint64_t shared = (rank_total * 15 + dangling * 85) / 100 / before.ranks.size();
  for (std::uint64_t& rank : next.ranks) rank = shared + rank * 85 / 100;
  return next;
}

}  // namespace

PageRankState ranks_after(const GraphDataset& input, std::int64_t iterations) {
  PageRankState state = PageRankState::uniform(static_cast<std::uint32_t>(input.units()));
  for (std::int64_t i = 0; i < iterations; ++i) state = next_ranks(input, state);
  return state;
}

PageRankCheck::PageRankCheck(const GraphDataset& input, const PageRankState& before)
    : RecordCheck({VertexRank::encoded_bytes}), vertices_(before.vertices()) {
  const auto count = static_cast<double>(vertices_.size());
  double dangling = 0;
  for (std::uint64_t source = 0; source < vertices_.size(); ++source) {
    const Adjacency adjacency = input.adjacency(source);
    const auto rank = static_cast<double>(before.ranks[source]);
    if (adjacency.out_degree == 0) dangling += rank;
    for (std::uint32_t edge = 0; edge < adjacency.out_degree; ++edge) {
      Vertex& target = vertices_[adjacency.targets[edge]];
      target.rank += rank / adjacency.out_degree;
      ++target.edges;
    }
  }
  for (Vertex& vertex : vertices_) {
    vertex.rank = (1 - damping) * static_cast<double>(rank_total) / count +
                  damping * (vertex.rank + dangling / count);
  }
}

Status PageRankCheck::check(const InputRecord& record) {
  constexpr double relative_error = 1e-12;
  const VertexRank found = VertexRank::load_from(record.bytes);
  const std::string name = "vertex " + std::to_string(found.vertex);
  if (found.vertex >= vertices_.size() || vertices_[found.vertex].is_found) {
    return wrong(name + " is unknown or occurs twice");
  }
  Vertex& expected = vertices_[found.vertex];
  expected.is_found = true;
  const double difference = std::abs(static_cast<double>(found.rank) - expected.rank);
  if (difference > static_cast<double>(expected.edges) + 2 + relative_error * expected.rank) {
    return wrong(name + " has rank " + std::to_string(found.rank) + " instead of " +
                 std::to_string(expected.rank));
  }
  return success();
}

Status PageRankCheck::finish() {
  for (std::size_t vertex = 0; vertex < vertices_.size(); ++vertex) {
    if (!vertices_[vertex].is_found) return Error{"no part has vertex " + std::to_string(vertex)};
  }
  return success();
}

PageRankInvariants::PageRankInvariants(const PageRankState& before)
    : RecordCheck({VertexRank::encoded_bytes}), is_found_(before.vertices()) {
  const std::uint64_t sum =
      std::accumulate(before.ranks.begin(), before.ranks.end(), std::uint64_t{0});
  sum_max_ = (rank_total * (100 - damping_percent) + sum * damping_percent) / 100;
}

Status PageRankInvariants::check(const InputRecord& record) {
  const VertexRank found = VertexRank::load_from(record.bytes);
  if (found.vertex >= is_found_.size() || is_found_[found.vertex]) {
    return wrong("vertex " + std::to_string(found.vertex) + " is unknown or occurs twice");
  }
  if (found.rank > sum_max_ - sum_) return wrong("the ranks are too much together");
  is_found_[found.vertex] = true;
  ++found_;
  sum_ += found.rank;
  return success();
}

Status PageRankInvariants::finish() {
  const std::uint64_t vertices = is_found_.size();
  if (found_ != vertices) {
    return Error{"the parts have " + std::to_string(found_) + " vertices of " +
                 std::to_string(vertices)};
  }
  const std::uint64_t rounding = 2 * vertices + 2;
  if (sum_ + rounding >= sum_max_) return success();
  return Error{"the ranks are " + std::to_string(sum_max_ - sum_) + " too little together"};
}

}  // namespace tracebed::kernels
