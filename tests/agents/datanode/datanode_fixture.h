// Datanodes in the test's own process, and a link that remembers what they say.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "agents/datanode/service/datanode_service.h"
#include "agents/datanode/store_fixture.h"
#include "support/eventually.h"

namespace tracebed::test {

class ScriptedLink : public NamenodeLink {
 public:
  void report(const ReplicaChange& change) override {
    const std::lock_guard lock(mutex_);
    changes_.push_back(change);
  }
  void call(const Call& call) override {
    const std::lock_guard lock(mutex_);
    calls_.push_back(call);
  }
  void stored(std::uint64_t order, const Status& result) override {
    const std::lock_guard lock(mutex_);
    stored_.push_back({order, result ? std::string() : result.error().message});
  }

  std::vector<ReplicaChange> changes() const {
    const std::lock_guard lock(mutex_);
    return changes_;
  }
  std::vector<Call> calls() const {
    const std::lock_guard lock(mutex_);
    return calls_;
  }
  std::vector<std::pair<std::uint64_t, std::string>> stored() const {
    const std::lock_guard lock(mutex_);
    return stored_;
  }
  // How often the block was reported as finalized.
  std::size_t received(std::uint64_t block_id) const {
    std::size_t count = 0;
    for (const ReplicaChange& change : changes()) {
      const bool is_finalized = change.replica.state == ReportedState::finalized;
      if (change.replica.block_id == block_id && is_finalized && !change.is_deleted) ++count;
    }
    return count;
  }
  template <class T>
  std::vector<T> calls_of() const {
    std::vector<T> found;
    for (const Call& call : calls()) {
      if (const auto* one = std::get_if<T>(&call)) found.push_back(*one);
    }
    return found;
  }

 private:
  mutable std::mutex mutex_;  // guards what follows
  std::vector<ReplicaChange> changes_;
  std::vector<Call> calls_;
  std::vector<std::pair<std::uint64_t, std::string>> stored_;
};

constexpr const char* test_pool = "run-1";

class TestDatanode {
 public:
  explicit TestDatanode(std::uint32_t node = 0, const DataTransferOptions& transfers = {},
                        StoreOptions store = {}, const std::string& address = "127.0.0.1")
      : node_(node), address_(address) {
    options_.pool = test_pool;
    options_.folder = folder_.path() / "data";
    options_.store = store;
    options_.address = address;
    options_.transfers = transfers;
    restart();
  }

  // What is in memory is gone; the port is another one.
  void restart() {
    datanode_.reset();
    datanode_ = std::make_unique<DatanodeService>(options_, link);
    datanode_->set_node(NodeId(node_));
  }
  void stop() { datanode_.reset(); }

  DatanodeService& operator*() { return *datanode_; }
  DatanodeService* operator->() { return datanode_.get(); }
  std::uint16_t port() const { return datanode_->transfer_port(); }
  DatanodePeer peer() const {
    return {NodeId(node_), "host", address_, "/default-rack", datanode_->transfer_port()};
  }
  std::filesystem::path folder() const { return options_.folder; }
  DatanodeServiceOptions& options() { return options_; }

  ScriptedLink link;  // outlives the datanode

 private:
  TemporaryFolder folder_;
  std::uint32_t node_;
  std::string address_;
  DatanodeServiceOptions options_;
  std::unique_ptr<DatanodeService> datanode_;
};

}  // namespace tracebed::test
