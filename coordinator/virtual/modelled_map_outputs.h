// What tasks on modelled machines keep for tasks of later stages (core/shuffle.h), and what they
// spill (core/spills.h): written to the disk of their own machine along with their work, no byte
// sooner than the work makes it.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "coordinator/virtual/modelled_writes.h"
#include "core/ids.h"
#include "core/time.h"

namespace tracebed {

class ModelledMapOutputs {
 public:
  // The datanodes, which have the machines' disks, outlive this.
  explicit ModelledMapOutputs(ModelledWrites::Datanodes& datanodes) : datanodes_(datanodes) {}

  // A task of the container is to write so much, in a flow with this weight.
  void plan(ContainerId container, NodeId node, std::int64_t bytes, double weight) {
    writes_.emplace(container, Write{node, bytes, weight});
  }
  // The task's work begins, and is to end at `due` unless its output is late.
  void start(ContainerId container, TraceTime now, TraceTime due) {
    const auto found = writes_.find(container);
    if (found == writes_.end()) return;
    Write& write = found->second;
    const FlowDemand demand{.bytes = write.bytes, .due = due, .weight = write.weight};
    write.transfer = datanodes_.begin_write(write.node, write.node, demand, now);
    write.has_begun = true;
    writers_.emplace(write.transfer, container);
  }
  // The work, which has begun, is to end at another time.
  void pace(ContainerId container, TraceTime due, TraceTime now) {
    const auto found = writes_.find(container);
    if (found == writes_.end() || !found->second.has_begun) return;
    datanodes_.pace(found->second.transfer, due, now);
  }
  // False once all of it is on the disk, or if there is nothing to write.
  bool is_writing(ContainerId container) const { return writes_.contains(container); }
  // The task ends.
  void end(ContainerId container, TraceTime now) {
    const auto found = writes_.find(container);
    if (found == writes_.end()) return;
    if (found->second.has_begun) {
      writers_.erase(found->second.transfer);
      static_cast<void>(datanodes_.cancel_write(found->second.transfer, now));
    }
    writes_.erase(found);
  }

  // ---- transfers ----
  bool has(std::uint64_t transfer) const { return writers_.contains(transfer); }
  void received(std::uint64_t transfer) {
    const auto found = writers_.find(transfer);
    writes_.erase(found->second);
    now_whole_.push_back(found->second);
    writers_.erase(found);
  }

  // Tasks that have written all of it since the last call.
  std::vector<ContainerId> take_whole() { return std::exchange(now_whole_, {}); }

 private:
  struct Write {
    NodeId node;
    std::int64_t bytes = 0;
    double weight = 1;
    bool has_begun = false;
    std::uint64_t transfer = 0;
  };

  ModelledWrites::Datanodes& datanodes_;
  std::map<ContainerId, Write> writes_;
  std::map<std::uint64_t, ContainerId> writers_;  // by transfer
  std::vector<ContainerId> now_whole_;
};

}  // namespace tracebed
