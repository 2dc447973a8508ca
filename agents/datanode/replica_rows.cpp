// Rows of the store: how they are made of what the folder holds, and what writers change of them.
#include <algorithm>
#include <utility>

#include "agents/datanode/replica_store.h"
#include "agents/datanode/replica_writer.h"
#include "core/input_error.h"

namespace tracebed {
namespace {

GeneratedRows generated_in(const ReplicaFolder& folder, const std::filesystem::path& path) {
  StoreResult<GeneratedRows> rows = GeneratedRows::open(folder);
  if (!rows) throw EnvironmentError(path.string() + ": " + rows.error().message);
  return std::move(*rows);
}

}  // namespace

ReplicaStore::ReplicaStore(const std::filesystem::path& folder, const StoreOptions& options)
    : options_(options), folder_(folder), generated_(generated_in(folder_, folder)) {
  for (const auto& [id, replica] : generated_.found()) {
    Row row;
    row.info = {.block_id = id,
                .generation_stamp = replica.generation_stamp,
                .acknowledged = replica.length,
                .is_generated = true,
                .dataset = replica.dataset};
    row.damages = replica.damages;
    set_length(rows_.emplace(id, row).first->second, replica.length);
  }
  recover_files();
}

void ReplicaStore::recover_files() {
  for (const FoundReplica& found : folder_.recover()) {
    // Its files were being made to append to them (make_files).
    if (rows_.contains(found.block_id)) {
      if (StoreStatus status = folder_.remove(found); !status) {
        throw EnvironmentError(status.error().message);
      }
      continue;
    }
    Row row;
    row.info = recover_replica(found);
    const std::uint64_t length = std::exchange(row.info.length, 0);
    set_length(rows_.emplace(found.block_id, row).first->second, length);
  }
}

// A replica whose files cannot be used is reported as a corrupt one, so that the namenode makes
// another.
ReplicaInfo ReplicaStore::recover_replica(const FoundReplica& found) const {
  using Access = ReplicaFolder::Access;
  ReplicaInfo info = {.block_id = found.block_id, .generation_stamp = found.generation_stamp};
  info.stage = found.is_finalized ? ReplicaStage::finalized : ReplicaStage::waiting_to_be_recovered;
  const auto files = folder_.open(found, found.is_finalized ? Access::read : Access::write);
  StoreResult<std::uint64_t> length = std::uint64_t{0};
  if (files) length = found.is_finalized ? size_of(files->data) : find_intact_length(*files);
  info.is_corrupt = !files || !length;
  if (info.is_corrupt) return info;
  info.length = *length;
  info.acknowledged = *length;
  info.is_corrupt = found.is_finalized ? !has_checksums_for(*files, *length)
                                       : !cut_files(*files, *length).has_value();
  return info;
}

bool ReplicaStore::has_room(std::uint64_t bytes) const {
  const std::uint64_t taken = used_ + reserved_;
  return taken <= options_.capacity && bytes <= options_.capacity - taken;
}

ReplicaStore::Row* ReplicaStore::find_row(std::uint64_t block_id) {
  const auto found = rows_.find(block_id);
  return found == rows_.end() ? nullptr : &found->second;
}

ReplicaStore::Row* ReplicaStore::row_of(std::uint64_t block_id, std::uint64_t writer) {
  Row* row = find_row(block_id);
  return row == nullptr || row->writer != writer ? nullptr : row;
}

StoreResult<ReplicaStore::Row*> ReplicaStore::without_writer(Lock& lock, std::uint64_t block_id) {
  Row* row = find_row(block_id);
  if (row != nullptr && row->writer != 0) {
    row->is_writer_stopped = true;
    writer_ended_.wait_for(lock, options_.writer_end_timeout, [&] {
      row = find_row(block_id);
      return row == nullptr || row->writer == 0;
    });
  }
  if (row == nullptr) return store_error(StoreFailure::no_such_replica, block_id);
  if (row->writer != 0) return store_error(StoreFailure::writer_is_active, block_id);
  return row;
}

StoreResult<ReplicaWriter> ReplicaStore::start_writer(Row& row, ReplicaFiles files,
                                                      std::uint64_t length_max) {
  const std::uint64_t length = row.info.length;
  row.writer = ++last_writer_;
  row.is_writer_stopped = false;
  set_reserved(row, length_max > length ? length_max - length : 0);
  ReplicaWriter writer(*this, row.info.block_id, row.writer, std::move(files), length);
  if (StoreStatus status = writer.load_last_chunk(); !status) {
    row.writer = 0;
    writer.store_ = nullptr;  // its end would wait for the lock that is held
    return status.error();
  }
  row.last_checksum = writer.last_checksum();
  return writer;
}

void ReplicaStore::set_length(Row& row, std::uint64_t length) {
  if (length > row.info.length) {
    const std::uint64_t added = length - row.info.length;
    set_reserved(row, row.reserved > added ? row.reserved - added : 0);
  }
  used_ = used_ - row.info.length + length;
  row.info.length = length;
}

void ReplicaStore::set_reserved(Row& row, std::uint64_t bytes) {
  reserved_ = reserved_ - row.reserved + bytes;
  row.reserved = bytes;
}

void ReplicaStore::erase(std::uint64_t block_id) {
  Row& row = *find_row(block_id);
  set_length(row, 0);
  set_reserved(row, 0);
  rows_.erase(block_id);
  writer_ended_.notify_all();
}

StoreStatus ReplicaStore::reserve(std::uint64_t block_id, std::uint64_t writer,
                                  std::uint64_t length) {
  const Lock lock(mutex_);
  Row* row = row_of(block_id, writer);
  if (row == nullptr || row->is_writer_stopped) {
    return store_error(StoreFailure::writer_is_replaced, block_id);
  }
  const std::uint64_t needed = length - row->info.length;
  if (needed <= row->reserved) return stored();
  if (!has_room(needed - row->reserved)) return store_error(StoreFailure::disk_full, block_id);
  set_reserved(*row, needed);
  return stored();
}

StoreStatus ReplicaStore::publish(std::uint64_t block_id, std::uint64_t writer,
                                  const Progress& progress) {
  const Lock lock(mutex_);
  Row* row = row_of(block_id, writer);
  if (row == nullptr) return store_error(StoreFailure::writer_is_replaced, block_id);
  set_length(*row, progress.length);
  row->last_checksum = progress.last_checksum;
  return stored();
}

void ReplicaStore::acknowledge(std::uint64_t block_id, std::uint64_t writer, std::uint64_t length) {
  const Lock lock(mutex_);
  Row* row = row_of(block_id, writer);
  if (row == nullptr) return;
  row->info.acknowledged = std::clamp(length, row->info.acknowledged, row->info.length);
}

StoreStatus ReplicaStore::finalize(std::uint64_t block_id, std::uint64_t writer) {
  Lock lock(mutex_);
  Row* row = row_of(block_id, writer);
  if (row == nullptr) return store_error(StoreFailure::writer_is_replaced, block_id);
  const std::uint64_t stamp = row->info.generation_stamp;
  if (StoreStatus status = folder_.finalize({block_id, stamp, false}, stamp); !status) {
    return status;
  }
  row->info.stage = ReplicaStage::finalized;
  row->info.acknowledged = row->info.length;
  set_reserved(*row, 0);
  if (options_.durability == Durability::none) return stored();
  lock.unlock();
  return folder_.sync_names(block_id);
}

StoreStatus ReplicaStore::convert(std::uint64_t block_id, std::uint64_t writer) {
  const Lock lock(mutex_);
  Row* row = row_of(block_id, writer);
  if (row == nullptr) return store_error(StoreFailure::writer_is_replaced, block_id);
  row->info.stage = ReplicaStage::being_written;
  row->info.acknowledged = row->info.length;
  return stored();
}

void ReplicaStore::end_writer(std::uint64_t block_id, std::uint64_t writer) {
  const Lock lock(mutex_);
  Row* row = row_of(block_id, writer);
  if (row == nullptr) return;
  row->writer = 0;
  row->is_writer_stopped = false;
  writer_ended_.notify_all();
}

}  // namespace tracebed
