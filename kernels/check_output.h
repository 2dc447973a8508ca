// Checks of a job's output against what its input says it has to be. A check computes that from the
// dataset's definition, in another way than the kernel does, and reads the parts of the output in
// the order of partitions, in chunks of any sizes.
#pragma once

#include "core/result.h"
#include "kernels/bytes.h"

namespace tracebed::kernels {

class OutputCheck {
 public:
  virtual ~OutputCheck() = default;
  // Fails at the first record that is wrong; then the check is of no more use.
  virtual Status consume(Bytes chunk) = 0;
  virtual Status end_part() = 0;
  // After the last part.
  virtual Status finish() = 0;
};

}  // namespace tracebed::kernels
