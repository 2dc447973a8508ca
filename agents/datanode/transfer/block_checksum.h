// The checksum of a block, of which clients make those of files
// (org.apache.hadoop.hdfs.server.datanode.BlockChecksumHelper).
#pragma once

#include "agents/datanode/transfer/block_op_reply.h"
#include "protocol/hdfs/file_checksum.h"

namespace tracebed {

// Of as many bytes as the client states, of the whole replica if it states none or more. Checksums
// of files are read from the disk at its rate. Fails with a sentence for the client.
Result<hdfs::BlockChecksum> block_checksum(const TransferEnvironment& environment,
                                           const pb::ExtendedBlock& block);

}  // namespace tracebed
