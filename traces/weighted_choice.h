// Drawing one of several that have weights, and draws that belong to a row instead of a stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracebed {

class WeightedChoice {
 public:
  // Weights by Zipf's law: that of index k, from 0, is (k + 1) ^ −exponent.
  static WeightedChoice zipf(std::int64_t count, double exponent);

  // `weight` is not negative.
  void add(double weight);
  std::size_t size() const { return cumulative_.size(); }
  // The index that `unit`, from [0, 1), falls on. There must be a weight above zero.
  std::size_t at(double unit) const;

 private:
  // A power of two, so that the span of a draw is exact.
  static constexpr std::size_t guide_spans = 256;

  std::size_t first_above(double amount) const;
  void make_guide();

  std::vector<double> cumulative_;
  // By span of draws: the index on which the first of it falls. Empty: none was made.
  std::vector<std::uint32_t> guide_;
};

// Uniform in [0, 1), by a hash of seed and position: a row keeps its draw whatever is read before
// it.
double unit_draw(std::uint64_t seed, std::uint64_t position);

}  // namespace tracebed
