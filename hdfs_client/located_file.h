// The blocks of a file, as far as they have been asked for, and where they are.
#pragma once

#include <cstdint>
#include <string>

#include "hdfs_client/namenode_client.h"

namespace tracebed::hdfs {

class LocatedFile {
 public:
  // How much of the file is asked for at once (dfs.client.read.prefetch.size is ten blocks).
  static constexpr std::uint64_t prefetch_bytes = std::uint64_t{10} * (128u << 20);

  // Locations from `offset` on, at most `length` bytes of them for now. The namenode must outlive
  // this.
  static ClientResult<LocatedFile> open(NamenodeClient& namenode, std::string path,
                                        std::uint64_t offset, std::uint64_t length);

  const std::string& path() const { return path_; }
  // With what the last block has so far, if it is being written.
  std::uint64_t length() const { return length_; }

  // The block that has the byte, which is before the file's end; asks for it if it is not known.
  // Holds until the next call.
  ClientResult<const pb::LocatedBlock*> block_at(std::uint64_t offset);
  // Asks again for the blocks from that byte on.
  ClientStatus refresh(std::uint64_t offset);

 private:
  LocatedFile(NamenodeClient& namenode, std::string path)
      : namenode_(&namenode), path_(std::move(path)) {}

  ClientStatus fetch(std::uint64_t offset, std::uint64_t length);
  // How much of a block that is being written its datanodes show to readers.
  ClientResult<std::uint64_t> visible_length(const pb::LocatedBlock& block) const;
  ClientResult<std::uint64_t> visible_length_at(const pb::DatanodeId& datanode,
                                                const pb::ExtendedBlock& block) const;
  const pb::LocatedBlock* known_block_at(std::uint64_t offset) const;

  NamenodeClient* namenode_;
  std::string path_;
  pb::LocatedBlocks blocks_;
  std::uint64_t length_ = 0;
};

}  // namespace tracebed::hdfs
