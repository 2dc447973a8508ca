// A distribution that is known by a sample: values drawn from it are between those that were seen.
#pragma once

#include <cstdint>
#include <vector>

namespace tracebed {

class SmoothedValues {
 public:
  // `value` is not negative. All are added before the first is asked for.
  void add(std::int64_t value) { values_.push_back(value); }
  void sort();

  // The sample's quantile function, interpolated on a logarithmic scale, at the rank of `value`
  // plus `shift`, from [-0.5, 0.5), of a rank. `value` is in the sample; where it is there several
  // times, `tie`, from [0, 1), chooses which of them is meant, so that a value that is frequent
  // stays so. Where neighbours are far apart, nothing moves by more than a tenth. Zero stays zero,
  // nothing else becomes zero, nothing is above the largest seen, and where all of the sample are
  // whole thousands or millions, so is the result.
  std::int64_t near(std::int64_t value, double tie, double shift) const;

 private:
  std::vector<std::int64_t> values_;
  std::int64_t grain_ = 1;
};

}  // namespace tracebed
