// What a datanode has of a block.
#pragma once

#include <cstdint>
#include <string>

#include "core/kernel_work.h"
#include "core/result.h"

namespace tracebed {

// org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState
enum class ReplicaStage : std::uint8_t {
  being_written,            // RBW: a pipeline writes it, or did until it broke
  waiting_to_be_recovered,  // RWR: it was being written when the datanode ended
  finalized,                // its length and content stay
  temporary,                // of a transfer between datanodes: neither read nor reported
};

struct ReplicaInfo {
  std::uint64_t block_id = 0;
  std::uint64_t generation_stamp = 0;
  std::uint64_t length = 0;  // bytes received and stored
  std::uint64_t acknowledged =
      0;  // of these, what the whole pipeline has: what readers may ask for
  ReplicaStage stage = ReplicaStage::finalized;
  bool is_generated = false;  // no file, but a function of block id and offset, or the dataset
  BlockDataset dataset = {};  // of a generated one: what its bytes are
  bool is_corrupt = false;    // found wrong by a reader, by the datanode or at its start

  bool operator==(const ReplicaInfo&) const = default;
};

enum class StoreFailure : std::uint8_t {
  no_such_replica,  // or not with this generation stamp
  replica_exists,   // one is never overwritten
  wrong_stage,
  under_recovery,      // a recovery has it, of a stamp that is not the caller's
  wrong_length,        // a gap, or not what the caller expects it to be
  writer_is_active,    // it did not end in time
  writer_is_replaced,  // of this writer: another one took over, or the replica was deleted
  disk_full,           // by the configured capacity, or ENOSPC
  input_output,
};

struct StoreError {
  StoreFailure failure = StoreFailure::input_output;
  std::string message = {};
};

template <class T>
using StoreResult = Result<T, StoreError>;
using StoreStatus = StoreResult<std::monostate>;
inline StoreStatus stored() {
  return StoreStatus(std::monostate{});
}

// Of an errno.
StoreError store_error(int error_number, const char* what);
StoreError store_error(StoreFailure failure, std::uint64_t block_id);

}  // namespace tracebed
