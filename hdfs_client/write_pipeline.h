// The connection to the first datanode of a write pipeline: packets go out while acknowledgements
// come in, in one thread. It does not know what to do about a datanode that fails; it finds which.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hdfs_client/datanode_connection.h"

namespace tracebed::hdfs {

struct PipelineDatanode {
  pb::DatanodeInfo info;
  std::string storage_id;
  pb::StorageType storage_type = pb::STORAGE_DISK;
};
using PipelineDatanodes = std::vector<PipelineDatanode>;

// In the order in which a namenode names them.
PipelineDatanodes pipeline_datanodes(const pb::LocatedBlock& block);

struct PipelineFailure {
  std::size_t bad_datanode = 0;  // in the pipeline's order
  ClientFailure failure;
};
template <class T>
using PipelineResult = Result<T, PipelineFailure>;
using PipelineStatus = PipelineResult<std::monostate>;

class WritePipeline {
 public:
  // The operation without its targets, which follow from the datanodes. `answer_timeout` is for the
  // response and for each acknowledgement.
  static PipelineResult<WritePipeline> open(pb::OpWriteBlock operation,
                                            const PipelineDatanodes& datanodes,
                                            const ConnectionOptions& options,
                                            std::chrono::milliseconds answer_timeout);

  // All of the packet; acknowledgements that come meanwhile are read.
  PipelineStatus send(Bytes packet, std::int64_t sequence_number);
  // True when an acknowledgement came; false if none has by the deadline.
  PipelineResult<bool> wait_for_acknowledgement(const Deadline& deadline);
  // When an acknowledgement that is waited for is overdue.
  Deadline acknowledgement_due() const { return acknowledgement_due_; }
  PipelineFailure overdue() const;

  // Of the last packet that all datanodes have acknowledged: less than the first one's before that.
  std::int64_t acknowledged() const { return acknowledged_; }

 private:
  WritePipeline(DatanodeConnection datanode, std::size_t datanodes,
                std::chrono::milliseconds write_timeout, std::chrono::milliseconds answer_timeout);

  PipelineStatus read_acknowledgements();
  PipelineStatus accept(const pb::PipelineAck& acknowledgement);
  PipelineFailure failure(std::size_t bad_datanode, ClientFailureKind kind,
                          const std::string& reason) const;

  DatanodeConnection datanode_;
  std::size_t datanodes_;
  std::chrono::milliseconds write_timeout_;
  std::chrono::milliseconds acknowledgement_timeout_;
  Deadline acknowledgement_due_;
  std::optional<std::int64_t> sent_;  // the last; packets are numbered without gaps
  std::int64_t acknowledged_ = -1;
};

}  // namespace tracebed::hdfs
