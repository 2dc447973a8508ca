#include "agents/datanode/replica_store.h"

#include <algorithm>

#include "agents/datanode/generated_files.h"
#include "agents/datanode/replica_writer.h"

namespace tracebed {
// ---- by order of the namenode ----

StoreStatus ReplicaStore::add(std::span<const OrderedReplica> replicas) {
  if (options_.kind == StoreKind::generated) return add_rows(replicas);
  for (const OrderedReplica& replica : replicas) {
    if (StoreStatus status = add_files(replica); !status) return status;
  }
  return stored();
}

StoreStatus ReplicaStore::add_rows(std::span<const OrderedReplica> replicas) {
  const Lock lock(mutex_);
  std::vector<GeneratedRow> rows;
  StoreStatus status = stored();
  for (const OrderedReplica& replica : replicas) {
    const auto [id, stamp, length, dataset] = replica;
    if (rows_.contains(id))
      status = store_error(StoreFailure::replica_exists, id);
    else if (!has_room(length))
      status = store_error(StoreFailure::disk_full, id);
    if (!status) break;
    Row row;
    row.info = {.block_id = id,
                .generation_stamp = stamp,
                .acknowledged = length,
                .is_generated = true,
                .dataset = dataset};
    set_length(rows_.emplace(id, row).first->second, length);
    rows.push_back({GeneratedRow::Change::added, id, stamp, 0, length});
    if (dataset.kernel != 0) rows.push_back(dataset_row(id, dataset));
  }
  if (const StoreStatus written = generated_.append(rows); !written) {
    for (const GeneratedRow& row : rows) {
      if (row.change == GeneratedRow::Change::added) erase(row.block_id);
    }
    return written;
  }
  return status;
}

StoreStatus ReplicaStore::add_files(const OrderedReplica& replica) {
  StoreResult<ReplicaWriter> writer =
      create(replica.block_id, replica.generation_stamp, replica.length);
  if (!writer) return writer.error();
  StoreStatus status =
      write_generated({replica.block_id, replica.length, {}, replica.dataset}, writer->files_);
  writer->length_ = replica.length;
  if (status) status = publish(replica.block_id, writer->writer_, {replica.length, {}});
  if (status) status = writer->finalize();
  if (!status) (void)remove(replica.block_id, replica.generation_stamp);
  return status;
}

StoreStatus ReplicaStore::remove(std::uint64_t block_id, std::uint64_t generation_stamp) {
  const Lock lock(mutex_);
  const Row* row = find_row(block_id);
  if (row == nullptr || row->info.generation_stamp > generation_stamp) {
    return store_error(StoreFailure::no_such_replica, block_id);
  }
  const GeneratedRow removed{GeneratedRow::Change::removed, block_id, row->info.generation_stamp};
  StoreStatus status = row->info.is_generated ? generated_.append(std::span(&removed, 1))
                                              : folder_.remove(found_replica(row->info));
  if (status) erase(block_id);
  return status;
}

// ---- the write pipeline ----

StoreResult<ReplicaWriter> ReplicaStore::create(std::uint64_t block_id,
                                                std::uint64_t generation_stamp,
                                                std::uint64_t length_max) {
  return create_in_stage({.block_id = block_id,
                          .generation_stamp = generation_stamp,
                          .stage = ReplicaStage::being_written},
                         length_max);
}

StoreResult<ReplicaWriter> ReplicaStore::create_temporary(std::uint64_t block_id,
                                                          std::uint64_t generation_stamp,
                                                          std::uint64_t length_max) {
  return create_in_stage({.block_id = block_id,
                          .generation_stamp = generation_stamp,
                          .stage = ReplicaStage::temporary},
                         length_max);
}

StoreResult<ReplicaWriter> ReplicaStore::create_in_stage(const ReplicaInfo& info,
                                                         std::uint64_t length_max) {
  const Lock lock(mutex_);
  const std::uint64_t block_id = info.block_id;
  if (rows_.contains(block_id)) return store_error(StoreFailure::replica_exists, block_id);
  if (!has_room(length_max)) return store_error(StoreFailure::disk_full, block_id);
  StoreResult<ReplicaFiles> files = folder_.create(block_id, info.generation_stamp);
  if (!files) return files.error();
  Row row;
  row.info = info;
  return start_writer(rows_.emplace(block_id, row).first->second, std::move(*files), length_max);
}

StoreResult<ReplicaWriter> ReplicaStore::append(std::uint64_t block_id, std::uint64_t new_stamp,
                                                std::uint64_t length, std::uint64_t length_max) {
  Lock lock(mutex_);
  Row* row = find_row(block_id);
  if (row == nullptr || row->info.generation_stamp > new_stamp) {
    return store_error(StoreFailure::no_such_replica, block_id);
  }
  if (row->recovery_stamp != 0) return store_error(StoreFailure::under_recovery, block_id);
  if (row->info.stage != ReplicaStage::finalized || row->writer != 0) {
    return store_error(StoreFailure::wrong_stage, block_id);
  }
  if (row->info.length != length) return store_error(StoreFailure::wrong_length, block_id);
  if (length_max > length && !has_room(length_max - length)) {
    return store_error(StoreFailure::disk_full, block_id);
  }
  if (row->info.is_generated) {
    row->writer = ++last_writer_;
    auto made = make_files(lock, block_id, row->writer, new_stamp);
    if (!made) return made.error();
    return start_writer(*find_row(block_id), std::move(*made), length_max);
  }
  if (StoreStatus status = folder_.take_up(found_replica(row->info), new_stamp); !status) {
    return status.error();
  }
  row->info.stage = ReplicaStage::being_written;
  row->info.generation_stamp = new_stamp;
  auto files = folder_.open(found_replica(row->info), ReplicaFolder::Access::write);
  if (!files) return files.error();
  return start_writer(*row, std::move(*files), length_max);
}

StoreResult<ReplicaFiles> ReplicaStore::make_files(Lock& lock, std::uint64_t block_id,
                                                   std::uint64_t writer, std::uint64_t new_stamp) {
  const Row copied = *find_row(block_id);
  lock.unlock();
  StoreResult<ReplicaFiles> files = folder_.create(block_id, new_stamp);
  StoreStatus status =
      files ? write_generated({block_id, copied.info.length, copied.damages, copied.info.dataset},
                              *files)
            : files.error();
  lock.lock();
  Row* row = row_of(block_id, writer);
  if (row == nullptr) status = store_error(StoreFailure::writer_is_replaced, block_id);
  // From here on a restart finds the files, not the row.
  const GeneratedRow removed{GeneratedRow::Change::removed, block_id, new_stamp};
  if (status) status = generated_.append(std::span(&removed, 1));
  if (!status) {
    if (row != nullptr) row->writer = 0;
    writer_ended_.notify_all();
    if (files) (void)folder_.remove({block_id, new_stamp, false});
    return status.error();
  }
  row->info.is_generated = false;
  row->info.dataset = {};
  row->info.stage = ReplicaStage::being_written;
  row->info.generation_stamp = new_stamp;
  row->damages.clear();
  return files;
}

StoreResult<ReplicaWriter> ReplicaStore::resume(std::uint64_t block_id, std::uint64_t new_stamp,
                                                std::uint64_t length_min, std::uint64_t length_most,
                                                std::uint64_t length_max) {
  Lock lock(mutex_);
  const StoreResult<Row*> found = without_writer(lock, block_id);
  if (!found) return found.error();
  Row& row = **found;
  if (row.recovery_stamp != 0) return store_error(StoreFailure::under_recovery, block_id);
  if (row.info.stage != ReplicaStage::being_written) {
    return store_error(StoreFailure::wrong_stage, block_id);
  }
  if (row.info.generation_stamp > new_stamp) {
    return store_error(StoreFailure::no_such_replica, block_id);
  }
  if (row.info.acknowledged < length_min || row.info.length > length_most) {
    return store_error(StoreFailure::wrong_length, block_id);
  }
  if (StoreStatus status = folder_.take_up(found_replica(row.info), new_stamp); !status) {
    return status.error();
  }
  row.info.generation_stamp = new_stamp;
  auto files = folder_.open(found_replica(row.info), ReplicaFolder::Access::write);
  if (!files) return files.error();
  if (StoreStatus status = cut_files(*files, row.info.acknowledged); !status) {
    return status.error();
  }
  set_length(row, row.info.acknowledged);
  return start_writer(row, std::move(*files), length_max);
}

// ---- reading ----

StoreResult<ReplicaReader> ReplicaStore::open(std::uint64_t block_id) const {
  const Lock lock(mutex_);
  const auto found = rows_.find(block_id);
  if (found == rows_.end() || found->second.info.stage == ReplicaStage::temporary) {
    return store_error(StoreFailure::no_such_replica, block_id);
  }
  const Row& row = found->second;
  if (row.info.is_generated) return ReplicaReader(row.info, row.damages);
  StoreResult<ReplicaFiles> files =
      folder_.open(found_replica(row.info), ReplicaFolder::Access::read);
  if (!files) return files.error();
  std::optional<ChunkChecksum> last;
  if (row.info.stage == ReplicaStage::being_written) last = row.last_checksum;
  return ReplicaReader(row.info, std::move(*files), last);
}

std::optional<ReplicaInfo> ReplicaStore::find(std::uint64_t block_id) const {
  const Lock lock(mutex_);
  const auto found = rows_.find(block_id);
  if (found == rows_.end()) return std::nullopt;
  return found->second.info;
}

std::vector<ReplicaInfo> ReplicaStore::list() const {
  const Lock lock(mutex_);
  std::vector<ReplicaInfo> replicas;
  replicas.reserve(rows_.size());
  for (const auto& [id, row] : rows_) replicas.push_back(row.info);
  return replicas;
}

StoreFigures ReplicaStore::figures() const {
  const Lock lock(mutex_);
  return {options_.capacity, used_, reserved_, rows_.size()};
}

// ---- damage ----

StoreStatus ReplicaStore::mark_corrupt(std::uint64_t block_id) {
  const Lock lock(mutex_);
  Row* row = find_row(block_id);
  if (row == nullptr) return store_error(StoreFailure::no_such_replica, block_id);
  row->info.is_corrupt = true;
  return stored();
}

StoreStatus ReplicaStore::damage(std::uint64_t block_id, std::uint64_t offset,
                                 std::uint64_t bytes) {
  const Lock lock(mutex_);
  Row* row = find_row(block_id);
  if (row == nullptr) return store_error(StoreFailure::no_such_replica, block_id);
  if (row->info.stage != ReplicaStage::finalized) {
    return store_error(StoreFailure::wrong_stage, block_id);
  }
  if (bytes == 0 || bytes > row->info.length || offset > row->info.length - bytes) {
    return store_error(StoreFailure::wrong_length, block_id);
  }
  if (!row->info.is_generated) {
    const auto files = folder_.open(found_replica(row->info), ReplicaFolder::Access::write);
    return files ? damage_file(files->data, {offset, bytes}) : files.error();
  }
  if (row->damages.size() == damages_max) return store_error(StoreFailure::disk_full, block_id);
  const GeneratedRow damaged{GeneratedRow::Change::damaged, block_id, row->info.generation_stamp,
                             offset, bytes};
  if (StoreStatus status = generated_.append(std::span(&damaged, 1)); !status) return status;
  row->damages.push_back({offset, bytes});
  return stored();
}

}  // namespace tracebed
