// The replicas of a datanode: which there are, in which stage, and the changes that the write
// pipeline, the namenode and recovery make of them
// (org.apache.hadoop.hdfs.server.datanode.fsdataset. impl.FsDatasetImpl). What clients write is in
// files. What the namenode orders is a row where the store is `generated` (core/block_content.h, or
// a kernel's dataset), and files with the same bytes where it is `disk`.
//
// Threads: any may call anything. A replica has one writer and any number of readers; deleting it
// ends neither the writer's nor the readers' use of their files, but nothing more is published.
#pragma once

#include <array>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "agents/datanode/generated_rows.h"
#include "agents/datanode/replica_folder.h"
#include "agents/datanode/replica_info.h"
#include "agents/datanode/replica_reader.h"
#include "system/replace_file.h"

namespace tracebed {

class ReplicaWriter;

enum class StoreKind : std::uint8_t { generated, disk };

struct StoreOptions {
  StoreKind kind = StoreKind::generated;
  // Of all replicas by their lengths, and of the room reserved for those being written.
  std::uint64_t capacity = std::uint64_t{1} << 40;
  // Whether finalized replicas survive a power cut (dfs.datanode.synconclose, off in HDFS, too).
  Durability durability = Durability::none;
  // How long a new writer waits for the one before to end (FsDatasetImpl.stopWriter).
  std::chrono::milliseconds writer_end_timeout = std::chrono::seconds(60);
};

// A replica that the namenode orders to be there.
struct OrderedReplica {
  std::uint64_t block_id = 0;
  std::uint64_t generation_stamp = 0;
  std::uint64_t length = 0;
  BlockDataset dataset = {};
};

struct StoreFigures {
  std::uint64_t capacity = 0;
  std::uint64_t used = 0;
  std::uint64_t reserved = 0;
  std::size_t replicas = 0;
};

class ReplicaStore {
 public:
  static constexpr std::size_t damages_max = 64;  // of one generated replica

  // Recovers what the folder holds: finalized replicas as they are, marked corrupt if their
  // checksums are not complete; of those being written the bytes up to the last chunk whose
  // checksum is right. Throws EnvironmentError if the folder cannot be used.
  ReplicaStore(const std::filesystem::path& folder, const StoreOptions& options);

  // ---- by order of the namenode ----
  // Stops at the first failure; those before it stay.
  StoreStatus add(std::span<const OrderedReplica> replicas);
  // Of the same or an earlier generation stamp.
  StoreStatus remove(std::uint64_t block_id, std::uint64_t generation_stamp);
  // Ends its writer and gives the replica, which has at least this generation stamp, to the
  // recovery with a later one (initReplicaRecovery): no pipeline resumes it, and a recovery of an
  // earlier stamp fails. Its stage stays.
  StoreResult<ReplicaInfo> begin_recovery(std::uint64_t block_id, std::uint64_t generation_stamp,
                                          std::uint64_t recovery_stamp);
  // Ends the recovery that has the replica, with the length that all replicas of the block have:
  // finalized, with the recovery's stamp (updateReplicaUnderRecovery). The length is at most the
  // replica's.
  StoreStatus end_recovery(std::uint64_t block_id, std::uint64_t recovery_stamp,
                           std::uint64_t length);
  // The same without a recovery, of a pipeline that only has to close (recoverClose). A writer is
  // ended.
  StoreStatus close(std::uint64_t block_id, std::uint64_t new_stamp, std::uint64_t length);

  // ---- the write pipeline ----
  // A new replica (createRbw). Room for `length_max` bytes is reserved until it is finalized.
  StoreResult<ReplicaWriter> create(std::uint64_t block_id, std::uint64_t generation_stamp,
                                    std::uint64_t length_max);
  // The same of a transfer from another datanode (createTemporary). It is neither read nor
  // recovered before its writer finalizes or converts it.
  StoreResult<ReplicaWriter> create_temporary(std::uint64_t block_id,
                                              std::uint64_t generation_stamp,
                                              std::uint64_t length_max);
  // More bytes for a finalized one, which has `length` now (append).
  StoreResult<ReplicaWriter> append(std::uint64_t block_id, std::uint64_t new_stamp,
                                    std::uint64_t length, std::uint64_t length_max);
  // After the pipeline broke (recoverRbw): cut to what was acknowledged, which is at least
  // `length_min`; no more than `length_most` was received. A writer is ended.
  StoreResult<ReplicaWriter> resume(std::uint64_t block_id, std::uint64_t new_stamp,
                                    std::uint64_t length_min, std::uint64_t length_most,
                                    std::uint64_t length_max);

  // ---- reading ----
  // As it is now: bytes that are written later are not seen.
  StoreResult<ReplicaReader> open(std::uint64_t block_id) const;
  std::optional<ReplicaInfo> find(std::uint64_t block_id) const;
  // Ascending by block id: a full block report.
  std::vector<ReplicaInfo> list() const;
  StoreFigures figures() const;

  // ---- damage ----
  // A reader or the datanode found it wrong.
  StoreStatus mark_corrupt(std::uint64_t block_id);
  // Inverts stored bytes of a finalized replica, not their checksums; twice undoes it.
  StoreStatus damage(std::uint64_t block_id, std::uint64_t offset, std::uint64_t bytes);

 private:
  friend class ReplicaWriter;

  struct Row {
    ReplicaInfo info;
    std::uint64_t reserved = 0;
    std::uint64_t writer = 0;  // 0: none
    bool is_writer_stopped = false;
    std::uint64_t recovery_stamp = 0;  // of the recovery that has it; 0: none
    ChunkChecksum last_checksum{};     // of the last chunk, while it is written
    std::vector<DamagedRange> damages = {};
  };
  // What a writer has written.
  struct Progress {
    std::uint64_t length = 0;
    ChunkChecksum last_checksum{};
  };
  using Lock = std::unique_lock<std::mutex>;

  void recover_files();
  ReplicaInfo recover_replica(const FoundReplica& found) const;
  StoreStatus add_rows(std::span<const OrderedReplica> replicas);
  StoreStatus add_files(const OrderedReplica& replica);
  bool has_room(std::uint64_t bytes) const;
  Row* find_row(std::uint64_t block_id);
  // Stops the row's writer and waits until it has ended.
  StoreResult<Row*> without_writer(Lock& lock, std::uint64_t block_id);
  StoreResult<ReplicaWriter> create_in_stage(const ReplicaInfo& info, std::uint64_t length_max);
  StoreResult<ReplicaWriter> start_writer(Row& row, ReplicaFiles files, std::uint64_t length_max);
  StoreStatus recover(Lock lock, Row& row, std::uint64_t new_stamp, std::uint64_t length);
  StoreStatus recover_generated(Row& row, std::uint64_t new_stamp, std::uint64_t length);
  StoreStatus recover_written(Row& row, std::uint64_t new_stamp, std::uint64_t length);
  // Leaves its content in rbw/ and its row in the stage of being written.
  StoreResult<ReplicaFiles> make_files(Lock& lock, std::uint64_t block_id, std::uint64_t writer,
                                       std::uint64_t new_stamp);
  void set_length(Row& row, std::uint64_t length);
  void set_reserved(Row& row, std::uint64_t bytes);
  void erase(std::uint64_t block_id);

  // For writers, each with the number that start_writer() gave it.
  Row* row_of(std::uint64_t block_id, std::uint64_t writer);
  StoreStatus reserve(std::uint64_t block_id, std::uint64_t writer, std::uint64_t length);
  StoreStatus publish(std::uint64_t block_id, std::uint64_t writer, const Progress& progress);
  void acknowledge(std::uint64_t block_id, std::uint64_t writer, std::uint64_t length);
  StoreStatus finalize(std::uint64_t block_id, std::uint64_t writer);
  StoreStatus convert(std::uint64_t block_id, std::uint64_t writer);
  void end_writer(std::uint64_t block_id, std::uint64_t writer);

  const StoreOptions options_;
  const ReplicaFolder folder_;
  mutable std::mutex mutex_;  // guards what follows
  GeneratedRows generated_;
  std::map<std::uint64_t, Row> rows_;
  std::condition_variable writer_ended_;
  std::uint64_t last_writer_ = 0;
  std::uint64_t used_ = 0;
  std::uint64_t reserved_ = 0;
};

}  // namespace tracebed
