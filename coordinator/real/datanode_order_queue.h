// Orders of administrators on their way to the datanodes of the run in progress. It lives as long
// as the servers that take them: at a coordinator longer than a run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "coordinator/real/datanode_administration.h"
#include "system/event_descriptor.h"

namespace tracebed {

class DatanodeOrderQueue final : public DatanodeAdministration {
 public:
  // So many wait or are being executed; further ones fail.
  static constexpr std::size_t orders_max = 1'000;

  void order(NodeId node, const DatanodeOrder& order, Done done) override;

  // ---- for the run's thread ----
  struct Waiting {
    std::uint64_t number = 0;  // from 1, never the same twice
    NodeId node;
    DatanodeOrder order;
  };
  // A run with storage has begun, and has ended: then those that are not done fail.
  void open();
  void close(const std::string& reason);
  // Readable when orders wait.
  int descriptor() const { return orders_wait_.number(); }
  std::vector<Waiting> take();
  // Ignored for one that is unknown.
  void finish(std::uint64_t number, const Status& status);

 private:
  mutable std::mutex mutex_;  // guards what follows
  bool is_open_ = false;
  std::vector<Waiting> waiting_;
  std::map<std::uint64_t, Done> unfinished_;  // by number
  std::uint64_t last_number_ = 0;
  EventDescriptor orders_wait_;
};

}  // namespace tracebed
