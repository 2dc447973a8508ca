// A cluster, started as a user does it, that is open for clients of its HDFS: without jobs, or for
// as long as its jobs take.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

#include "coordinator/cli/local_run.h"
#include "support/command.h"

namespace tracebed {

struct KeptOpenOptions {
  int nodes = 4;
  int racks = 2;
  std::string storage = {};   // lines of [storage] besides the blocks' size of 1 MiB
  std::string namenode = {};  // lines of [storage.namenode]
  std::string masters = {};   // lines of [masters]
  std::string jobs = {};      // a trace: of the jobs that it runs
};

class KeptOpenCluster {
 public:
  // Waits until it serves. Ten seconds of the trace pass in one of the wall clock's.
  explicit KeptOpenCluster(const std::string& name, const KeptOpenOptions& options = {});
  // As Ctrl-C; fails the test if anything is left.
  ~KeptOpenCluster();
  KeptOpenCluster(const KeptOpenCluster&) = delete;
  KeptOpenCluster& operator=(const KeptOpenCluster&) = delete;

  const std::string& namenode() const { return namenode_; }
  const std::string& webhdfs() const { return web_; }  // with the /webhdfs/v1
  std::filesystem::path folder() const { return run_.folder(); }

  // A shell in the run's folder, as user ann, where hdfs knows the namenode, $WEB is WebHDFS'
  // address and $STORAGE is `tracebed storage`.
  test::CommandResult sh(const std::string& command) const;
  std::string said(const std::string& command) const { return sh(command).output; }
  // `tracebed storage` with these arguments, in the background; files are meant from `folder`.
  std::unique_ptr<RunningProgram> start(std::vector<std::string> arguments) const;
  // Of a command of `tracebed storage` that prints JSON.
  nlohmann::json json(const std::string& arguments) const;
  // Of one that gives a datanode an order.
  test::CommandResult order(const std::string& arguments) const;

  // ---- datanodes, by their address without a port ----
  pid_t datanode(const std::string& address);
  // Those that have the file's block, the nearest first; -1: the last block.
  std::vector<std::string> holders(const std::string& path, int block) const;
  // Some task runs.
  bool has_containers() { return run_.has_containers(program_->id()); }
  // Each block has its replicas, and none is missing.
  bool is_replicated() const;

  std::vector<pid_t> agents() { return run_.processes(program_->id(), "tracebed-agent"); }

  // As Ctrl-C, once.
  ProgramEnd interrupt();
  // The process of `tracebed run` ends at once.
  void kill();
  std::vector<std::string> leftovers() const { return run_.leftovers(); }

 private:
  LocalRun run_;
  std::optional<RunningProgram> program_;
  std::string namenode_;
  std::string web_;
  std::string thrift_;
  bool has_ended_ = false;
};

}  // namespace tracebed
