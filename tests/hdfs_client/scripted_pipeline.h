// Datanodes that a file is written to. The head of a pipeline plays all its members: what it
// receives, each of them stores.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "hdfs_client/changeable.h"
#include "hdfs_client/scripted_file.h"
#include "protocol/hdfs/packet.h"
#include "protocol/hdfs/transfer_operation.h"

namespace tracebed::hdfs::test {

// What the head of a pipeline does with a packet instead of storing and acknowledging it.
enum class PacketFate { stored, closed, hung, unacknowledged };

class ScriptedPipeline {
 public:
  explicit ScriptedPipeline(int datanodes) {
    std::vector<Endpoint> endpoints;
    const std::lock_guard lock(mutex_);
    for (int i = 0; i < datanodes; ++i) {
      datanodes_.push_back(std::make_unique<LoopbackPeer>(
          [this, i](PeerConnection& client, int) { serve(client, static_cast<std::size_t>(i)); }));
      endpoints.push_back(datanodes_.back()->endpoint());
    }
    file_.set_datanodes(endpoints);
  }

  // ---- faults, by the number of the pipeline (from 0, over the whole test) ----

  Changeable<std::function<PacketFate(int pipeline, std::int64_t packet)>> fate;
  // The member that acknowledges the packet with an error; -1: none does.
  Changeable<std::function<int(int pipeline, std::int64_t packet)>> bad_member;
  // The member that the head cannot reach; -1: none.
  Changeable<std::function<int(int pipeline)>> unreachable_member;
  Changeable<bool> transfers_fail;

  // ---- what came of it ----

  ScriptedFile& file() { return file_; }
  ScriptedNamenode& namenode() { return file_.namenode(); }
  LoopbackPeer& datanode(std::size_t i) { return *datanodes_[i]; }
  // What a datanode, by its uuid, has of a block.
  std::string replica(const std::string& uuid, std::uint64_t block) const {
    const std::lock_guard lock(mutex_);
    const auto found = replicas_.find({uuid, block});
    return found == replicas_.end() ? "none" : found->second;
  }
  // Of the file, from the first member of each block; empty if the members differ.
  std::string contents() const {
    std::string all;
    for (const ScriptedFile::Block& block : file_.blocks()) {
      const std::string first = replica(block.members.front(), block.block.block_id());
      for (const std::string& member : block.members) {
        if (replica(member, block.block.block_id()) != first) return {};
      }
      all += first;
    }
    return all;
  }
  int pipelines() const {
    const std::lock_guard lock(mutex_);
    return pipelines_;
  }
  int syncs() const {
    const std::lock_guard lock(mutex_);
    return syncs_;
  }
  // The offsets of the packets with data, in their order.
  std::vector<std::int64_t> packet_offsets() const {
    const std::lock_guard lock(mutex_);
    return packet_offsets_;
  }
  std::vector<int> stages() const {
    const std::lock_guard lock(mutex_);
    return stages_;
  }

  // What each pipeline weighs; 0: nothing is stated.
  std::vector<std::uint32_t> weights() const {
    const std::lock_guard lock(mutex_);
    return weights_;
  }

  // A file of one block, on the first datanodes.
  void store(const std::string& bytes, int members) {
    std::vector<std::string> uuids;
    {
      const std::lock_guard lock(mutex_);
      for (int i = 0; i < members; ++i) {
        uuids.push_back(datanodes_[static_cast<std::size_t>(i)]->endpoint().text());
        replicas_[{uuids.back(), 1}] = bytes;
      }
    }
    file_.add_block(extended_block(1, bytes.size()), uuids);
  }

  static constexpr std::uint64_t block_size = 200'192;  // three packets and a part

 private:
  std::string uuid(std::size_t datanode) const {
    const std::lock_guard lock(mutex_);
    return datanodes_[datanode]->endpoint().text();
  }
  void serve(PeerConnection& client, std::size_t self);
  void serve_write(PeerConnection& client, const std::string& self, const pb::OpWriteBlock& write);
  void serve_transfer(PeerConnection& client, const std::string& self,
                      const pb::OpTransferBlock& transfer);
  void keep(const std::vector<std::string>& members, std::uint64_t block, const Packet& packet);

  mutable std::mutex mutex_;
  std::map<std::pair<std::string, std::uint64_t>, std::string> replicas_;
  int pipelines_ = 0;
  int syncs_ = 0;
  std::vector<std::int64_t> packet_offsets_;
  std::vector<int> stages_;
  std::vector<std::uint32_t> weights_;
  ScriptedFile file_{block_size};
  std::vector<std::unique_ptr<LoopbackPeer>> datanodes_;
};

}  // namespace tracebed::hdfs::test
