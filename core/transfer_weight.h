// How much of a disk or a link a task's transfers get while all want more than it has
// (storage.transfer_weights), as the kernel does it for control groups by blkio.bfq.weight and
// io.weight: in proportion to their weights.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/task_work.h"

namespace tracebed {

// The range of blkio.bfq.weight.
inline constexpr std::uint32_t transfer_weight_max = io_weight_max;

// Of a container that has `amount` of the resource's `capacity` of its machine: that part of the
// greatest weight, and at least 1. One that has none of it weighs as much as its whole machine, as
// containers without vcores do under cpu_enforcement = "weight".
constexpr std::uint32_t transfer_weight(std::int64_t amount, std::int64_t capacity) {
  if (amount <= 0 || amount >= capacity) return transfer_weight_max;
  const double part = static_cast<double>(amount) / static_cast<double>(capacity);
  return std::max(1U, static_cast<std::uint32_t>(part * transfer_weight_max + 0.5));
}

// A transfer that states none, 0, is that of no task, or of a run in which all are equal.
constexpr std::uint32_t stated_or_whole(std::uint32_t weight) {
  return weight == 0 ? transfer_weight_max : std::min(weight, transfer_weight_max);
}

// 0: none is stated.
inline std::uint32_t stated_transfer_weight(const TaskWork& work) {
  return static_cast<std::uint32_t>(work.io_weight);
}

// Above 0, and 1 where none is stated (coordinator/virtual/flow_network.h).
inline double flow_weight(const TaskWork& work) {
  return static_cast<double>(stated_or_whole(stated_transfer_weight(work))) / transfer_weight_max;
}

}  // namespace tracebed
