// Datanodes that failed lately, which readers of one client pass over for a while, as
// org.apache.hadoop.hdfs.DeadNodeDetector shares them among the streams of a DFSClient. Belongs to
// one thread.
#pragma once

#include <chrono>
#include <map>
#include <string>

namespace tracebed::hdfs {

class DeadDatanodes {
 public:
  using Clock = std::chrono::steady_clock;

  explicit DeadDatanodes(std::chrono::milliseconds memory = std::chrono::minutes(10))
      : memory_(memory) {}

  void mark(const std::string& datanode_uuid, Clock::time_point now = Clock::now());
  bool contains(const std::string& datanode_uuid, Clock::time_point now = Clock::now()) const;
  void forgive(const std::string& datanode_uuid) { until_.erase(datanode_uuid); }

 private:
  std::chrono::milliseconds memory_;
  std::map<std::string, Clock::time_point> until_;
};

}  // namespace tracebed::hdfs
