// What begins each entry of the run's digest, so that equal figures of different kinds differ.
#pragma once

#include <cstdint>

namespace tracebed {

enum class DigestMark : std::uint64_t {
  accept = 1,
  reject,
  allocate,
  kill,
  wake,
  launch,
  finish,
  end,
  launch_master,
  preempt,
  withdraw,
  force,
  checkpoint,
  relocate,
};

}  // namespace tracebed
