// Datanodes on this machine, one process for each machine of the experiment, beside its agent and
// at the same loopback address. They receive their keys and the coordinator's endpoint as agents do
// (local_cluster.h). However this process ends, they end, and remove their replicas.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "coordinator/real/child_process.h"
#include "coordinator/real/local_storage_folder.h"
#include "coordinator/real/real_options.h"
#include "core/datanode_options.h"
#include "core/ids.h"
#include "core/machines.h"
#include "core/replica_store_kind.h"
#include "system/key_file.h"

namespace tracebed {

struct LocalDatanodeOptions {
  std::string run;
  std::string coordinator;         // endpoint that datanodes connect to
  std::vector<LinkKeys> links;     // of the machines' agents, in their order
  std::filesystem::path programs;  // folder of tracebed-datanode
  std::filesystem::path logs;      // existing folder for the AGENT.datanode.log of each
  std::string isolation = "auto";  // as LocalClusterOptions::isolation
  ReplicaStoreKind store = ReplicaStoreKind::generated;
  std::int64_t capacity = 0;  // bytes
  std::chrono::milliseconds socket_timeout = default_datanode_socket_timeout;
};

class LocalDatanodes {
 public:
  // Starts them. Throws EnvironmentError if the program is missing. The folder outlives them.
  LocalDatanodes(LocalDatanodeOptions options, std::vector<Machine> machines,
                 const LocalStorageFolder& folder);
  // stop() without warnings.
  ~LocalDatanodes();
  LocalDatanodes(const LocalDatanodes&) = delete;
  LocalDatanodes& operator=(const LocalDatanodes&) = delete;

  pid_t datanode(std::size_t index) const { return datanodes_[index].process->id(); }
  // Throws EnvironmentError if a datanode's process has ended, with the end of its log. For
  // RealFleet::wait_for_agents and wait_for_datanodes.
  void look();

  // The machine fails: its datanode is killed. Its replicas stay for the one that bring_back()
  // starts.
  void crash(std::size_t index);
  void bring_back(std::size_t index);

  struct End {
    NodeId node;
    std::string how;           // "ended by signal 9 (Killed); its log is …"
    bool is_expected = false;  // of a machine that crashed
    bool is_success = false;   // it ended by itself with exit code 0
  };
  // Those that ended since the last call; starts those that are to come back.
  std::vector<End> find_ends();

  // Ends all. Reports to `warn` whatever had to be forced. Only the first call has an effect. The
  // run's cgroups are swept after that (LocalCluster::stop).
  void stop(const Warn& warn);

 private:
  struct Entry {
    std::optional<ChildProcess> process;
    Lifeline lifeline;
    bool is_end_reported = false;
    bool has_crashed = false;
    bool is_awaited = false;  // it is due to come back
  };

  void start(std::size_t index);
  std::filesystem::path log_of(std::size_t index) const;

  LocalDatanodeOptions options_;
  std::vector<Machine> machines_;
  const LocalStorageFolder& folder_;
  std::vector<Entry> datanodes_;  // by machine
  bool is_stopped_ = false;
};

}  // namespace tracebed
