#include "hdfs_client/dead_datanodes.h"

namespace tracebed::hdfs {

// Those that are over are dropped here, so that names which never come again are not kept.
void DeadDatanodes::mark(const std::string& datanode_uuid, Clock::time_point now) {
  std::erase_if(until_, [&](const auto& entry) { return entry.second <= now; });
  until_[datanode_uuid] = now + memory_;
}

bool DeadDatanodes::contains(const std::string& datanode_uuid, Clock::time_point now) const {
  const auto found = until_.find(datanode_uuid);
  return found != until_.end() && found->second > now;
}

}  // namespace tracebed::hdfs
