// One iteration of k-means (Lloyd 1982), as MapReduce jobs have it (org.apache.mahout.clustering):
// the map function assigns each point to its nearest centre, the first of several, and adds up the
// points of each cluster; the reduce function computes their means. A cluster without points keeps
// its centre, of which the map that has the file's first record tells. Output: all clusters
// (KMeansCluster), so that the next iteration needs nothing else.
//
// Coordinates and sums are integers, so that no result depends on an order. Means are rounded to
// the nearest integers. Of all centres with integer coordinates these have the least inertia, so
// that inertia never grows. Sums are exact for up to 2^32 points. Besides its budget,
// a map task has 272 bytes of sums for each centre.
#pragma once

#include <memory>
#include <utility>

#include "kernels/k_means_state.h"
#include "kernels/kernel.h"

namespace tracebed::kernels {

class KMeans final : public Kernel {
 public:
  explicit KMeans(KMeansState state) : state_(std::move(state)) {}
  static Result<std::unique_ptr<Kernel>> parse(Bytes state);

  RecordFormat input_format() const override { return {point_bytes}; }
  std::unique_ptr<Mapper> mapper() const override;
  std::unique_ptr<Reducer> reducer() const override;
  const Combiner* combiner() const override { return &sums_; }
  Result<Buffer> next_state(std::span<const Bytes> parts) const override;

 private:
  KMeansState state_;
  Combiner sums_{2 + 2 * dimensions};  // points, inertia, coordinates, centre before
};

}  // namespace tracebed::kernels
