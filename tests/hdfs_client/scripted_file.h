// A namenode with one file, which knows where each block of it is and lets it be written.
#pragma once

#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "hdfs_client/located_blocks.h"
#include "hdfs_client/scripted_namenode.h"

namespace tracebed::hdfs::test {

class ScriptedFile {
 public:
  explicit ScriptedFile(std::uint64_t block_size) : block_size_(block_size) { script(); }

  // Where new blocks go, in this order. The uuid of a datanode is the text of its endpoint.
  void set_datanodes(std::vector<Endpoint> datanodes) {
    const std::lock_guard lock(mutex_);
    datanodes_ = std::move(datanodes);
  }
  // A block that is there already.
  void add_block(const pb::ExtendedBlock& block, std::vector<std::string> members) {
    const std::lock_guard lock(mutex_);
    blocks_.push_back({block, std::move(members)});
    next_block_ = std::max(next_block_, block.block_id() + 1);
  }

  // ---- faults ----

  // How many answers to complete() and addBlock() are "not yet".
  void lack_replicas(int answers) {
    const std::lock_guard lock(mutex_);
    incomplete_ = answers;
  }
  // How many answers to create() are that the namenode is in safe mode.
  void be_in_safe_mode(int answers) {
    const std::lock_guard lock(mutex_);
    safe_answers_ = answers;
  }
  // No datanode can be added to a pipeline.
  void have_no_spare() {
    const std::lock_guard lock(mutex_);
    has_no_spare_ = true;
  }

  // ---- what came of it ----

  ScriptedNamenode& namenode() { return namenode_; }
  struct Block {
    pb::ExtendedBlock block;  // as the client named it last
    std::vector<std::string> members;
  };
  // That were not abandoned.
  std::vector<Block> blocks() const {
    const std::lock_guard lock(mutex_);
    return blocks_;
  }
  // As it was created.
  std::string path() const {
    const std::lock_guard lock(mutex_);
    return path_;
  }
  bool is_complete() const {
    const std::lock_guard lock(mutex_);
    return is_complete_;
  }

 private:
  void script();
  void script_pipelines();
  pb::HdfsFileStatus status() const;
  pb::GetBlockLocationsResponse locations() const;
  std::vector<Endpoint> endpoints(const std::vector<std::string>& uuids) const;
  std::vector<std::string> choose(std::size_t count, const std::set<std::string>& excluded) const;

  mutable std::mutex mutex_;
  std::uint64_t block_size_;
  std::vector<Endpoint> datanodes_;
  std::vector<Block> blocks_;
  std::uint32_t replication_ = 3;
  std::uint64_t next_block_ = 1;
  std::uint64_t next_stamp_ = 2'000;
  std::string path_;
  int incomplete_ = 0;
  int safe_answers_ = 0;
  bool has_no_spare_ = false;
  bool is_complete_ = false;
  bool is_open_ = false;
  ScriptedNamenode namenode_;  // last: its threads use all before
};

}  // namespace tracebed::hdfs::test
