#include "agents/datanode/transfer/write_stages.h"

namespace tracebed {
namespace {

using Write = pb::OpWriteBlock;

// Of a request that is not out of date.
void interrupt_writer(const TransferEnvironment& environment, const Write& write) {
  const std::uint64_t block_id = write.header().base_header().block().block_id();
  const auto info = environment.store.find(block_id);
  if (info && info->generation_stamp <= write.latest_generation_stamp()) {
    environment.pipelines.interrupt(block_id);
  }
}

// A copy of an earlier generation stamp, which a broken pipeline left, makes room for the one that
// replaces it (FsDatasetImpl.createTemporary).
StoreResult<ReplicaWriter> open_temporary(const TransferEnvironment& environment,
                                          const pb::ExtendedBlock& block) {
  ReplicaStore& store = environment.store;
  const std::uint64_t stamp = block.generation_stamp();
  const auto info = store.find(block.block_id());
  if (info && info->generation_stamp < stamp) {
    environment.pipelines.interrupt(block.block_id());
    if (StoreStatus removed = store.remove(block.block_id(), stamp - 1); !removed) {
      return removed.error();
    }
  }
  return store.create_temporary(block.block_id(), stamp, block.num_bytes());
}

StoreResult<ReplicaWriter> append(const TransferEnvironment& environment, const Write& write) {
  const pb::ExtendedBlock& block = write.header().base_header().block();
  return environment.store.append(block.block_id(), write.latest_generation_stamp(),
                                  write.min_bytes_rcvd(), block.num_bytes());
}

StoreResult<ReplicaWriter> resume(const TransferEnvironment& environment, const Write& write,
                                  std::uint64_t length_most) {
  const pb::ExtendedBlock& block = write.header().base_header().block();
  interrupt_writer(environment, write);
  return environment.store.resume(block.block_id(), write.latest_generation_stamp(),
                                  write.min_bytes_rcvd(), length_most, block.num_bytes());
}

// recoverAppend: the replica may be as before, or the last attempt has begun to append.
StoreResult<ReplicaWriter> recover_append(const TransferEnvironment& environment,
                                          const Write& write) {
  const pb::ExtendedBlock& block = write.header().base_header().block();
  const auto info = environment.store.find(block.block_id());
  const bool is_as_before = info && info->stage == ReplicaStage::finalized;
  return is_as_before ? append(environment, write)
                      : resume(environment, write, write.min_bytes_rcvd());
}

}  // namespace

bool is_client_transfer(const Write& write) {
  return write.stage() == Write::TRANSFER_RBW || write.stage() == Write::TRANSFER_FINALIZED;
}

bool is_close_recovery(const Write& write) {
  return !write.header().client_name().empty() && write.stage() == Write::PIPELINE_CLOSE_RECOVERY;
}

StoreResult<ReplicaWriter> open_replica(const TransferEnvironment& environment,
                                        const Write& write) {
  const pb::ExtendedBlock& block = write.header().base_header().block();
  if (write.header().client_name().empty()) return open_temporary(environment, block);
  switch (write.stage()) {
    case Write::PIPELINE_SETUP_CREATE:
      return environment.store.create(block.block_id(), block.generation_stamp(),
                                      block.num_bytes());
    case Write::PIPELINE_SETUP_APPEND:
      return append(environment, write);
    case Write::PIPELINE_SETUP_APPEND_RECOVERY:
      return recover_append(environment, write);
    case Write::PIPELINE_SETUP_STREAMING_RECOVERY:
      return resume(environment, write, write.max_bytes_rcvd());
    case Write::TRANSFER_RBW:
    case Write::TRANSFER_FINALIZED:
      return open_temporary(environment, block);
    case Write::DATA_STREAMING:
    case Write::PIPELINE_CLOSE:
    case Write::PIPELINE_CLOSE_RECOVERY:
      break;
  }
  return StoreError{StoreFailure::wrong_stage,
                    "a write does not begin in stage " + std::to_string(write.stage())};
}

StoreStatus close_replica(const TransferEnvironment& environment, const Write& write) {
  const std::uint64_t block_id = write.header().base_header().block().block_id();
  interrupt_writer(environment, write);
  const auto info = environment.store.find(block_id);
  if (info && info->length != write.min_bytes_rcvd()) {
    return store_error(StoreFailure::wrong_length, block_id);
  }
  return environment.store.close(block_id, write.latest_generation_stamp(), write.min_bytes_rcvd());
}

}  // namespace tracebed
