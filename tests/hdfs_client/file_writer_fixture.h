// A file that is written to datanodes that a test scripts.
#pragma once

#include <gtest/gtest.h>
#include <string>
#include <utility>

#include "core/random.h"
#include "hdfs_client/file_writer.h"
#include "hdfs_client/scripted_pipeline.h"

namespace tracebed::hdfs::test {

using std::chrono::milliseconds;

constexpr std::uint64_t block_size = ScriptedPipeline::block_size;

inline std::string random_bytes(std::size_t count) {
  Random random(count);
  std::string bytes(count, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random.next());
  return bytes;
}

inline Bytes view(const std::string& text) {
  return std::as_bytes(std::span(text));
}

class FileWriterTest : public testing::Test {
 protected:
  FileWriterTest() {
    options_.locate_following_block = {milliseconds(1), milliseconds(1)};
    options_.packets_in_flight_max = 4;
  }

  FileWriter created(std::uint32_t replication = 3) {
    auto writer = FileWriter::create(
        client_, "/file", {.replication = replication, .block_size = block_size}, options_);
    EXPECT_TRUE(writer) << writer.error().message;
    return *std::move(writer);
  }
  FileWriter appending() {
    auto writer = FileWriter::append(client_, "/file", options_);
    EXPECT_TRUE(writer) << writer.error().message;
    return *std::move(writer);
  }
  void expect_ok(const ClientStatus& status) { EXPECT_TRUE(status) << status.error().message; }
  void expect_written(const std::string& bytes, std::uint32_t replication = 3) {
    FileWriter writer = created(replication);
    expect_ok(writer.write(view(bytes)));
    expect_ok(writer.close());
    expect_stored(bytes);
  }
  void expect_stored(const std::string& bytes) {
    EXPECT_TRUE(pipeline_.contents() == bytes);
    EXPECT_TRUE(pipeline_.file().is_complete());
    std::uint64_t length = 0;
    for (const auto& block : pipeline_.file().blocks()) length += block.block.num_bytes();
    EXPECT_EQ(length, bytes.size());
  }

  ScriptedPipeline pipeline_{6};
  NamenodeClient client_{pipeline_.namenode().endpoint(), quick_rpc()};
  FileWriteOptions options_;
};

}  // namespace tracebed::hdfs::test
