// How the store's replicas are recovered (FsDatasetImpl.initReplicaRecovery,
// updateReplicaUnderRecovery).
#include "agents/datanode/generated_files.h"
#include "agents/datanode/replica_store.h"
#include "agents/datanode/replica_writer.h"

namespace tracebed {

StoreResult<ReplicaInfo> ReplicaStore::begin_recovery(std::uint64_t block_id,
                                                      std::uint64_t generation_stamp,
                                                      std::uint64_t recovery_stamp) {
  Lock lock(mutex_);
  const StoreResult<Row*> found = without_writer(lock, block_id);
  if (!found) return found.error();
  Row& row = **found;
  if (row.info.stage == ReplicaStage::temporary || row.info.generation_stamp < generation_stamp) {
    return store_error(StoreFailure::no_such_replica, block_id);
  }
  if (row.info.generation_stamp >= recovery_stamp || row.recovery_stamp >= recovery_stamp) {
    return store_error(StoreFailure::under_recovery, block_id);
  }
  row.recovery_stamp = recovery_stamp;
  return row.info;
}

StoreStatus ReplicaStore::end_recovery(std::uint64_t block_id, std::uint64_t recovery_stamp,
                                       std::uint64_t length) {
  Lock lock(mutex_);
  Row* row = find_row(block_id);
  if (row == nullptr) return store_error(StoreFailure::no_such_replica, block_id);
  if (row->recovery_stamp != recovery_stamp || recovery_stamp == 0) {
    return store_error(StoreFailure::under_recovery, block_id);
  }
  return recover(std::move(lock), *row, recovery_stamp, length);
}

StoreStatus ReplicaStore::close(std::uint64_t block_id, std::uint64_t new_stamp,
                                std::uint64_t length) {
  Lock lock(mutex_);
  const StoreResult<Row*> found = without_writer(lock, block_id);
  if (!found) return found.error();
  Row& row = **found;
  if (row.recovery_stamp != 0) return store_error(StoreFailure::under_recovery, block_id);
  if (row.info.stage == ReplicaStage::temporary) {
    return store_error(StoreFailure::wrong_stage, block_id);
  }
  return recover(std::move(lock), row, new_stamp, length);
}

StoreStatus ReplicaStore::recover(Lock lock, Row& row, std::uint64_t new_stamp,
                                  std::uint64_t length) {
  const std::uint64_t block_id = row.info.block_id;
  if (row.info.generation_stamp > new_stamp) {
    return store_error(StoreFailure::no_such_replica, block_id);
  }
  if (row.info.length < length) return store_error(StoreFailure::wrong_length, block_id);
  StoreStatus status = row.info.is_generated ? recover_generated(row, new_stamp, length)
                                             : recover_written(row, new_stamp, length);
  if (!status) return status;
  set_length(row, length);
  set_reserved(row, 0);
  row.info.acknowledged = length;
  row.info.generation_stamp = new_stamp;
  row.info.stage = ReplicaStage::finalized;
  row.recovery_stamp = 0;
  if (options_.durability == Durability::none) return stored();
  lock.unlock();
  return folder_.sync_names(block_id);
}

StoreStatus ReplicaStore::recover_generated(Row& row, std::uint64_t new_stamp,
                                            std::uint64_t length) {
  const std::uint64_t id = row.info.block_id;
  std::vector<GeneratedRow> rows = {{GeneratedRow::Change::added, id, new_stamp, 0, length}};
  for (const DamagedRange& damage : row.damages) {
    rows.push_back({GeneratedRow::Change::damaged, id, new_stamp, damage.offset, damage.bytes});
  }
  return generated_.append(rows);
}

StoreStatus ReplicaStore::recover_written(Row& row, std::uint64_t new_stamp, std::uint64_t length) {
  const auto files = folder_.open(found_replica(row.info), ReplicaFolder::Access::write);
  if (!files) return files.error();
  if (length < row.info.length) {
    if (StoreStatus status = cut_files(*files, length); !status) return status;
  }
  if (options_.durability == Durability::synced) {
    if (StoreStatus status = sync_files(*files); !status) return status;
  }
  return folder_.finalize(found_replica(row.info), new_stamp);
}

}  // namespace tracebed
