// Sorts lines as strings of bytes (org.apache.hadoop.examples.Sort, for text); equal ones are kept.
#pragma once

#include "kernels/total_order_sort.h"

namespace tracebed::kernels {

class Sort final : public TotalOrderSort {
 public:
  explicit Sort(RangePartitioner ranges) : TotalOrderSort(std::move(ranges)) {}
  static Result<std::unique_ptr<Kernel>> parse(Bytes state) { return parse_as<Sort>(state); }
  // Split points from a sample of the input: the lines of a range, without what may be a part of a
  // line at either end.
  static RangePartitioner sample(Bytes text, std::uint32_t partitions);

  RecordFormat input_format() const override { return line_format; }
  std::unique_ptr<Mapper> mapper() const override;
  std::unique_ptr<Reducer> reducer() const override;
};

}  // namespace tracebed::kernels
