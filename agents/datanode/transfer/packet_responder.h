// Sends acks of packets upstream, in their order, each when the datanodes downstream have
// acknowledged it, on a thread of its own
// (org.apache.hadoop.hdfs.server.datanode.BlockReceiver.PacketResponder).
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>

#include "agents/datanode/replica_writer.h"
#include "agents/datanode/transfer/mirror.h"
#include "system/small_thread.h"

namespace tracebed {

struct PacketToAcknowledge {
  std::int64_t sequence_number = 0;
  std::uint64_t end = 0;  // of its bytes in the block
  bool is_last = false;
  pb::Status status = pb::STATUS_SUCCESS;  // of this datanode
};

class PacketResponder {
 public:
  struct Ends {
    TransferSocket& upstream;
    Mirror* mirror;  // null: this datanode is the last of the pipeline
    ReplicaWriter::Acknowledger acknowledger;
    // Called before the ack of the last packet is sent, when all others have acknowledged it.
    std::function<pb::Status()> finalize;
  };

  PacketResponder(const TransferEnvironment& environment, Ends ends);
  // Ends it, if it has not ended.
  ~PacketResponder();
  PacketResponder(const PacketResponder&) = delete;
  PacketResponder& operator=(const PacketResponder&) = delete;

  // False if there was no room for its thread.
  bool has_started() const { return thread_.has_value(); }

  // Waits while too many packets wait for their acks. False if it has ended.
  bool enqueue(const PacketToAcknowledge& packet);
  // Waits for its end: after the ack of a last packet, or of one that failed, or when upstream
  // takes no acks. Whether the last packet is acknowledged with success by all.
  bool wait();
  // Ends it before.
  void cancel();

 private:
  void run();
  std::optional<PacketToAcknowledge> next();
  // False: it was the last.
  bool acknowledge(const PacketToAcknowledge& packet);
  bool send(const pb::PipelineAck& ack);
  // Whether this datanode itself ends the connections.
  bool is_ending() const;

  const TransferEnvironment& environment_;
  Ends ends_;
  mutable std::mutex mutex_;  // guards what follows, but not the thread
  std::condition_variable changed_;
  std::deque<PacketToAcknowledge> packets_;
  bool is_cancelled_ = false;
  bool has_ended_ = false;
  bool is_complete_ = false;
  std::optional<SmallThread> thread_;  // last: it uses what is above
};

}  // namespace tracebed
