#include "agents/datanode/transfer/replica_recovery_calls.h"

namespace tracebed {

StoreResult<std::optional<ReplicaInfo>> begin_replica_recovery(
    const TransferEnvironment& environment, std::uint64_t block_id, std::uint64_t generation_stamp,
    std::uint64_t recovery_stamp) {
  using Found = std::optional<ReplicaInfo>;
  const Found info = environment.store.find(block_id);
  if (!info || info->stage == ReplicaStage::temporary) return Found();
  if (info->generation_stamp < recovery_stamp) environment.pipelines.interrupt(block_id);
  const auto begun = environment.store.begin_recovery(block_id, generation_stamp, recovery_stamp);
  if (!begun) return begun.error();
  return Found(*begun);
}

StoreStatus end_replica_recovery(const TransferEnvironment& environment, std::uint64_t block_id,
                                 std::uint64_t recovery_stamp, std::uint64_t length) {
  StoreStatus recovered = environment.store.end_recovery(block_id, recovery_stamp, length);
  if (!recovered) return recovered;
  if (const auto info = environment.store.find(block_id)) environment.reports.changed(*info);
  return recovered;
}

}  // namespace tracebed
