// A file of generated blocks, with a namenode and datanodes that a test scripts, and how it is
// read.
#pragma once

#include <gtest/gtest.h>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "hdfs_client/file_reader.h"
#include "hdfs_client/located_blocks.h"
#include "hdfs_client/scripted_namenode.h"
#include "hdfs_client/scripted_replica.h"

namespace tracebed::hdfs::test {

using std::chrono::milliseconds;

constexpr std::uint64_t block_bytes = 100'000;  // no multiple of a chunk
constexpr std::uint64_t first_block = 1'073'741'825;

// A file of some blocks of generated content, with a namenode and a datanode for each script.
class FileReaderTest : public testing::Test {
 protected:
  static constexpr std::uint64_t blocks = 3;
  static constexpr std::uint64_t file_bytes = blocks * block_bytes;

  FileReaderTest() {
    options_.verifies_generated_content = true;
    options_.retry_window = milliseconds(1);
    namenode_.on<pb::GetBlockLocationsRequest>(
        [this](const pb::GetBlockLocationsRequest&) { return locations(); });
    namenode_.on<pb::ReportBadBlocksRequest>([this](const pb::ReportBadBlocksRequest& request) {
      for (const pb::LocatedBlock& block : request.blocks()) {
        for (const pb::DatanodeInfo& datanode : block.locs()) {
          const std::lock_guard lock(mutex_);
          reported_.push_back({block.b().block_id(), datanode.id().datanode_uuid()});
        }
      }
      return pb::ReportBadBlocksResponse();
    });
  }

  LoopbackPeer& add_datanode(LoopbackPeer::Behaviour behaviour) {
    auto datanode = std::make_unique<LoopbackPeer>(std::move(behaviour));
    const std::lock_guard lock(mutex_);
    datanodes_.push_back(std::move(datanode));
    return *datanodes_.back();
  }
  LoopbackPeer& add_datanode(ReplicaScript script = {}) {
    return add_datanode([script](PeerConnection& client, int) { serve_read(client, script); });
  }

  pb::GetBlockLocationsResponse locations() const {
    std::vector<Endpoint> endpoints;
    {
      const std::lock_guard lock(mutex_);
      for (const auto& datanode : datanodes_) endpoints.push_back(datanode->endpoint());
    }
    pb::GetBlockLocationsResponse response;
    pb::LocatedBlocks& located = *response.mutable_locations();
    located.set_file_length(file_bytes);
    located.set_under_construction(false);
    located.set_is_last_block_complete(true);
    for (std::uint64_t i = 0; i < blocks; ++i) {
      *located.add_blocks() =
          located_block(extended_block(first_block + i, block_bytes), i * block_bytes, endpoints);
    }
    *located.mutable_last_block() = *located.blocks().rbegin();
    return response;
  }

  // What is read, from `offset` on; the failure if it fails.
  ClientResult<std::vector<std::byte>> read(std::uint64_t offset = 0,
                                            std::uint64_t length = file_bytes) {
    NamenodeClient client(namenode_.endpoint(), quick_rpc());
    auto reader = FileReader::open(client, dead_, "/file", offset, length, options_);
    if (!reader) return reader.error();
    std::vector<std::byte> all;
    while (true) {
      const ClientResult<Bytes> bytes = reader->next();
      statistics_ = reader->statistics();
      if (!bytes) return bytes.error();
      if (bytes->empty()) return all;
      all.insert(all.end(), bytes->begin(), bytes->end());
    }
  }
  static std::vector<std::byte> content(std::uint64_t offset = 0,
                                        std::uint64_t length = file_bytes) {
    std::vector<std::byte> all(file_bytes);
    for (std::uint64_t i = 0; i < blocks; ++i) {
      BlockContent(first_block + i).fill(0, std::span(all).subspan(i * block_bytes, block_bytes));
    }
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(offset);
    return {begin, begin + static_cast<std::ptrdiff_t>(length)};
  }
  void expect_all_is_read() {
    const auto all = read();
    ASSERT_TRUE(all) << all.error().message;
    EXPECT_EQ(*all, content());
  }

  // Blocks and the datanodes whose replicas of them were reported as bad.
  std::vector<std::pair<std::uint64_t, std::string>> reported() const {
    const std::lock_guard lock(mutex_);
    return reported_;
  }

  mutable std::mutex mutex_;  // guards the next two against the namenode's thread
  std::vector<std::pair<std::uint64_t, std::string>> reported_;
  std::vector<std::unique_ptr<LoopbackPeer>> datanodes_;
  ScriptedNamenode namenode_;
  DeadDatanodes dead_;
  FileReadOptions options_;
  ReadStatistics statistics_;
};

}  // namespace tracebed::hdfs::test
