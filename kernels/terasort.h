// Sorts records of 100 bytes by their keys of 10 bytes (org.apache.hadoop.examples.terasort.
// TeraSort); records with equal keys are ordered by what follows.
#pragma once

#include "kernels/dataset_terasort.h"
#include "kernels/total_order_sort.h"

namespace tracebed::kernels {

class Terasort final : public TotalOrderSort {
 public:
  explicit Terasort(RangePartitioner ranges) : TotalOrderSort(std::move(ranges)) {}
  static Result<std::unique_ptr<Kernel>> parse(Bytes state) { return parse_as<Terasort>(state); }
  // Split points from a sample of the input: whole records.
  static RangePartitioner sample(Bytes records, std::uint32_t partitions);

  RecordFormat input_format() const override { return {terasort_record_bytes}; }
  std::unique_ptr<Mapper> mapper() const override;
  std::unique_ptr<Reducer> reducer() const override;
};

}  // namespace tracebed::kernels
