// What kernels that sort have in common: partitions are ranges of keys, whose split points are the
// kernel's state, so that the parts of the output, one after the other, are the input in order
// (org.apache.hadoop.mapreduce.lib.partition.TotalOrderPartitioner).
#pragma once

#include <memory>
#include <utility>

#include "kernels/kernel.h"

namespace tracebed::kernels {

class TotalOrderSort : public Kernel {
 public:
  const RangePartitioner* ranges() const final { return &ranges_; }

 protected:
  explicit TotalOrderSort(RangePartitioner ranges) : ranges_(std::move(ranges)) {}

  // State: the split points (RangePartitioner::encode).
  template <class Sorting>
  static Result<std::unique_ptr<Kernel>> parse_as(Bytes state) {
    Result<RangePartitioner> ranges = RangePartitioner::parse(state);
    if (!ranges) return ranges.error();
    return std::unique_ptr<Kernel>(std::make_unique<Sorting>(*std::move(ranges)));
  }

 private:
  RangePartitioner ranges_;
};

}  // namespace tracebed::kernels
