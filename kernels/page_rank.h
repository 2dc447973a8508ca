// One iteration of PageRank (Page, Brin, Motwani and Winograd 1999) with damping d = 0.85. Of N
// vertices, with the rank that dangling vertices have together (D) spread over all, as in
// Langville and Meyer (2004):
//
//   rank'(v) = (1 - d) / N + d (sum over edges u → v of rank(u) / out-degree(u) + D / N)
//
// The map function emits a vertex's rank along its edges, and in units that do not divide evenly
// the first edges get one more, so that none is lost. Both terms of a new rank are rounded down,
// which loses less than two units of rank_total (2^56) for each vertex and iteration. D is a pair
// of its own in each partition, whose key is before those of all vertices.
//
// Input: adjacency lists (kernels/adjacency.h), record i that of vertex i. Output: VertexRanks.
#pragma once

#include <memory>
#include <utility>

#include "kernels/kernel.h"
#include "kernels/page_rank_state.h"

namespace tracebed::kernels {

class PageRank final : public Kernel {
 public:
  explicit PageRank(PageRankState state) : state_(std::move(state)) {}
  static Result<std::unique_ptr<Kernel>> parse(Bytes state);

  RecordFormat input_format() const override;
  std::unique_ptr<Mapper> mapper() const override;
  std::unique_ptr<Reducer> reducer() const override;
  const Combiner* combiner() const override { return &ranks_; }
  Result<Buffer> next_state(std::span<const Bytes> parts) const override;

 private:
  PageRankState state_;
  Combiner ranks_{1};
};

}  // namespace tracebed::kernels
