// Sorted output, as valsort (http://www.ordinal.com/gensort.html) and
// org.apache.hadoop.examples.terasort.TeraValidate check it: records are in order within and
// between parts, as many as those of the input, and with the same checksum.
#pragma once

#include "kernels/check_records.h"
#include "kernels/dataset.h"
#include "kernels/record_sum.h"

namespace tracebed::kernels {

// Of all records of a file, in its order.
RecordSum record_sum(const Dataset& input, RecordFormat format);

class SortCheck final : public RecordCheck {
 public:
  // Records of output and input are compared as a whole, so that those of one key are in order,
  // too.
  SortCheck(const Dataset& input, RecordFormat format);

  Status finish() override;

 private:
  Status check(const InputRecord& record) override;

  RecordSum expected_;
  RecordSum found_;
  Buffer last_;
};

}  // namespace tracebed::kernels
