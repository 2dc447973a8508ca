// The checksum of a file as HDFS has it, computed by the datanodes
// (org.apache.hadoop.hdfs.FileChecksumHelper.ReplicatedFileChecksumComputer).
#pragma once

#include <string>

#include "hdfs_client/dead_datanodes.h"
#include "hdfs_client/namenode_client.h"
#include "protocol/hdfs/file_checksum.h"

namespace tracebed::hdfs {

// Each block is asked of its datanodes in turn; a failure names the block and what each said. A
// file whose blocks differ in their kind of chunks has no checksum.
ClientResult<FileChecksum> remote_file_checksum(NamenodeClient& namenode, DeadDatanodes& dead,
                                                const std::string& path,
                                                const ConnectionOptions& options);

}  // namespace tracebed::hdfs
