// Ranks of an iteration of PageRank. The first check computes them from the dataset's edges in
// floating point, which is for small data: what the kernel's integers may differ from it is a unit
// for each edge and rounding. The second has only invariants, for data of any size.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/check_records.h"
#include "kernels/dataset_graph.h"
#include "kernels/page_rank_state.h"

namespace tracebed::kernels {

// The ranks after that many iterations from uniform ones, in the kernel's integers.
PageRankState ranks_after(const GraphDataset& input, std::int64_t iterations);

class PageRankCheck final : public RecordCheck {
 public:
  // `before` is the state that the iteration began with.
  PageRankCheck(const GraphDataset& input, const PageRankState& before);

  Status finish() override;

 private:
  struct Vertex {
    double rank = 0;  // in units of rank_total
    std::uint64_t edges = 0;
    bool is_found = false;
  };

  Status check(const InputRecord& record) override;

  std::vector<Vertex> vertices_;
};

// Each vertex is in the output once, and of the sum of ranks no more is lost than rounding takes.
class PageRankInvariants final : public RecordCheck {
 public:
  explicit PageRankInvariants(const PageRankState& before);

  Status finish() override;

 private:
  Status check(const InputRecord& record) override;

  std::vector<bool> is_found_;
  std::uint64_t found_ = 0;
  std::uint64_t sum_ = 0;
  std::uint64_t sum_max_;
};

}  // namespace tracebed::kernels
