// Sends bytes of a replica as packets (org.apache.hadoop.hdfs.server.datanode.BlockSender).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "agents/datanode/replica_reader.h"
#include "agents/datanode/transfer/transfer_environment.h"

namespace tracebed {

// Of a block as a client names it.
struct BlockRange {
  std::uint64_t block_id = 0;
  std::uint64_t generation_stamp = 0;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

class BlockSender {
 public:
  struct Behaviour {
    bool sends_checksums = true;
    bool ends_at_corrupt = false;  // instead of leaving it to the receiver
  };
  // Fails, with a sentence for the client, if the range is not of a replica of that generation
  // stamp or a later one.
  static Result<BlockSender> open(const TransferEnvironment& environment, const BlockRange& range,
                                  const Behaviour& behaviour);

  // Where packets begin: at the chunk of the range's first byte. They end with the chunk of its
  // last byte.
  std::uint64_t first_offset() const { return first_offset_; }
  // As the answer to the operation names them.
  hdfs::ChunkChecksums checksums() const;
  const ReplicaInfo& replica() const { return reader_.info(); }

  // All packets, including the empty last one. Calls `on_sent` with the number of bytes of the
  // range that were sent. A replica that is found corrupt meanwhile is reported to the namenode.
  TransferStatus send(TransferSocket& socket, TransferRate& rate,
                      const std::function<void(std::uint64_t)>& on_sent);

 private:
  struct Batch;

  BlockSender(const TransferEnvironment& environment, ReplicaReader reader, const BlockRange& range,
              const Behaviour& behaviour);
  TransferStatus read(Batch& batch, std::uint64_t offset);
  TransferStatus send_last(TransferSocket& socket);
  bool is_corrupt(const Batch& batch, std::uint64_t offset) const;

  const TransferEnvironment* environment_;
  ReplicaReader reader_;
  BlockRange range_;
  Behaviour behaviour_;
  std::uint64_t first_offset_;
  std::uint64_t end_;
  std::int64_t sequence_number_ = 0;
  bool is_reported_ = false;
};

}  // namespace tracebed
