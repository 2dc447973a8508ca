// Clusters of an iteration of k-means. The first check assigns every point of the dataset anew, one
// after the other, which is for small data; the second has only invariants, for data of any size.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/check_records.h"
#include "kernels/dataset_points.h"
#include "kernels/k_means_state.h"

namespace tracebed::kernels {

class KMeansCheck final : public RecordCheck {
 public:
  // `before` is the state that the iteration began with.
  KMeansCheck(const PointDataset& input, const KMeansState& before);

  Status finish() override;
  // The state that the iteration ends with.
  KMeansState after() const;

 private:
  struct Cluster {
    Point before{};
    std::uint64_t points = 0;
    std::uint64_t inertia = 0;
    std::array<std::int64_t, dimensions> sums{};
    bool is_found = false;
  };

  Status check(const InputRecord& record) override;

  std::vector<Cluster> clusters_;
};

// Each point is in one cluster, no cluster is in the output twice, and the sum of inertias is not
// above that of the iteration before.
class KMeansInvariants final : public RecordCheck {
 public:
  KMeansInvariants(std::uint64_t points, std::size_t centres,
                   std::optional<std::uint64_t> inertia_before);

  Status finish() override;
  // Of what was consumed.
  std::uint64_t inertia() const { return inertia_; }

 private:
  Status check(const InputRecord& record) override;

  std::uint64_t missing_points_;
  std::vector<bool> is_found_;
  std::optional<std::uint64_t> inertia_before_;
  std::uint64_t inertia_ = 0;
};

}  // namespace tracebed::kernels
