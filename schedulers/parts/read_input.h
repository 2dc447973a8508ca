// The input that the units of an ask read.
#pragma once

#include "core/cluster_model.h"

namespace tracebed {

// Null for reduces and masters, which read none, and where the application's input is not known.
inline const InputBlocks* read_input(const ClusterModel& cluster, const Ask& ask) {
  if (ask.kind == StageKind::reduce || ask.is_master) return nullptr;
  return cluster.input_of(ask.application);
}

}  // namespace tracebed
