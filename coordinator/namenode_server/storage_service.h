// The Thrift service of an administrator (protocol/storage.thrift), over the run in progress. Any
// number of threads may call it at once; a call waits for the run, or for the datanode.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "Storage.h"
#include "coordinator/real/datanode_administration.h"
#include "coordinator/real/storage_gate.h"

namespace tracebed {

class StorageService final : public storage::StorageIf {
 public:
  // Maximum number of entries in one answer; a client that wants more calls again.
  static constexpr std::size_t page_max = 1'000;
  // Maximum number of replicas in one answer: the block that reaches it is the last.
  static constexpr std::size_t page_replicas_max = 8'000;

  // Both outlive it, and all calls to it.
  StorageService(StorageGate& gate, DatanodeAdministration& datanodes,
                 std::chrono::milliseconds timeout = std::chrono::seconds(30))
      : gate_(gate), datanodes_(datanodes), timeout_(timeout) {}

  void authenticate(const std::string&) override {}  // the server's

  void list_blocks(std::vector<storage::LocatedBlock>& blocks, const std::string& path,
                   std::int64_t offset) override;
  void list_datanodes(std::vector<storage::DatanodeInfo>& datanodes,
                      const std::string& after) override;
  void set_rates(const std::string& datanode, const storage::DatanodeRates& rates) override;
  void corrupt_replica(const std::string& datanode, std::int64_t block_id, std::int64_t offset,
                       std::int64_t bytes) override;
  void stop_datanode(const std::string& datanode) override;
  void decommission(const std::string& datanode) override;
  void recommission(const std::string& datanode) override;
  bool set_safe_mode(storage::SafeModeAction::type action) override;

 private:
  // They throw StorageException.
  void look(const std::function<void(const StorageGate::View&)>& look) const;
  NodeId node_named(const std::string& datanode) const;
  void order(const std::string& datanode, const DatanodeOrder& order);
  StorageReply change(StorageOperation operation);

  StorageGate& gate_;
  DatanodeAdministration& datanodes_;
  const std::chrono::milliseconds timeout_;
};

}  // namespace tracebed
