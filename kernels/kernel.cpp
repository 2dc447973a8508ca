#include "kernels/kernel.h"

namespace tracebed::kernels {

Result<Buffer> Kernel::next_state(std::span<const Bytes>) const {
  return Error{"a kernel that does not iterate has no next state"};
}

}  // namespace tracebed::kernels
