// A store in a folder of the test's own, and what it should hold.
#pragma once

#include <gtest/gtest.h>
#include <memory>
#include <vector>

#include "agents/datanode/replica_writer.h"
#include "core/block_content.h"
#include "core/random.h"
#include "support/temporary_folder.h"

namespace tracebed::test {

using Bytes = std::vector<std::byte>;

constexpr std::uint64_t block = 1'073'741'825;
constexpr std::uint64_t stamp = 1'001;

inline Bytes random_bytes(std::size_t count, std::uint64_t seed = 1) {
  Bytes bytes(count);
  BlockContent(seed).fill(12'345, bytes);
  return bytes;
}
inline Bytes generated_bytes(std::uint64_t block_id, std::size_t count) {
  Bytes bytes(count);
  BlockContent(block_id).fill(0, bytes);
  return bytes;
}

class StoreFixture : public testing::Test {
 protected:
  // As after the death of a datanode: what is in memory is gone.
  void start(StoreOptions options = {}) {
    store_.reset();
    store_ = std::make_unique<ReplicaStore>(folder_.path() / "data", options);
  }
  static StoreOptions options(StoreKind kind, std::uint64_t capacity = 1 << 30) {
    StoreOptions options;
    options.kind = kind;
    options.capacity = capacity;
    options.writer_end_timeout = std::chrono::milliseconds(0);
    return options;
  }

  std::filesystem::path data_file(std::string_view place = "rbw") const {
    return folder_.path() / "data" / place / ("blk_" + std::to_string(block));
  }
  std::filesystem::path checksum_file(std::string_view place = "rbw",
                                      std::uint64_t generation = stamp) const {
    return data_file(place).string() + "_" + std::to_string(generation) + ".meta";
  }
  static constexpr std::string_view finalized = "finalized/subdir0/subdir0";

  ReplicaWriter writer(std::uint64_t length_max = 1 << 20) {
    auto created = store_->create(block, stamp, length_max);
    EXPECT_TRUE(created);
    return std::move(*created);
  }
  void store(const Bytes& bytes) {
    auto created = writer();
    EXPECT_TRUE(created.append(0, bytes));
    EXPECT_TRUE(created.finalize());
  }

  // All bytes, with right checksums.
  static Bytes read(const ReplicaReader& reader) {
    Bytes bytes(reader.info().length);
    Bytes checksums(replica_checksums.bytes(bytes.size()));
    EXPECT_TRUE(reader.read(0, bytes, checksums));
    EXPECT_EQ(hdfs::first_bad_chunk(replica_checksums, bytes, checksums), std::nullopt);
    return bytes;
  }
  Bytes read() const {
    const auto reader = store_->open(block);
    EXPECT_TRUE(reader);
    return reader ? read(*reader) : Bytes();
  }
  ReplicaInfo info() const { return store_->find(block).value_or(ReplicaInfo()); }

  TemporaryFolder folder_;
  std::unique_ptr<ReplicaStore> store_;
};

template <class T>
std::optional<StoreFailure> failure_of(const StoreResult<T>& result) {
  if (result) return std::nullopt;
  return result.error().failure;
}

}  // namespace tracebed::test
